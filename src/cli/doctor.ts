/** `doctor`: what is set and by whom, what is reachable, what is wrong. Never prints a key. */
import { ProviderError } from '../domain/failure.ts';
import { type Finding, type ProbeOptions, probeEndpoint, probeOffer } from '../edge/models/probe.ts';
import { proxyFor } from '../edge/models/proxy.ts';
import type { ModelChoice } from '../edge/settings/endpoint.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { maskKey, maskSecrets } from '../edge/settings/secrets.ts';
import { describeOrigin, type Origin } from '../edge/settings/sources.ts';
import { systemClock } from '../edge/system-clock.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { reachOf, readSettings } from './load-settings.ts';
import { effective, isRun, masked, type Read } from './setting-values.ts';
import { VERSION } from './version.ts';

/** Exit 1 only where the endpoint cannot be used, 2 where a value is wrong. */
export async function runDoctor(invocation: Invocation, over: Partial<ProbeOptions> = {}): Promise<number> {
  const lines = doctorLines(invocation, over);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return value;
    invocation.streams.stdout.write(`${value}\n`);
  }
}

/** What there is to say, line by line as it is found; at the end the exit code. */
export async function* doctorLines(
  invocation: Invocation,
  over: Partial<ProbeOptions> = {},
): AsyncGenerator<string, number> {
  const read = await readSettings(invocation);
  const safe = (line: string) => maskSecrets(line, read.secrets);
  for (const [name, value] of facts(invocation, read)) yield safe(`${name.padEnd(10)}${value}`);
  yield '';
  for (const line of others(read)) yield safe(line);
  yield '';
  for (const text of read.warnings) yield safe(shown({ level: 'warning', text }));
  for (const text of read.problems) yield safe(shown({ level: 'wrong', text }));
  const options = { clock: systemClock, random: Math.random, env: invocation.env, ...over };
  const findings = await examine(invocation, read, options);
  for (const finding of findings) yield safe(shown(finding));
  if (read.problems.length > 0) return EXIT.usage;
  return findings.some(({ level }) => level === 'wrong') ? EXIT.failed : EXIT.done;
}

const TOLD_BEFORE = new Set(['provider', 'model', 'baseUrl', 'apiKey', 'approval']);

/** All other settings, each with where it comes from. */
const others = (read: Read): string[] =>
  effective(read).flatMap(({ key, value, origin }) => {
    if (TOLD_BEFORE.has(key)) return [];
    const held = isRun(key) ? 'set' : masked(key, value);
    const text = typeof held === 'string' ? held : JSON.stringify(held);
    return [`${oneLine(key)} = ${oneLine(text)}${from(origin)}`];
  });

async function examine(invocation: Invocation, read: Read, options: ProbeOptions): Promise<Finding[]> {
  const { choice, modelless, refusal } = read;
  const { settingsFor } = reachOf(invocation, read);
  if (!choice) {
    const refused: Finding = { level: 'wrong', text: refusal ?? 'no model can be used' };
    if (!modelless) return [refused];
    // any name does: what is asked for is the list
    const offered = await reached(settingsFor(modelless.provider, 'any'), (at) => probeOffer(at, options));
    return [refused, ...offered];
  }
  if (!read.configured) {
    return [
      { level: 'warning', text: 'nothing is configured: the chat opens on the demo. Set OPENAI_API_KEY or --base-url' },
    ];
  }
  if (choice.provider === 'demo') return [{ level: 'ok', text: 'the demo needs no server' }];
  const { provider, model } = choice;
  return reached(settingsFor(provider, model), (at) => probeEndpoint(at, model, options));
}

/** What keeps from asking at all, such as a command that prints no key, is a finding too. */
async function reached<T>(settings: Promise<T>, probe: (settings: T) => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await probe(await settings);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return [{ level: 'wrong', text: error.message }];
  }
}

const from = (origin: Origin | undefined) => (origin ? ` (${oneLine(describeOrigin(origin))})` : '');

function facts(invocation: Invocation, { choice, modelless, settings, origins }: Read): [string, string][] {
  const rows: [string, string][] = [
    ['version', `${VERSION}, Node ${process.versions.node}, ${process.platform}`],
    ['workspace', oneLine(invocation.cwd)],
    ['config', oneLine(invocation.paths.config)],
    ['sessions', oneLine(invocation.paths.sessions)],
    ['approval', `${settings.approval}${from(origins.approval)}`],
  ];
  const meant = choice ?? modelless;
  return meant ? [...rows, ...factsOfChoice(invocation, meant)] : rows;
}

function factsOfChoice({ env }: Invocation, choice: ModelChoice): [string, string][] {
  const rows: [string, string][] = [];
  rows.push(['provider', `${oneLine(choice.provider)}${from(choice.origins.provider)}`]);
  rows.push(['model', choice.model === '' ? 'none' : `${oneLine(choice.model)}${from(choice.origins.model)}`]);
  if (choice.baseUrl) rows.push(['base URL', `${oneLine(choice.baseUrl)}${from(choice.origins.baseUrl)}`]);
  if (!choice.baseUrl) return rows;
  rows.push(['key', choice.apiKey ? `${maskKey(choice.apiKey)}${from(choice.origins.apiKey)}` : keyless(choice)]);
  const proxy = proxyFor(new URL(choice.baseUrl), env);
  if (proxy)
    rows.push(['proxy', typeof proxy === 'string' ? `not usable: ${proxy}` : `${proxy.protocol}//${proxy.host}`]);
  if (choice.window) rows.push(['window', `${choice.window} tokens`]);
  return rows;
}

const keyless = ({ apiKeyCommand, keyName }: ModelChoice): string =>
  apiKeyCommand === undefined ? 'none' : `printed by ${oneLine(keyName)}`;

function shown({ level, text }: Finding): string {
  return `${level.padEnd(9)} ${text}`;
}
