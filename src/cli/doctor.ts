/** `doctor`: what is set and by whom, what is reachable, what is wrong. Never prints a key. */
import { oneLine } from '../edge/settings/one-line.ts';
import { type Finding, type ProbeOptions, probeEndpoint } from '../edge/settings/probe.ts';
import { maskKey, maskSecrets } from '../edge/settings/secrets.ts';
import { describeOrigin, type Origin } from '../edge/settings/sources.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { readSettings } from './load-settings.ts';
import { VERSION } from './version.ts';

type Read = Awaited<ReturnType<typeof readSettings>>;

/** Exit 1 only where the endpoint cannot be used, 2 where a value is wrong. */
export async function runDoctor(invocation: Invocation, timeouts: Omit<ProbeOptions, 'secrets'> = {}): Promise<number> {
  const read = await readSettings(invocation);
  const print = (line: string) => void invocation.streams.stdout.write(`${maskSecrets(line, read.secrets)}\n`);
  for (const [name, value] of facts(invocation, read)) print(`${name.padEnd(10)}${value}`);
  print('');
  for (const text of read.warnings) print(shown({ level: 'warning', text }));
  for (const text of read.problems) print(shown({ level: 'wrong', text }));
  const findings = await examine(invocation, read, timeouts);
  for (const finding of findings) print(shown(finding));
  if (read.problems.length > 0) return EXIT.usage;
  return findings.some(({ level }) => level === 'wrong') ? EXIT.failed : EXIT.done;
}

async function examine(
  invocation: Invocation,
  read: Read,
  timeouts: Omit<ProbeOptions, 'secrets'>,
): Promise<Finding[]> {
  const { choice, refusal } = read;
  if (!choice) return [{ level: 'wrong', text: refusal ?? 'no model can be used' }];
  if (!read.configured) {
    return [
      { level: 'warning', text: 'nothing is configured: the chat opens on the demo. Set OPENAI_API_KEY or --base-url' },
    ];
  }
  if (choice.provider === 'demo') return [{ level: 'ok', text: 'the demo needs no server' }];
  const findings = await probeEndpoint(choice, { ...timeouts, secrets: read.secrets });
  const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].filter((name) => invocation.env[name]);
  if (variables.length > 0 && findings.some(({ level }) => level === 'wrong')) {
    findings.push({ level: 'warning', text: `${variables.join(', ')} set: this check does not go through a proxy` });
  }
  return findings;
}

function facts(invocation: Invocation, { choice, settings, origins }: Read): [string, string][] {
  const from = (origin: Origin | undefined) => (origin ? ` (${oneLine(describeOrigin(origin))})` : '');
  const rows: [string, string][] = [
    ['version', `${VERSION}, Node ${process.versions.node}, ${process.platform}`],
    ['workspace', oneLine(invocation.cwd)],
    ['config', oneLine(invocation.paths.config)],
    ['sessions', oneLine(invocation.paths.sessions)],
    ['approval', `${settings.approval}${from(origins.approval)}`],
  ];
  if (!choice) return rows;
  rows.push(['provider', `${oneLine(choice.provider)}${from(choice.origins.provider)}`]);
  rows.push(['model', `${oneLine(choice.model)}${from(choice.origins.model)}`]);
  if (choice.baseUrl) rows.push(['base URL', `${oneLine(choice.baseUrl)}${from(choice.origins.baseUrl)}`]);
  const key = choice.apiKey ? `${maskKey(choice.apiKey)}${from(choice.origins.apiKey)}` : 'none';
  if (choice.baseUrl) rows.push(['key', key]);
  return rows;
}

function shown({ level, text }: Finding): string {
  return `${level.padEnd(9)} ${text}`;
}
