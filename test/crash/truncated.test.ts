/**
 * A finished journal cut off at every record border and inside every record, as a crash of the machine leaves it, then
 * restored in this process: all that real kills cannot hit.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { auditFile } from '../../src/edge/journal/audit.ts';
import { openFileJournal } from '../../src/edge/journal/file-journal.ts';
import { SessionStore } from '../../src/edge/journal/session-store.ts';
import { createScriptedModel, text } from '../../src/edge/models/scripted.ts';
import { createSession } from '../../src/library/session.ts';
import { makeWorld, withKit } from '../support/kit.ts';
import { isRecovered, parseRecords, readLedger, resolutions, textOf, unresolved, type WireRecord } from './ledger.ts';
import { live } from './life.ts';

interface Journal {
  bytes: Buffer;
  /** Where each line ends, its newline included. */
  ends: number[];
}

const journalOf = (path: string): Journal => {
  const bytes = readFileSync(path);
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) ends.push(at + 1);
  return { bytes, ends };
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'harness-chat-cut-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Restores a copy of those bytes, lets its queue go on, drains it, and proves the file. The answer is its path. */
async function restored(home: string, head: Buffer): Promise<string> {
  const path = join(home, 'session.jsonl');
  writeFileSync(path, head);
  const { records, whole, torn } = ledgerOf(head);
  const model = createScriptedModel([], [text('fine')]);
  const journal = await openFileJournal({ path });
  const session = await createSession({ model, journal, cwd: home });
  const recovered = unresolved(records).filter((input) => isRecovered(records, input));
  const queued = session.snapshot().loops.flatMap(({ queue }) => queue.map(({ commandId }) => commandId));
  expect(queued.sort()).toEqual(recovered.map(({ command_id }) => command_id).sort());
  expect(session.snapshot().loops.filter(({ busy }) => busy)).toEqual([]);
  expect(model.requests).toHaveLength(0);
  await session.execute({ type: 'ResumeQueue', commandId: randomUUID(), agency: 'user' });
  await session.submit([{ type: 'text', text: 'after' }]);
  await session.drain();
  const asked = model.requests
    .map(({ messages }) => messages.at(-1))
    .map((m) => (m?.role === 'user' ? textOf(m as never) : m?.role));
  expect(asked.sort()).toEqual([...recovered.map(textOf), 'after'].sort());
  const after = readLedger(path);
  expect(after.whole.startsWith(torn === '' || isRecord(torn) ? whole + torn : whole)).toBe(true);
  for (const [id, found] of resolutions(after.records)) expect([id, found.length]).toEqual([id, 1]);
  expect(await auditFile(path)).toMatchObject({ ok: { stopped: true, open: [] } });
  return path;
}

function ledgerOf(head: Buffer): { records: WireRecord[]; whole: string; torn: string } {
  const end = head.lastIndexOf(10) + 1;
  const whole = head.toString('utf8', 0, end);
  const torn = head.toString('latin1', end);
  // a last record that only lacks its line end is whole
  return { records: parseRecords(isRecord(torn) ? whole + torn : whole), whole, torn };
}

const isRecord = (line: string): boolean => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

withKit('a journal that was cut off', (kit) => {
  let life: Journal;
  beforeAll(async () => {
    const world = await makeWorld(kit);
    life = journalOf(world.journal(await live(world)));
    await world.close();
  });

  test('behind its very first record: it has no loop yet, and gets one', async () => {
    await restored(folder(), life.bytes.subarray(0, life.ends[0]));
  });

  test('at every border of a record', async () => {
    const home = folder();
    for (const end of life.ends.slice(1)) await named(end, restored(home, life.bytes.subarray(0, end)));
  });

  test('inside every record: at a byte of it, and where only its line end is missing', async () => {
    const home = folder();
    for (const [i, end] of life.ends.entries()) {
      if (i < 2) continue;
      const start = life.ends[i - 1] as number;
      // another place in each record, the same in every run
      const inside = start + 1 + ((i * 7919) % (end - start - 2));
      for (const cut of [inside, end - 1]) await named(cut, restored(home, life.bytes.subarray(0, cut)));
    }
  });

  test('again in the middle of its restore', async () => {
    const home = folder();
    // the crash with two open Turns, a gate and a queue
    const { records } = ledgerOf(life.bytes);
    const crash = records.findIndex(({ event }) => event?.type === 'RestoreStarted');
    const once = await restored(home, life.bytes.subarray(0, life.ends[crash - 1]));
    const { bytes, ends } = journalOf(once);
    for (const end of ends.slice(crash)) await named(end, restored(home, bytes.subarray(0, end)));
  });

  test('a cut that leaves no whole record is refused, and the file stays as it is', async () => {
    const home = folder();
    const sessions = new SessionStore({ sessions: home, drafts: home, outputs: home });
    for (const cut of [0, 1, (life.ends[0] as number) - 2]) {
      const head = life.bytes.subarray(0, cut);
      writeFileSync(sessions.path('cut'), head);
      await expect(sessions.open('cut')).rejects.toThrow(/no whole record/);
      expect(await auditFile(sessions.path('cut'))).toHaveProperty('fault');
      expect(readFileSync(sessions.path('cut'))).toEqual(head);
    }
  });
});

/** A failure says where the journal was cut. */
const named = (cut: number, work: Promise<string>): Promise<string> =>
  work.catch((error: Error) => {
    throw new Error(`cut off at byte ${cut}: ${error.message}`, { cause: error });
  });
