import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionInUseError } from '../../../src/edge/journal/lock.ts';
import { SessionStore, UnknownSessionError } from '../../../src/edge/journal/session-store.ts';
import { encodeRecord } from '../../../src/edge/wire/record-codec.ts';
import type { JournalRecord } from '../../../src/runtime/ports.ts';
import { all, Journaling, makeFolder, user } from './records.ts';

const linesOf = (records: readonly JournalRecord[]) => records.map((record) => `${encodeRecord(record)}\n`).join('');
function makeStore() {
  const home = makeFolder();
  const folders = { sessions: join(home, 'sessions'), drafts: join(home, 'drafts'), outputs: join(home, 'outputs') };
  return { home, folders, store: new SessionStore(folders) };
}
/** Puts a journal there, last written `age` seconds after the epoch's start of these tests. */
function put(store: SessionStore, id: string, content: string, age = 0): void {
  mkdirSync(store.folders.sessions, { recursive: true });
  writeFileSync(store.path(id), content);
  utimesSync(store.path(id), 1.7e9 + age, 1.7e9 + age);
}
const conversation = (cwd: string, turns: number, words = 'hello there') => {
  const journal = new Journaling().start(cwd);
  for (let turn = 1; turn <= turns; turn += 1) journal.turn(turn, turn === 1 ? words : `more ${turn}`);
  return linesOf(journal.records);
};

describe('list', () => {
  it('says of each session what a person knows it by, the last written first', async () => {
    const { store } = makeStore();
    put(store, 'one', conversation('/a', 2, ' hello\n\tthere  you '), 1);
    put(
      store,
      'two',
      linesOf(new Journaling().start('/b').event({ type: 'SessionRenamed', name: 'my name' }).records),
      2,
    );
    const { sessions, skipped } = await store.list();
    expect(skipped).toEqual([]);
    expect(sessions).toEqual([
      {
        id: 'two',
        cwd: '/b',
        model: 'scripted',
        name: 'my name',
        firstWords: '',
        turns: 0,
        lastWritten: 1.7e12 + 2000,
        size: expect.any(Number),
      },
      {
        id: 'one',
        cwd: '/a',
        model: 'scripted',
        firstWords: 'hello there you',
        turns: 2,
        lastWritten: 1.7e12 + 1000,
        size: expect.any(Number),
      },
    ]);
    expect((await store.list({ cwd: '/a' })).sessions.map(({ id }) => id)).toEqual(['one']);
  });

  it('of a home without sessions is empty', async () => {
    expect(await makeStore().store.list()).toEqual({ sessions: [], skipped: [] });
  });

  it('finds the name that was given in the middle of a long session, and the newest of two', async () => {
    const { store } = makeStore();
    const journal = await store.create('long');
    const long = new Journaling().start('/a').event({ type: 'SessionRenamed', name: 'first' });
    for (let turn = 1; turn <= 200; turn += 1) long.turn(turn, 'q', 'x'.repeat(2000));
    long.event({ type: 'SessionRenamed', name: 'second' });
    for (let turn = 201; turn <= 400; turn += 1) long.turn(turn, 'q', 'x'.repeat(2000));
    for (let at = 0; at < long.records.length; at += 50) await journal.append(long.records.slice(at, at + 50));
    await journal.close();
    expect((await store.list()).sessions).toMatchObject([{ name: 'second', turns: 400, firstWords: 'q' }]);
  });

  it('takes the beginning of a first input that is longer than what is read', async () => {
    const { store } = makeStore();
    put(store, 'paste', conversation('/a', 1, `line "one"\u00e9 ${'y'.repeat(300_000)}`));
    expect((await store.list()).sessions[0]!.firstWords).toMatch(/^line "one"\u00e9 y+$/);
  });

  it.each([10, 300_000])('passes over what went with the first input, also output of %i characters', async (length) => {
    const { store } = makeStore();
    const output = `[attached output of \`ls\`, exit code 0]\n${'y'.repeat(length)}`;
    const block = (text: string): string => JSON.stringify({ type: 'text', text });
    const lines = conversation('/a', 1, 'why?');
    put(store, 'shell', lines.replace(block('why?'), `${block(output)},${block('why?')}`));
    expect((await store.list()).sessions[0]!.firstWords).toBe(length < 1000 ? 'why?' : '');
  });

  it('skips with a note what is no session, and reads neither big files nor many of them whole', async () => {
    const { store, folders } = makeStore();
    for (let i = 0; i < 2000; i += 1)
      put(store, `session-${String(i).padStart(4, '0')}`, conversation(i % 2 ? '/a' : '/b', 3), i);
    const big = new Journaling().start('/a').turn(1).records;
    put(store, 'big', linesOf(big));
    const file = openSync(store.path('big'), 'a');
    const filler = new Journaling();
    filler.records.push(...big);
    for (let turn = 2; turn <= 500; turn += 1) filler.turn(turn, 'q', 'x'.repeat(50_000));
    for (const record of filler.records.slice(big.length)) writeSync(file, `${encodeRecord(record)}\n`);
    closeSync(file);
    const huge = new Journaling()
      .start('/a')
      .turn(1)
      .turn(2, 'q', 'x'.repeat(20e6))
      .event({ type: 'LoopIdle', loopId: 'loop' });
    put(store, 'huge', linesOf(huge.records));
    put(store, 'empty', '');
    put(store, 'torn', '{"seq":1,"ev');
    put(store, 'alien', '{"hello":"world"}\n');
    mkdirSync(join(folders.sessions, 'folder.jsonl'));
    execFileSync('mkfifo', [join(folders.sessions, 'pipe.jsonl')]);
    writeFileSync(join(folders.sessions, '.hidden.jsonl'), 'x');
    const from = performance.now();
    const { sessions, skipped } = await store.list();
    const took = performance.now() - from;
    expect(sessions).toHaveLength(2002);
    expect(sessions.find(({ id }) => id === 'big')).toMatchObject({ turns: 500 });
    expect(sessions.find(({ id }) => id === 'huge')).toMatchObject({ turns: 2 });
    expect(skipped).toEqual([
      { file: '.hidden.jsonl', why: 'has no name of a session' },
      { file: 'alien.jsonl', why: 'does not begin with a session' },
      { file: 'empty.jsonl', why: 'is empty' },
      { file: 'folder.jsonl', why: 'is no file' },
      { file: 'pipe.jsonl', why: 'is no file' },
      { file: 'torn.jsonl', why: 'does not begin with a session' },
    ]);
    expect(took).toBeLessThan(2000);
  });
});

describe('finding', () => {
  it('the session last written in a folder', async () => {
    const { store } = makeStore();
    expect(await store.latestFor('/a')).toBeUndefined();
    put(store, 'a1', conversation('/a', 1), 1);
    put(store, 'a2', conversation('/a', 1), 3);
    put(store, 'b1', conversation('/b', 1), 4);
    put(store, 'x', '', 5);
    mkdirSync(join(store.folders.sessions, 'd.jsonl'));
    expect(await store.latestFor('/a')).toBe('a2');
    expect(await store.latestFor('/b')).toBe('b1');
    expect(await store.latestFor('/c')).toBeUndefined();
  });

  it('by id, by a beginning that is one session\u2019s alone', async () => {
    const { store } = makeStore();
    for (const id of ['019a-1', '019a-12', '019b-1']) put(store, id, '');
    expect(await store.resolve('019a-1')).toBe('019a-1');
    expect(await store.resolve('019b')).toBe('019b-1');
    await expect(store.resolve('019a')).rejects.toThrow(/2 sessions begin with "019a"/);
    for (const none of ['zzz', '', '../019b-1', '019b-1/', '*', '\u001b[31m']) {
      await expect(store.resolve(none)).rejects.toBeInstanceOf(UnknownSessionError);
    }
    await expect(store.resolve('\u001b[31m')).rejects.toThrow(/"\\u001b\[31m"/);
  });
});

describe('a session', () => {
  const records = new Journaling().start('/a').turn(1).records;

  it('is held by whoever has it open, and let go when it is closed', async () => {
    const { store, folders } = makeStore();
    const journal = await store.create('s');
    await journal.append(records.slice(0, 2));
    await expect(store.open('s')).rejects.toBeInstanceOf(SessionInUseError);
    await expect(store.create('s')).rejects.toBeInstanceOf(SessionInUseError);
    await expect(store.remove('s')).rejects.toThrow(`in use by process ${process.pid}`);
    await journal.close();
    expect(readdirSync(folders.sessions)).toEqual(['s.jsonl']);
    const again = await store.open('s');
    expect(again.tail.lastSeq).toBe(2);
    await again.append(records.slice(2));
    expect(await all(again.read())).toEqual(records);
    await again.close();
  });

  it('that is not there, there already or empty is refused, and not held then', async () => {
    const { store, folders } = makeStore();
    await expect(store.open('s')).rejects.toThrow(/it is not there/);
    put(store, 's', '{"seq":1,"ev');
    await expect(store.open('s')).rejects.toThrow(/Session s is empty/);
    await expect(store.create('s')).rejects.toThrow(/there already/);
    expect(readdirSync(folders.sessions)).toEqual(['s.jsonl']);
    expect(readFileSync(store.path('s'), 'utf8')).toBe('{"seq":1,"ev');
  });

  it('goes with all that stands beside it', async () => {
    const { store, folders } = makeStore();
    const journal = await store.create('s');
    await journal.append(
      [...records, ...new Journaling().event({ type: 'SessionRenamed', name: 'n' }).records].map((record, i) => ({
        ...record,
        seq: i + 1,
      })),
    );
    await journal.close();
    expect(statSync(join(folders.sessions, 's.name')).mode & 0o777).toBe(0o600);
    put(store, 's2', conversation('/a', 1));
    for (const folder of [folders.drafts, join(folders.outputs, 's')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folders.drafts, 's.json'), '{}');
    writeFileSync(join(folders.outputs, 's', 'x'), 'x');
    await store.remove('s');
    expect(readdirSync(folders.sessions)).toEqual(['s2.jsonl']);
    expect(existsSync(join(folders.drafts, 's.json'))).toBe(false);
    expect(existsSync(join(folders.outputs, 's'))).toBe(false);
  });

  it('of 100,000 records is read in under 2 s', async () => {
    const { store } = makeStore();
    const long = new Journaling().start('/a');
    while (long.records.length < 100_000) long.turn(long.records.length, user('q').blocks[0]!.text);
    put(store, 'long', linesOf(long.records.slice(0, 100_000)));
    const journal = await store.open('long');
    const from = performance.now();
    let count = 0;
    for await (const { seq } of journal.read()) count = seq;
    const took = performance.now() - from;
    await journal.close();
    expect(count).toBe(100_000);
    expect(took).toBeLessThan(2000);
  });
});
