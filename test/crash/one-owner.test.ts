/** One process owns a session, and nobody else can read what is kept (contract: Durability, Files; settings). */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Chat, openWorld, sessionOf, type World, withKit } from '../support/kit.ts';
import { readLedger, resolutions } from './ledger.ts';

const locksOf = (world: World): string[] =>
  readdirSync(world.sessions).filter((name) => !name.endsWith('.jsonl') && !name.endsWith('.name'));

/** A session with one Turn, whose process is killed. */
async function leftBehind(world: World): Promise<string> {
  const chat = world.chat();
  chat.submit('hello');
  await chat.until('SessionIdle');
  await chat.kill('SIGKILL');
  return sessionOf(chat);
}

/** Resolves when the process owns the session, or has ended without. */
const settled = (chat: Chat): Promise<boolean> =>
  Promise.race([chat.until('RestoreDone').then(() => true), chat.exited.then(() => false)]).catch(() => false);

withKit('one owner', (kit) => {
  test('a second process is told which one has the session, whatever way it comes; the first goes on', async () => {
    const world = await openWorld(kit);
    const chat = world.chat();
    chat.submit('hello');
    await chat.until('SessionIdle');
    const sessionId = sessionOf(chat);
    const before = readFileSync(world.journal(sessionId), 'utf8');
    for (const args of [
      ['stdio', '--resume', sessionId],
      ['stdio', '--continue'],
      ['exec', '--resume', sessionId, 'hello'],
    ]) {
      const second = await world.run(args);
      expect([args[1], second.code, second.stdout]).toEqual([args[1], 1, '']);
      expect(second.stderr).toMatch(new RegExp(`^harness-chat: [^\\n]*in use by process ${chat.child.pid}[^\\n]*\\n$`));
    }
    expect(readFileSync(world.journal(sessionId), 'utf8')).toBe(before);
    chat.submit('still mine');
    await chat.until(({ type, turn_index }) => type === 'TurnDone' && turn_index === 2);
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(locksOf(world)).toEqual([]);
  });

  test('of many that come at once behind a killed one, exactly one gets the session', async () => {
    const world = await openWorld(kit);
    const sessionId = await leftBehind(world);
    expect(locksOf(world)).not.toEqual([]);
    const chats = Array.from({ length: 6 }, () => world.chat({ args: ['--resume', sessionId] }));
    const owners = await Promise.all(chats.map(settled));
    expect(owners.filter(Boolean)).toHaveLength(1);
    const owner = chats[owners.indexOf(true)] as Chat;
    for (const chat of chats) {
      if (chat === owner) continue;
      expect(await chat.exited).toEqual({ code: 1, signal: null });
      expect(chat.stderr).toMatch(/in use by process \d+/);
    }
    owner.submit('mine');
    await owner.until('TurnDone');
    await owner.close();
    expect(locksOf(world)).toEqual([]);
    const { records } = readLedger(world.journal(sessionId));
    expect(records.filter(({ event }) => event?.type === 'RestoreStarted')).toHaveLength(1);
    expect(await world.run(['audit', sessionId])).toMatchObject({ code: 0, stderr: '' });
  });

  test('a lock of a process whose id was given away again, or that is no lock at all, is nobody’s', async () => {
    const world = await openWorld(kit);
    const sessionId = await leftBehind(world);
    const lock = join(world.sessions, `${sessionId}.lock`);
    const holder = JSON.parse(readFileSync(lock, 'utf8'));
    const reused = { ...holder, pid: process.pid };
    for (const content of [JSON.stringify(reused), '', '{"pid":', JSON.stringify({ ...holder, boot: 'another' })]) {
      writeFileSync(lock, content);
      const chat = world.chat({ args: ['--resume', sessionId] });
      expect([content, await settled(chat), chat.stderr]).toEqual([content, true, '']);
      await chat.close();
    }
  });

  test('a resume, a list and an audit while the session is written: whole records only', async () => {
    const world = await openWorld(kit);
    const chat = world.chat();
    await chat.until('LoopStarted');
    const ids = Array.from({ length: 40 }, (_, i) => chat.submit(`input ${i}`, { no_fold: true }));
    const audits = await Promise.all(Array.from({ length: 4 }, () => world.run(['audit', sessionOf(chat)])));
    expect(audits.map(({ code, stdout }) => [code, /torn/.test(stdout)])).toEqual(audits.map(() => [0, false]));
    await chat.close();
    const found = resolutions(readLedger(world.journal(sessionOf(chat))).records);
    expect(ids.map((id) => found.get(id))).toEqual(ids.map(() => ['TurnStarted']));
  });
});

withKit('the home', (kit) => {
  test('reached by links is the same home: made through them, locked through them, gone on with', async () => {
    const world = await openWorld(kit);
    const { home, root } = world.sandbox;
    const real = join(root, 'elsewhere');
    mkdirSync(join(real, 'journals'), { recursive: true });
    symlinkSync(real, join(home, 'link'));
    symlinkSync('journals', join(real, 'sessions'));
    const byLink = { HARNESS_CHAT_HOME: join(home, 'link') };
    const byPath = { HARNESS_CHAT_HOME: real };
    const chat = world.chat({ env: byLink });
    chat.submit('hello');
    await chat.until('SessionIdle');
    const sessionId = sessionOf(chat);
    expect(existsSync(join(real, 'journals', `${sessionId}.jsonl`))).toBe(true);
    const second = await world.run(['stdio', '--resume', sessionId], { env: byPath });
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/in use/)]);
    await chat.kill('SIGKILL');
    const again = world.chat({ args: ['--resume', sessionId], env: byPath });
    await again.until('RestoreDone');
    await again.close();
    expect(await world.run(['audit', sessionId], { env: byLink })).toMatchObject({ code: 0, stderr: '' });
  });

  test('moved to another folder goes with its sessions', async () => {
    const world = await openWorld(kit);
    const sessionId = await leftBehind(world);
    const moved = join(world.sandbox.root, 'moved');
    renameSync(join(world.sandbox.home, 'harness-chat'), moved);
    const env = { HARNESS_CHAT_HOME: moved };
    const chat = world.chat({ args: ['--resume', sessionId], env });
    await chat.until('RestoreDone');
    await chat.close();
    expect(await world.run(['audit', sessionId], { env })).toMatchObject({ code: 0 });
  });

  test('with umask 000, in looser folders that were there, everything is 0600 and 0700', async () => {
    const world = await openWorld(kit);
    const root = join(world.sandbox.home, 'harness-chat');
    mkdirSync(world.sessions, { recursive: true });
    for (const folder of [root, world.sessions]) chmodSync(folder, 0o755);
    writeFileSync(join(root, 'config.json'), '{"maxSteps":5}', { mode: 0o644 });
    const old = process.umask(0);
    try {
      const long = { command: 'seq 1 200000' };
      world.model.answerBy(({ messages }) =>
        messages.at(-1)?.role === 'user' ? world.call('shell', long) : world.say('done'),
      );
      const chat = world.chat({ args: ['--debug', join(root, 'debug.log')] });
      chat.submit('hello');
      chat.send({ type: 'RenameSession', agency: 'user', name: 'mine' });
      await chat.until('SessionIdle');
      const held = looseIn(root);
      expect(held.seen).toEqual(
        expect.arrayContaining([expect.stringMatching(/\.lock$/), expect.stringMatching(/\.jsonl$/)]),
      );
      expect(held.loose).toEqual([]);
      await chat.kill('SIGKILL');
      const again = world.chat({ args: ['--resume', sessionOf(chat)] });
      await again.until('RestoreDone');
      expect(looseIn(root).loose).toEqual([]);
      await again.close();
      await world.run(['config', 'set', 'theme', 'dark']);
      expect(looseIn(root).loose).toEqual([]);
    } finally {
      process.umask(old);
    }
  });
});

/** What others could read of a folder, and all that there is. */
function looseIn(folder: string): { loose: string[]; seen: string[] } {
  const seen = ['.', ...(readdirSync(folder, { recursive: true }) as string[])];
  const loose = seen.flatMap((name) => {
    const stats = statSync(join(folder, name));
    const mode = stats.mode & 0o777;
    return mode === (stats.isDirectory() ? 0o700 : 0o600) ? [] : [`${mode.toString(8)} ${name}`];
  });
  return { loose, seen };
}
