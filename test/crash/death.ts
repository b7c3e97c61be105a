/** Kills the process of a life at a record of its journal: as soon as that record is on disk. */
import { closeSync, mkdirSync, openSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type Kit, makeWorld, type World } from '../support/kit.ts';
import { surviveCrash } from './aftermath.ts';
import { kindOf, type WireRecord } from './ledger.ts';
import { live } from './life.ts';

/** The nth record of a kind, from 1. */
export interface DeathPoint {
  kind: string;
  nth: number;
}

/** Calls back for each record of the home's only journal, once, when its whole line can be read from the file. */
export function watchRecords(folder: string, seen: (record: WireRecord) => void): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const buffer = Buffer.alloc(64 * 1024);
  let file: number | undefined;
  let position = 0;
  let partial = '';
  const watcher = watch(folder, (_, name) => {
    if (!name?.endsWith('.jsonl')) return;
    file ??= openSync(join(folder, name), 'r');
    for (let read = readSync(file, buffer, 0, buffer.length, position); read > 0; ) {
      position += read;
      const lines = (partial + buffer.toString('latin1', 0, read)).split('\n');
      partial = lines.pop() as string;
      for (const line of lines) seen(JSON.parse(line));
      read = readSync(file, buffer, 0, buffer.length, position);
    }
  });
  return () => {
    watcher.close();
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
}

/** One life up to that record, its death, and what comes after. Throws where anything does not hold. */
export async function dieAt(kit: Kit, point: DeathPoint): Promise<void> {
  const world = await makeWorld(kit);
  let left = point.nth;
  let sessionId = '';
  const death = new AbortController();
  const dead = new Promise<void>((resolve) => {
    death.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const stopWatching = watchRecords(world.sessions, (record) => {
    sessionId ||= record.event?.session_id ?? '';
    if (kindOf(record) !== point.kind || --left !== 0) return;
    world.chats.at(-1)?.child.kill('SIGKILL');
    death.abort();
  });
  try {
    await Promise.race([dead, live(world, death.signal)]);
    if (left > 0) throw new Error('the life ended before that record was written');
    await world.chats.at(-1)?.exited;
    await surviveCrash(world, sessionId);
  } catch (error) {
    throw new Error(`killed at the ${point.nth}. ${point.kind}: ${(error as Error).message}${story(world)}`, {
      cause: error,
    });
  } finally {
    stopWatching();
    await world.close();
  }
}

const story = ({ chats }: World): string =>
  chats
    .map(({ deliveries, stderr }) => {
      const lines = deliveries.filter(({ journal_seq }) => journal_seq > 0).slice(-15);
      return `\n  ${lines.map(({ journal_seq, event }) => `${journal_seq} ${event.type}`).join(', ')} ${stderr}`;
    })
    .join('');
