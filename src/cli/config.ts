/** `config path|list|get|set|unset`: the settings that are kept, and what holds here and now. */
import type { Readable } from 'node:stream';
import { getAt } from '../edge/settings/config-key.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { describeOrigin } from '../edge/settings/sources.ts';
import { type ConfigCommand, EXIT, type Invocation } from './invocation.ts';
import { readSettings, reportWarnings } from './load-settings.ts';
import { dropSetting, effective, knownKey, masked, storeSetting } from './setting-values.ts';

export async function runConfig(invocation: Invocation, sub: ConfigCommand, args: string[]): Promise<number> {
  const [key = '', value = ''] = args;
  if (sub === 'path') return print(invocation, invocation.paths.config);
  if (sub === 'list') return list(invocation);
  if (sub === 'get') return get(invocation, key);
  return sub === 'set' ? set(invocation, key, value) : unset(invocation, key);
}

async function list(invocation: Invocation): Promise<number> {
  const read = await readSettings(invocation);
  reportWarnings(invocation, [...read.warnings, ...read.problems, ...(read.refusal ? [read.refusal] : [])]);
  for (const { key, value, origin } of effective(read)) {
    const safe = masked(key, value);
    const from = describeOrigin(origin);
    const text = typeof safe === 'string' ? safe : JSON.stringify(safe);
    print(
      invocation,
      invocation.options.json
        ? JSON.stringify({ key, value: safe, origin: from })
        : `${oneLine(key)} = ${oneLine(text)}  (${oneLine(from)})`,
    );
  }
  return EXIT.done;
}

/** What the file says; else what holds without it. The demo that stands in for a model is no value of a key. */
async function get(invocation: Invocation, name: string): Promise<number> {
  const key = knownKey(name);
  const read = await readSettings(invocation);
  reportWarnings(invocation, read.warnings);
  const stored = getAt(read.config.values, key.path);
  const held = effective(read).find(
    (entry) => entry.key === name && !(read.choice?.provider === 'demo' && name in read.choice),
  );
  const value = stored ?? held?.value;
  if (value === undefined) {
    reportWarnings(invocation, [`${oneLine(name)} is not set`]);
    return EXIT.failed;
  }
  const safe = masked(name, value);
  return print(invocation, typeof safe === 'string' && !invocation.options.json ? safe : JSON.stringify(safe));
}

async function set(invocation: Invocation, name: string, given: string): Promise<number> {
  const text = given === '-' ? await readAll(invocation.streams.stdin) : given;
  const path = invocation.paths.config;
  const warnings = await storeSetting(path, name, text);
  reportWarnings(invocation, [...warnings, `${oneLine(name)} is set in ${oneLine(path)}`]);
  return EXIT.done;
}

async function unset(invocation: Invocation, name: string): Promise<number> {
  const path = invocation.paths.config;
  const warnings = await dropSetting(path, name);
  const done = warnings ? `is no longer set in ${oneLine(path)}` : 'was not set';
  reportWarnings(invocation, [...(warnings ?? []), `${oneLine(name)} ${done}`]);
  return EXIT.done;
}

function print(invocation: Invocation, line: string): number {
  invocation.streams.stdout.write(`${line}\n`);
  return EXIT.done;
}

/** Standard input to its end, without the line end that `echo` adds. */
async function readAll(stdin: Readable): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
