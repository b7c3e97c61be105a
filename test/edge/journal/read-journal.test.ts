import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedJournalError, readJournal, scanTail } from '../../../src/edge/journal/read-journal.ts';
import { encodeRecord } from '../../../src/edge/wire/record-codec.ts';
import { holdsLater } from '../wire/samples.ts';
import { all, makeFolder, soundRecords, user } from './records.ts';

const records = soundRecords(20);
const lines = records.map((record) => encodeRecord(record));
const sessionIdle = (seq: number, more: object = {}) =>
  JSON.stringify({
    seq,
    event: { type: 'SessionIdle', v: 1, session_id: 's', event_id: 'e', created_at: 'now', ...more },
  });

function journalOf(content: string | Buffer): string {
  const path = join(makeFolder(), 's.jsonl');
  writeFileSync(path, content);
  return path;
}

describe('damage that is not the last line', () => {
  const tenth = lines[9]!;
  it.each<[string, (string | Buffer)[], RegExp]>([
    ['NUL bytes', [Buffer.alloc(400)], /no JSON/],
    ['half a record', ['{"a":'], /no JSON/],
    [
      'no UTF-8',
      [Buffer.concat([Buffer.from(tenth.slice(0, -5)), Buffer.from([0xff]), Buffer.from(tenth.slice(-5))])],
      /no JSON/,
    ],
    ['a record over two lines', [tenth.slice(0, 40), tenth.slice(40)], /no JSON/],
    ['an empty line', ['', tenth], /no JSON/],
    ['another value', ['[1]'], /no object/],
    ['null', ['null'], /no object/],
    ['a record that stands twice', [lines[8]!], /record 10 was expected, 9/],
    ['a record that is missing', [], /record 10 is missing, 11/],
    ['an unknown event', [sessionIdle(10, { type: 'TurnCompleted' })], /unknown type "TurnCompleted"/],
    ['a newer version', [sessionIdle(10, { v: 2 })], /2 is newer/],
    ['an unknown command', ['{"seq":10,"command":{"type":"Explode"}}'], /"Explode" is unknown/],
    [
      'an ephemeral event',
      [sessionIdle(10, { type: 'InputQueued', loop_id: 'l', cause: { command_id: 'c', agency: 'user' } })],
      /InputQueued is ephemeral/,
    ],
    ['an event without its coordinates', [sessionIdle(10, { type: 'LoopIdle' })], /LoopIdle has no loopId/],
    ['no sequence number', ['{"event":{}}'], /seq is missing/],
  ])('%s is refused with the number of its line', async (_, put, reason) => {
    const content = Buffer.concat(
      [...lines.slice(0, 9), ...put, ...lines.slice(10)].map((line) =>
        Buffer.concat([Buffer.from(line), Buffer.from('\n')]),
      ),
    );
    const path = journalOf(content);
    const got: number[] = [];
    const failure = await (async () => {
      for await (const record of readJournal(path)) got.push(record.seq);
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DamagedJournalError);
    expect(failure).toMatchObject({ line: 10, kind: 'journal', reason: expect.stringMatching(reason) });
    expect((failure as Error).message).toContain('Line 10 ');
    expect(got).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(readFileSync(path)).toEqual(content);
  });

  it('is found wherever a byte of it is overwritten by NUL', async () => {
    const content = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const end = content.lastIndexOf('\n', content.length - 2);
    await holdsLater(
      fc.asyncProperty(fc.nat(end - 1), async (at) => {
        const broken = Buffer.from(content);
        broken[at] = 0;
        await expect(all(readJournal(journalOf(broken)))).rejects.toMatchObject({
          line: content.subarray(0, at).filter((byte) => byte === 0x0a).length + 1,
        });
      }),
      60,
    );
  });

  it('is also an unknown event in a whole last line: it is no torn tail', async () => {
    const path = journalOf(`${lines[0]}\n${sessionIdle(2, { type: 'Future' })}\n`);
    expect(await scanTail(path)).toMatchObject({ torn: 0 });
    await expect(all(readJournal(path))).rejects.toThrow(/Line 2 .*"Future"/);
  });
});

describe('text', () => {
  it('of any UTF-16 survives, and only \\n ends a line', async () => {
    const text = 'a\u2028b\u2029c\u0085d\r\n\ud800e\0\ud83d\ude00';
    const input = {
      seq: 1,
      command: { type: 'UserInput' as const, commandId: 'c', agency: 'user' as const, blocks: user(text).blocks },
    };
    const path = journalOf(`${encodeRecord(input)}\n`);
    expect(await all(readJournal(path))).toEqual([input]);
  });
});

describe('size', () => {
  const big = (seq: number, bytes: number) =>
    encodeRecord({
      seq,
      command: { type: 'UserInput', commandId: `c${seq}`, agency: 'user', blocks: user('x'.repeat(bytes)).blocks },
    });

  it('a line of 20 MB among others is one record', async () => {
    const path = journalOf([big(1, 10), big(2, 20e6), big(3, 300_000), big(4, 10)].map((line) => `${line}\n`).join(''));
    expect((await all(readJournal(path))).map((record) => record.seq)).toEqual([1, 2, 3, 4]);
    expect(await all(readJournal(path, { after: 2 }))).toHaveLength(2);
    expect(await scanTail(path)).toMatchObject({ torn: 0, lastSeq: 4 });
    writeFileSync(path, `${big(1, 10)}\n${big(2, 20e6)}`.slice(0, -9));
    expect(await scanTail(path)).toMatchObject({ lastSeq: 1, end: big(1, 10).length + 1 });
  });

  it('a file of 100 MB is read in memory in proportion to a record', async () => {
    const path = join(makeFolder(), 's.jsonl');
    const out = createWriteStream(path);
    for (let seq = 1; seq <= 200; seq += 1) out.write(`${big(seq, 500_000)}\n`);
    out.end();
    await finished(out);
    let peak = 0;
    let count = 0;
    const before = process.memoryUsage().arrayBuffers;
    for await (const record of readJournal(path)) {
      count = record.seq;
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    expect(count).toBe(200);
    expect(peak).toBeLessThan(60e6);
  });
});
