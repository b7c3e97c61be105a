/** What a list says of a session, from the head and the tail of its journal: a list never reads journals whole. */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { ATTACHED } from '../../domain/attached.ts';
import { parseLine, readAt } from './line-reader.ts';

export interface SessionSummary {
  id: string;
  /** The folder that it was started in. */
  cwd: string;
  model: string;
  name?: string;
  /** How its first input begins: one line, not made safe for a terminal. */
  firstWords: string;
  /** Of the loops that are seen at both ends. */
  turns: number;
  /** Milliseconds since the epoch. */
  lastWritten: number;
  /** Bytes. */
  size: number;
  forkedFrom?: string;
}

/** Why a file is not in the list. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
}

const END = 64 * 1024;
/** Longer than a first line can be. */
const FIRST_LINE = 16 * 1024;
const FIRST_WORDS = 200;

type Wire = Record<string, unknown>;
const wireOf = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {});
const eventOf = (line: unknown): Wire => wireOf(wireOf(line).event);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `namePath`: where the name stands, if it has one. Throws a NoSessionError for a file that is no session. */
export async function summarise(path: string, id: string, namePath: string): Promise<SessionSummary> {
  // a pipe of that name must not make the list wait
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new NoSessionError('is no file');
    if (stats.size === 0) throw new NoSessionError('is empty');
    const head = await headOf(handle, stats.size);
    const tail = await tailOf(handle, stats.size);
    const started = eventOf(head.lines[0]);
    if (started.type !== 'SessionStarted') throw new NoSessionError('does not begin with a session');
    const name = nameIn(tail) ?? (await namePathText(namePath)) ?? nameIn(head.lines);
    const forkedFrom = textIn(started.forked_from);
    return {
      id,
      cwd: textIn(started.cwd),
      model: textIn(started.model),
      ...(name && { name }),
      firstWords: firstWordsOf(head),
      turns: turnsIn([...head.lines, ...tail]),
      lastWritten: stats.mtimeMs,
      size: stats.size,
      ...(forkedFrom && { forkedFrom }),
    };
  } finally {
    await handle.close();
  }
}

/** The folder of a session, or undefined where the file is none. */
export async function folderOf(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { lines } = await headOf(handle, FIRST_LINE);
    const started = eventOf(lines[0]);
    return started.type === 'SessionStarted' ? textIn(started.cwd) : undefined;
  } finally {
    await handle.close();
  }
}

interface Head {
  lines: unknown[];
  /** The beginning of a line that goes on behind the head. */
  rest: string;
}

async function headOf(handle: FileHandle, size: number): Promise<Head> {
  const bytes = await readAt(handle, 0, Math.min(END, size));
  const end = bytes.lastIndexOf('\n') + 1;
  return { lines: linesOf(bytes.subarray(0, end)), rest: bytes.toString('utf8', end) };
}

/** The last whole lines; more is read where they say nothing of a turn, as behind a record of many megabytes. */
async function tailOf(handle: FileHandle, size: number): Promise<unknown[]> {
  for (let length = END; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = await readAt(handle, from, size - from);
    const start = from === 0 ? 0 : bytes.indexOf('\n') + 1;
    const lines = linesOf(bytes.subarray(start));
    if (from === 0 || turnsIn(lines) > 0) return lines;
  }
}

function linesOf(bytes: Buffer): unknown[] {
  const lines: unknown[] = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf('\n', from);
    const end = newline === -1 ? bytes.length : newline;
    const line = parseLine(bytes.subarray(from, end));
    if (line !== undefined) lines.push(line);
    from = end + 1;
  }
  return lines;
}

function turnsIn(lines: unknown[]): number {
  const last = new Map<unknown, number>();
  for (const line of lines) {
    const { loop_id, turn_index } = eventOf(line);
    if (typeof turn_index === 'number') last.set(loop_id, Math.max(turn_index, last.get(loop_id) ?? 0));
  }
  return [...last.values()].reduce((sum, turns) => sum + turns, 0);
}

function nameIn(lines: unknown[]): string | undefined {
  const event = lines.map(eventOf).findLast(({ type }) => type === 'SessionRenamed');
  return event && textIn(event.name);
}

const namePathText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim() || undefined,
    () => undefined,
  );

function firstWordsOf({ lines, rest }: Head): string {
  for (const line of lines) {
    const command = wireOf(wireOf(line).command);
    const blocks = command.type === 'UserInput' ? command.blocks : undefined;
    if (!Array.isArray(blocks)) continue;
    const text = blocks.map((block) => ownTextIn(wireOf(block).text)).join(' ');
    if (text.trim()) return oneLine(text);
  }
  // the first input is longer than the head: its beginning is there all the same
  const cut = rest.includes('"UserInput"') ? rest.matchAll(/"text":"((?:[^"\\]|\\.)*)/g) : [];
  for (const [, json] of cut) {
    const text = ownTextIn(unquoted(json ?? ''));
    if (text.trim()) return oneLine(text);
  }
  return '';
}

/** What the person wrote, not what went with it. */
const ownTextIn = (value: unknown): string => {
  const text = textIn(value);
  return ATTACHED.test(text) ? '' : text;
};

function unquoted(json: string): string {
  try {
    return JSON.parse(`"${json}"`);
  } catch {
    return '';
  }
}

const oneLine = (text: string): string =>
  [
    ...text
      .slice(0, 4 * FIRST_WORDS)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, FIRST_WORDS)
    .join('');
