/** `harness-chat sessions list|show|export|remove|path` (contract: Command line). */
import { once } from 'node:events';
import { homedir } from 'node:os';
import { JournalError } from '../domain/failure.ts';
import { readJournal, readJournalLines, scanTail } from '../edge/journal/read-journal.ts';
import { SessionStore } from '../edge/journal/session-store.ts';
import type { SessionSummary } from '../edge/journal/session-summary.ts';
import { bytes } from '../view/context.ts';
import { sanitizeLine } from '../view/sanitize.ts';
import { resolveSession } from './audit.ts';
import { EXIT, type Invocation, type SessionsCommand } from './invocation.ts';
import { htmlExport, markdownExport, type SessionExport } from './session-export.ts';
import { textDocument } from './sessions-document.ts';
import { UsageError } from './usage-error.ts';

/** Answers with the exit code. `flags.all`: the sessions of all folders; `flags.html`: one HTML page. Wrong usage throws a UsageError. */
export async function runSessions(
  invocation: Invocation,
  sub: SessionsCommand,
  args: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): Promise<number> {
  const store = new SessionStore(invocation.paths);
  const [first] = args;
  try {
    if (sub === 'list') return await list(invocation, store, flags.all === true);
    if (sub === 'path') return await path(invocation, store, first);
    if (first === undefined) throw new UsageError(`sessions ${sub} needs the id of a session`);
    if (sub === 'remove') return await remove(invocation, store, args);
    return await print(
      invocation,
      store,
      await resolveSession(store, first),
      sub === 'show' ? 'text' : flags.html === true ? 'html' : 'markdown',
    );
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(invocation, error.message);
    return EXIT.failed;
  }
}

/** Waits for a slow reader. false: it is gone. */
async function write({ streams, readerGone }: Invocation, text: string): Promise<boolean> {
  if (readerGone.aborted) return false;
  if (text !== '' && !streams.stdout.write(text))
    await once(streams.stdout, 'drain', { signal: readerGone }).catch(() => {});
  return !readerGone.aborted;
}

/** On standard error, one line. */
function say({ streams }: Invocation, line: string): void {
  streams.stderr.write(`harness-chat: ${sanitizeLine(line)}\n`);
}

async function list(invocation: Invocation, store: SessionStore, everywhere: boolean): Promise<number> {
  const { options, cwd } = invocation;
  const { sessions, skipped } = await store.list();
  const shown = everywhere ? sessions : sessions.filter((session) => session.cwd === cwd);
  for (const { file, why } of skipped) say(invocation, `skipped: ${file} ${why}`);
  for (const session of shown) {
    const line = options.json ? JSON.stringify(wireOf(session)) : rowOf(session, everywhere);
    if (!(await write(invocation, `${line}\n`))) return EXIT.readerGone;
  }
  const hidden = sessions.length - shown.length;
  if (hidden > 0) say(invocation, `${hidden} more in other folders: --all shows them`);
  else if (shown.length === 0) say(invocation, 'There are no sessions yet.');
  return EXIT.done;
}

const wireOf = (session: SessionSummary) => ({
  session_id: session.id,
  name: session.name,
  cwd: session.cwd,
  model: session.model,
  first_words: session.firstWords,
  turns: session.turns,
  written_at: new Date(session.lastWritten).toISOString(),
  size: session.size,
  forked_from: session.forkedFrom,
});

function rowOf(session: SessionSummary, everywhere: boolean): string {
  const turns = `${session.turns} turn${session.turns === 1 ? '' : 's'}`;
  const words = [...sanitizeLine(session.name || session.firstWords || '(nothing said)')].slice(0, 60).join('');
  const cells = [session.id, localTime(session.lastWritten), turns.padStart(9), bytes(session.size).padStart(8), words];
  if (everywhere) cells.splice(4, 0, sanitizeLine(shortFolder(session.cwd)));
  return cells.join('  ');
}

function localTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const shortFolder = (cwd: string): string =>
  cwd === homedir() || cwd.startsWith(`${homedir()}/`) ? `~${cwd.slice(homedir().length)}` : cwd;

async function path(invocation: Invocation, store: SessionStore, session: string | undefined): Promise<number> {
  const where = session === undefined ? store.folders.sessions : store.path(await resolveSession(store, session));
  await write(invocation, `${where}\n`);
  return EXIT.done;
}

/** All are known before the first is removed. */
async function remove(invocation: Invocation, store: SessionStore, asked: readonly string[]): Promise<number> {
  const ids: string[] = [];
  for (const each of asked) ids.push(await resolveSession(store, each));
  let code: number = EXIT.done;
  for (const id of new Set(ids)) {
    try {
      await store.remove(id);
      say(invocation, `removed ${id}`);
    } catch (error) {
      say(invocation, (error as Error).message);
      code = EXIT.failed;
    }
  }
  return code;
}

const WRITTEN_AS: Record<'text' | 'markdown' | 'html', (title: string) => SessionExport> = {
  text: () => ({ add: textDocument, end: () => '' }),
  markdown: markdownExport,
  html: htmlExport,
};

/** As a document, or with --json record by record; what is damaged ends it with a word. */
async function print(
  invocation: Invocation,
  store: SessionStore,
  id: string,
  as: keyof typeof WRITTEN_AS,
): Promise<number> {
  const { json } = invocation.options;
  if (json && as === 'html') throw new UsageError('--html and --json exclude each other');
  const file = store.path(id);
  const { torn, end } = await scanTail(file);
  if (torn > 0) say(invocation, `The last line of ${id} is torn and left out.`);
  if (json) {
    for await (const { bytes } of readJournalLines(file, { end })) {
      if (!(await write(invocation, `${bytes.toString('utf8')}\n`))) return EXIT.readerGone;
    }
    return EXIT.done;
  }
  const written = WRITTEN_AS[as](await titleOf(store, id));
  for await (const record of readJournal(file, { end })) {
    if (!(await write(invocation, written.add(record)))) return EXIT.readerGone;
  }
  return (await write(invocation, written.end())) ? EXIT.done : EXIT.readerGone;
}

async function titleOf(store: SessionStore, id: string): Promise<string> {
  const summary = await store.summary(id).catch(() => undefined);
  return summary?.name || [...(summary?.firstWords ?? '')].slice(0, 80).join('') || `Session ${id}`;
}
