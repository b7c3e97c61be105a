/**
 * A report to send to those who make the program: what it is, where it runs, what is set, how it failed. Nothing that was
 * said is in it, unless asked for, and no secret ever.
 */
import { open, rm } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../edge/journal/disk-reason.ts';
import { ensurePrivateFolder } from '../edge/journal/private-folder.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { SCALARS } from '../edge/settings/schema.ts';
import { maskSecrets } from '../edge/settings/secrets.ts';
import { describeOrigin, type Origin } from '../edge/settings/sources.ts';
import type { JournalRecord } from '../runtime/ports.ts';
import type { Session } from '../runtime/session.ts';
import type { Invocation } from './invocation.ts';
import { readSettings } from './load-settings.ts';
import { markdownExport } from './session-export.ts';
import { effective, isRun, masked, type Read } from './setting-values.ts';
import { VERSION } from './version.ts';

const FAILURES_TOLD = 20;
/** What a terminal says of itself. */
const TERMINAL = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'LANG', 'LC_ALL'];

export interface BugParts {
  invocation: Invocation;
  newId(): string;
}

interface Reported {
  session: Pick<Session, 'readEvents'>;
  journal: { read(): AsyncIterable<JournalRecord> };
}

/** Resolves with the path of the file (0600). Rejects with one line. */
export async function reportBug(
  { invocation, newId }: BugParts,
  live: Reported | undefined,
  conversation: boolean,
): Promise<string> {
  const read = await readSettings(invocation);
  const folder = join(invocation.paths.dataFolder, 'reports');
  const path = join(folder, `harness-chat-${VERSION}-${newId().slice(0, 13)}.md`);
  const safe = (text: string) => maskSecrets(text, read.secrets);
  let made = false;
  try {
    await ensurePrivateFolder(folder);
    const file = await open(path, 'wx', 0o600);
    made = true;
    try {
      await file.write(
        safe([...program(invocation), ...settings(read), ...(await failures(live?.session))].join('\n')),
      );
      if (conversation && live) await writeConversation(live, (text) => file.write(safe(text)));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (made) await rm(path, { force: true }).catch(() => undefined);
    throw new Error(`the report cannot be written to ${folder}: ${reasonOf(error)}`);
  }
  return path;
}

function program({ env, streams }: Invocation): string[] {
  const { columns, rows } = streams.stdout as Partial<NodeJS.WriteStream>;
  const said = TERMINAL.flatMap((name) => (env[name] ? [`- ${name} ${oneLine(env[name], 60)}`] : []));
  const within = [env.TMUX ? 'tmux' : '', env.SSH_TTY ? 'ssh' : ''].filter(Boolean);
  return [
    '# A report of harness-chat',
    '',
    'Please say here what you did, what you saw, and what you expected.',
    '',
    '## The program',
    '',
    `- version ${VERSION}`,
    `- Node ${process.versions.node}, ${process.platform} ${release()} ${process.arch}`,
    `- terminal of ${columns ?? '?'} columns and ${rows ?? '?'} rows`,
    ...said,
    ...(within.length > 0 ? [`- within ${within.join(' and ')}`] : []),
    '',
  ];
}

/** Texts of a person's own, such as a system prompt, and what sections hold are only counted. */
function settings(read: Read): string[] {
  const lines = effective(read).map(({ key, value, origin }) => {
    const tells = key.startsWith('providers.') || (Object.hasOwn(SCALARS, key) && key !== 'system');
    const held = tells && !isRun(key) ? masked(key, value) : undefined;
    const text = held === undefined ? 'set' : typeof held === 'string' ? held : JSON.stringify(held);
    return `- ${oneLine(key)} = ${oneLine(text)} (${placeOf(origin)})`;
  });
  const wrong = [...read.problems, ...(read.refusal ? [read.refusal] : []), ...read.warnings];
  return ['## Settings', '', ...lines, ...wrong.map((line) => `- wrong: ${oneLine(line)}`), ''];
}

const placeOf = (origin: Origin): string => (origin.from === 'config' ? 'config' : oneLine(describeOrigin(origin)));

/** Kinds and times alone: a message may repeat what was said. */
async function failures(session: Reported['session'] | undefined): Promise<string[]> {
  const counts = new Map<string, number>();
  const failed: string[] = [];
  for await (const { event } of session?.readEvents() ?? []) {
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    if (event.type === 'TurnFailed') failed.push(`- ${event.createdAt} turn ${event.turnIndex}: ${event.failure.kind}`);
  }
  return [
    '## This session',
    '',
    ...[...counts].map(([type, count]) => `- ${type} ${count}`),
    '',
    '## Turns that failed',
    '',
    ...(failed.length > 0 ? failed.slice(-FAILURES_TOLD) : ['- none']),
    '',
  ];
}

async function writeConversation(
  { journal }: Pick<Reported, 'journal'>,
  write: (text: string) => Promise<unknown>,
): Promise<void> {
  const written = markdownExport('The conversation');
  await write('\n');
  for await (const record of journal.read()) {
    const text = written.add(record);
    if (text !== '') await write(text);
  }
  await write(written.end());
}
