import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalError } from '../../../src/domain/failure.ts';
import { openFileJournal } from '../../../src/edge/journal/file-journal.ts';
import { encodeRecord } from '../../../src/edge/wire/record-codec.ts';
import { journalConformance } from './conformance.ts';
import { FaultyFiles, type Operation } from './faulty-files.ts';
import { all, makeFolder, soundRecords } from './records.ts';

journalConformance('the file journal', async () => {
  const path = join(makeFolder(), 'sessions', 's.jsonl');
  const files = new FaultyFiles();
  const journal = await openFileJournal({ path, create: true, files });
  return {
    journal,
    failNext(n = Number.POSITIVE_INFINITY) {
      let left = n;
      files.fault = (operation) => (operation === 'write' && left-- > 0 ? { code: 'ENOSPC' } : undefined);
    },
    reopen: () => openFileJournal({ path }),
  };
});

const textOf = (records: readonly Parameters<typeof encodeRecord>[0][]) =>
  records.map((record) => `${encodeRecord(record)}\n`).join('');

async function faulty() {
  const path = join(makeFolder(), 's.jsonl');
  const files = new FaultyFiles();
  const journal = await openFileJournal({ path, create: true, files });
  const records = soundRecords(12);
  await journal.append(records.slice(0, 4));
  files.calls.length = 0;
  return { path, files, journal, records, before: textOf(records.slice(0, 4)) };
}

describe('faults of the disk', () => {
  it.each<[string, Operation, string]>([
    ['a full disk', 'write', 'ENOSPC'],
    ['a write that breaks', 'write', 'EIO'],
    ['a flush that breaks', 'datasync', 'EIO'],
    ['a limit of size', 'write', 'EFBIG'],
  ])('%s: the group is cut off again, and the next append is whole', async (_, operation, code) => {
    const { path, files, journal, records, before } = await faulty();
    files.fault = (each, nth) => (each === operation && nth === 1 ? { code } : undefined);
    await expect(journal.append(records.slice(4, 8))).rejects.toMatchObject({
      kind: 'journal',
      message: expect.stringMatching(/could not be saved/),
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
    await journal.append(records.slice(4));
    expect(readFileSync(path, 'utf8')).toBe(textOf(records));
    await journal.close();
  });

  it('short writes are gone on with', async () => {
    const { path, files, journal, records } = await faulty();
    files.fault = (operation, nth) => (operation === 'write' && nth < 30 ? { short: 7 } : undefined);
    await journal.append(records.slice(4));
    expect(files.calls.filter((call) => call === 'write').length).toBeGreaterThan(20);
    expect(files.calls.filter((call) => call === 'datasync')).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(textOf(records));
    await journal.close();
  });

  it('a write that takes nothing fails instead of turning for ever', async () => {
    const { files, journal, records } = await faulty();
    files.fault = (operation) => (operation === 'write' ? { short: 0 } : undefined);
    await expect(journal.append(records.slice(4))).rejects.toThrow(JournalError);
    await journal.close();
  });

  it('a short write and then a full disk leave nothing', async () => {
    const { path, files, journal, records, before } = await faulty();
    files.fault = (operation, nth) =>
      operation !== 'write' ? undefined : nth === 1 ? { short: 100 } : { code: 'ENOSPC' };
    await expect(journal.append(records.slice(4))).rejects.toThrow(/disk is full/);
    expect(readFileSync(path, 'utf8')).toBe(before);
    await journal.close();
  });

  it.each<[Operation]>([['truncate'], ['stat'], ['datasync']])(
    'where %s fails in cutting back, everything later is refused',
    async (operation) => {
      const { path, files, journal, records } = await faulty();
      files.fault = (each) => (each === 'write' || each === operation ? { code: 'EIO' } : undefined);
      await expect(journal.append(records.slice(4))).rejects.toThrow(JournalError);
      files.fault = () => undefined;
      const left = readFileSync(path);
      for (const _ of [1, 2]) await expect(journal.append(records.slice(4))).rejects.toThrow(/nor cut back/);
      expect(readFileSync(path)).toEqual(left);
      expect(await all(journal.read())).toEqual(records.slice(0, 4));
      await journal.close();
    },
  );

  it('says which file cannot be made', async () => {
    const path = join(makeFolder(), 's.jsonl');
    for (const operation of ['open', 'syncFolder'] as const) {
      const files = new FaultyFiles();
      files.fault = (each) => (each === operation ? { code: 'EROFS' } : undefined);
      await expect(openFileJournal({ path: `${path}.${operation}`, create: true, files })).rejects.toThrow(
        /Cannot create the journal .*s\.jsonl.*read-only/,
      );
    }
    await expect(openFileJournal({ path })).rejects.toThrow(/Cannot open .* it is not there/);
    writeFileSync(path, '');
    await expect(openFileJournal({ path, create: true })).rejects.toThrow(/there already/);
  });
});

describe('a real disk that is full', () => {
  const mounted = (): string | undefined => {
    const folder = makeFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    onTestFinished(() => void execFileSync('umount', [folder]));
    return folder;
  };

  it('ends in a whole file, and goes on when there is room again', async (context) => {
    const folder = mounted();
    if (!folder) return context.skip('no tmpfs can be mounted here');
    const path = join(folder, 's.jsonl');
    const ballast = join(folder, 'ballast');
    const journal = await openFileJournal({ path, create: true });
    const records = soundRecords(400);
    writeFileSync(ballast, Buffer.alloc(30_000));
    let written = 0;
    const failure = await (async () => {
      for (; written < 400; written += 4) await journal.append(records.slice(written, written + 4));
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'journal',
      message: 'The conversation could not be saved: the disk is full.',
    });
    expect(readFileSync(path, 'utf8')).toBe(textOf(records.slice(0, written)));
    writeFileSync(ballast, '');
    await journal.append(records.slice(written, written + 4));
    expect(readFileSync(path, 'utf8')).toBe(textOf(records.slice(0, written + 4)));
    await journal.close();
  });
});

describe('an existing file', () => {
  const records = soundRecords(9);
  const whole = textOf(records.slice(0, 8));
  const lastLine = encodeRecord(records[7]!);

  it('is cut at every byte of its last record, read without it, and whole after the next append', async () => {
    const folder = makeFolder();
    const start = Buffer.byteLength(textOf(records.slice(0, 7)));
    for (const newline of ['', '\n']) {
      for (let cut = 0; cut <= Buffer.byteLength(lastLine); cut += 1) {
        const path = join(folder, `${cut}${newline ? 'n' : ''}.jsonl`);
        const content = Buffer.from(whole).subarray(0, start + cut) + newline;
        writeFileSync(path, content);
        const journal = await openFileJournal({ path });
        const kept = cut === Buffer.byteLength(lastLine) ? 8 : 7;
        expect(await all(journal.read())).toEqual(records.slice(0, kept));
        expect(journal.tail.torn).toBe(kept === 8 ? 0 : Buffer.byteLength(content) - start);
        expect(readFileSync(path, 'utf8')).toBe(content);
        await journal.append(kept === 8 ? [records[8]!] : records.slice(7));
        await journal.close();
        expect(readFileSync(path, 'utf8')).toBe(textOf(records));
      }
    }
  });

  it.each([
    ['NUL bytes', Buffer.alloc(400)],
    ['half a line and NUL bytes', Buffer.concat([Buffer.from(lastLine.slice(0, 30)), Buffer.alloc(100)])],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['an empty line', Buffer.from('\n')],
  ])('whose tail is %s loses that tail', async (_, tail) => {
    const path = join(makeFolder(), 's.jsonl');
    writeFileSync(path, whole);
    appendFileSync(path, tail);
    const journal = await openFileJournal({ path });
    expect(journal.tail).toMatchObject({ torn: tail.length, lastSeq: 8 });
    await journal.append([records[8]!]);
    await journal.close();
    expect(readFileSync(path, 'utf8')).toBe(textOf(records));
  });

  it('is cut back to its records where the mending succeeds and the append fails', async () => {
    const path = join(makeFolder(), 's.jsonl');
    for (const tail of ['{"seq":9', '']) {
      writeFileSync(path, whole.slice(0, -1) + (tail ? `\n${tail}` : ''));
      const files = new FaultyFiles();
      const journal = await openFileJournal({ path, files });
      files.fault = (operation, nth) =>
        operation === 'write' && nth === (tail ? 1 : 2) ? { code: 'ENOSPC' } : undefined;
      await expect(journal.append([records[8]!])).rejects.toThrow(JournalError);
      expect(readFileSync(path, 'utf8')).toBe(whole);
      await journal.append([records[8]!]);
      await journal.close();
      expect(readFileSync(path, 'utf8')).toBe(textOf(records));
    }
  });

  it('without a whole record is empty, and begins anew', async () => {
    const path = join(makeFolder(), 's.jsonl');
    for (const content of ['', '{"seq":1,"ev', '\0\0\0']) {
      writeFileSync(path, content);
      const journal = await openFileJournal({ path });
      expect(journal.tail).toMatchObject({ end: 0, lastSeq: 0, torn: content.length });
      expect(await all(journal.read())).toEqual([]);
      await journal.append(records);
      await journal.close();
      expect(readFileSync(path, 'utf8')).toBe(textOf(records));
    }
  });
});

describe('permissions', () => {
  it('a new file is 0600 and its folder 0700, whatever the umask; looser ones are tightened', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const home = makeFolder();
    const loose = join(home, 'loose');
    mkdirSync(loose, { mode: 0o755 });
    for (const folder of [join(home, 'new', 'sessions'), loose]) {
      const path = join(folder, 's.jsonl');
      const journal = await openFileJournal({ path, create: true });
      await journal.append(soundRecords(1));
      await journal.close();
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      chmodSync(path, 0o644);
      await (await openFileJournal({ path })).close();
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(home, 'new')).mode & 0o777).toBe(0o700);
  });

  it('a home that is a link works', async () => {
    const home = makeFolder();
    mkdirSync(join(home, 'real'));
    symlinkSync('real', join(home, 'link'));
    const journal = await openFileJournal({ path: join(home, 'link', 'sessions', 's.jsonl'), create: true });
    await journal.append(soundRecords(2));
    await journal.close();
    expect(readFileSync(join(home, 'real', 'sessions', 's.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  });
});
