/**
 * A journal that takes no more (contract: Subscriptions, a failed append): what is said, what is kept, and that the file
 * is whole and goes on when there is space again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Chat, openWorld, sessionOf, type World, withKit } from '../support/kit.ts';
import { readLedger, resolutions, type WireRecord } from './ledger.ts';
import { leaveRoom, limitFiles, makeSmallDisk, noLimits, type SmallDisk } from './small-disk.ts';

const LONG = 'a long answer '.repeat(2000);
/** Enough for a few events, not for a long answer. */
const SOME_ROOM = 3000;

/** A Turn that waits with its answer, another input behind it, and the journal's path. */
async function waiting(world: World, env?: Record<string, string>) {
  world.model.answerBy(({ messages }) => {
    const first = messages.filter(({ role }) => role === 'user').length === 1;
    return first ? [world.kit.text('words'), world.kit.hold('full'), ...world.say(LONG)] : world.say('short');
  });
  const chat = world.chat({ env });
  const running = chat.submit('go');
  await world.model.reached('full');
  const queued = chat.submit('queued');
  await chat.untilReply(queued, 'InputQueued');
  return { chat, running, queued, sessionId: sessionOf(chat) };
}

/** The file is whole, it says of each input once what became of it, and a restore goes on with it. */
async function isSound(
  world: World,
  path: string,
  sessionId: string,
  env?: Record<string, string>,
): Promise<WireRecord[]> {
  const before = readLedger(path);
  expect(before.torn).toBe('');
  expect(before.records.map(({ seq }) => seq)).toEqual(before.records.map((_, i) => i + 1));
  const again = world.chat({ args: ['--resume', sessionId], env });
  await again.until('RestoreDone');
  again.submit('go on');
  await again.until('TurnDone');
  expect(await again.close()).toEqual({ code: 0, signal: null });
  expect(again.stderr).toBe('');
  const after = readLedger(path);
  expect(after.whole.startsWith(before.whole)).toBe(true);
  for (const [id, found] of resolutions(after.records)) expect([id, found.length]).toEqual([id, 1]);
  expect(await world.run(['audit', sessionId], { env })).toMatchObject({ code: 0, stderr: '' });
  return before.records;
}

/** The session is faulted: one line says so, later commands are refused by id, nothing more is shown, exit 1. */
async function isFaulted(chat: Chat): Promise<void> {
  const shown = chat.deliveries.filter(({ journal_seq }) => journal_seq > 0).length;
  const later = chat.submit('too late');
  expect(await chat.close()).toEqual({ code: 1, signal: null });
  expect(chat.errors.filter(({ error }) => error?.kind === 'journal')).toHaveLength(1);
  expect(chat.errors.map(({ error }) => error)).toContainEqual(
    expect.objectContaining({ kind: 'session_faulted', command_id: later }),
  );
  expect(chat.deliveries.filter(({ journal_seq }) => journal_seq > 0)).toHaveLength(shown);
}

/** Resolves when that error line is there: it comes with no event, so it is looked for as output comes. */
const errorLine = (chat: Chat, kind: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!chat.errors.some(({ error }) => error?.kind === kind)) return;
      chat.child.stdout?.off('data', look);
      resolve();
    };
    chat.child.stdout?.on('data', look);
    look();
  });

withKit('a file that may not grow', (kit) => {
  const limited = noLimits ? test.skip : test;

  limited(
    'a Step that does not fit is TurnFailed{journal}; the queue is returned; with space again the session goes on',
    async () => {
      const world = await openWorld(kit);
      const { chat, queued, sessionId } = await waiting(world);
      const path = world.journal(sessionId);
      leaveRoom(chat.child, path, SOME_ROOM);
      world.model.release('full');
      const failed = await chat.until('TurnFailed');
      expect(failed.err).toMatchObject({ kind: 'journal', message: expect.stringMatching(/space/) });
      expect(await chat.untilReply(queued, 'InputCancelled')).toMatchObject({
        reason: 'turn_failed',
        turn_id: failed.turn_id,
      });
      await chat.until('SessionIdle');
      expect(chat.events('StepDone')).toEqual([]);
      limitFiles(chat.child);
      chat.submit('again');
      await chat.until('TurnDone');
      expect(await chat.close()).toEqual({ code: 0, signal: null });
      await isSound(world, path, sessionId);
    },
  );

  limited('where not even that fits, the session is faulted and the file is what it was', async () => {
    const world = await openWorld(kit);
    const { chat, sessionId } = await waiting(world);
    const path = world.journal(sessionId);
    const before = readFileSync(path, 'utf8');
    leaveRoom(chat.child, path, 100);
    world.model.release('full');
    await errorLine(chat, 'journal');
    await isFaulted(chat);
    expect(readFileSync(path, 'utf8')).toBe(before);
    await isSound(world, path, sessionId);
  });

  limited('an input that does not fit is TurnRejected{internal}; the next one is taken', async () => {
    const world = await openWorld(kit);
    const { chat, sessionId } = await waiting(world);
    const path = world.journal(sessionId);
    leaveRoom(chat.child, path, SOME_ROOM);
    const refused = chat.submit(LONG);
    expect(await chat.untilReply(refused, 'TurnRejected')).toMatchObject({ reason: 'internal' });
    limitFiles(chat.child);
    world.model.release('full');
    await chat.untilReply(chat.submit('next'), 'InputQueued');
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    const records = await isSound(world, path, sessionId);
    expect(records.filter(({ command }) => command?.command_id === refused)).toEqual([]);
  });

  limited('an input that leaves no room for a word on it is answered session_faulted', async () => {
    const world = await openWorld(kit);
    const { chat, sessionId } = await waiting(world);
    const path = world.journal(sessionId);
    leaveRoom(chat.child, path, 50);
    const lost = chat.submit('lost');
    await errorLine(chat, 'session_faulted');
    expect(chat.errors.map(({ error }) => error)).toContainEqual(
      expect.objectContaining({ kind: 'session_faulted', command_id: lost }),
    );
    await isFaulted(chat);
    await isSound(world, path, sessionId);
  });

  limited('a gate that cannot be saved is not asked, and its call does not run', async () => {
    const world = await openWorld(kit);
    world.model.answerBy(() => [kit.hold('call'), ...world.call('shell', { command: `touch ran # ${LONG}` })]);
    const chat = world.chat({ args: ['--approval', 'ask'] });
    chat.submit('run');
    await world.model.reached('call');
    leaveRoom(chat.child, world.journal(sessionOf(chat)), SOME_ROOM);
    world.model.release('call');
    expect((await chat.until('TurnFailed')).err?.kind).toBe('journal');
    expect(chat.events('PermissionRequested')).toEqual([]);
    expect(() => readFileSync(join(world.sandbox.workspace, 'ran'))).toThrow();
  });

  limited('a stop that cannot be saved still ends with 143, and says that it was not saved', async () => {
    const world = await openWorld(kit);
    const { chat, sessionId } = await waiting(world);
    const path = world.journal(sessionId);
    leaveRoom(chat.child, path, 0);
    const began = performance.now();
    chat.child.kill('SIGTERM');
    expect(await chat.exited).toEqual({ code: 143, signal: null });
    // standard input is still open: nobody waits for its end
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(chat.errors.filter(({ error }) => error?.kind === 'journal')).toHaveLength(1);
    await isSound(world, path, sessionId);
  });

  limited('exec fails with one line', async () => {
    const world = await openWorld(kit);
    world.model.answerBy(() => [kit.text('words'), kit.hold('full'), ...world.say(LONG)]);
    const run = await world.run(['exec', 'hello'], {
      during: async (child) => {
        await world.model.reached('full');
        limitFiles(child, 1500);
        world.model.release('full');
      },
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^harness-chat: .*saved.*\n$/);
  });
});

withKit('a disk that is full', (kit) => {
  const probe = makeSmallDisk(64);
  if (typeof probe !== 'string') probe.remove();
  const mounted = typeof probe === 'string' ? test.skip : test;

  async function onDisk(
    kilobytes: number,
  ): Promise<{ world: World; disk: SmallDisk; env: Record<string, string>; path: (id: string) => string }> {
    const world = await openWorld(kit);
    const disk = makeSmallDisk(kilobytes) as SmallDisk;
    const close = world.close;
    world.close = async () => {
      await close();
      disk.remove();
    };
    return {
      world,
      disk,
      env: { HARNESS_CHAT_HOME: disk.path },
      path: (id) => join(disk.path, 'sessions', `${id}.jsonl`),
    };
  }

  mounted('filled in a Turn and freed again', async () => {
    const { world, disk, env, path } = await onDisk(512);
    const { chat, sessionId } = await waiting(world, env);
    disk.fill();
    world.model.release('full');
    await Promise.race([chat.until('TurnFailed'), errorLine(chat, 'journal')]);
    expect(chat.events('StepDone')).toEqual([]);
    disk.free();
    const { code } = await chat.close();
    expect(code).toBe(chat.events('TurnFailed').length > 0 ? 0 : 1);
    await isSound(world, path(sessionId), sessionId, env);
  });

  mounted('a new session on it, and one to go on with: one line, exit 1, and nothing is changed', async () => {
    const { world, disk, env, path } = await onDisk(512);
    const chat = world.chat({ env });
    chat.submit('hello');
    await chat.until('TurnDone');
    await chat.close();
    const sessionId = sessionOf(chat);
    const before = readFileSync(path(sessionId), 'utf8');
    // the last block of the file takes nothing more either
    disk.fill();
    const anew = await world.run(['stdio'], { env });
    expect([anew.code, anew.stdout]).toEqual([1, '']);
    expect(anew.stderr).toMatch(/^harness-chat: (?!an internal error)[^\n]*the disk is full[^\n]*\n$/);
    const again = await world.run(['stdio', '--resume', sessionId], { env });
    expect(again.code).toBe(1);
    expect(again.stdout + again.stderr).toMatch(/the disk is full/);
    expect(again.stderr).not.toMatch(/internal error|\n {4}at /);
    expect(readFileSync(path(sessionId), 'utf8')).toBe(before);
    disk.free();
    await isSound(world, path(sessionId), sessionId, env);
  });

  mounted('a read-only one: reading goes on, writing is refused in one line', async () => {
    const { world, disk, env, path } = await onDisk(512);
    const chat = world.chat({ env });
    chat.submit('hello');
    await chat.until('TurnDone');
    await chat.close();
    const sessionId = sessionOf(chat);
    disk.readOnly(true);
    for (const args of [['stdio'], ['stdio', '--resume', sessionId], ['exec', 'hello']]) {
      const run = await world.run(args, { env });
      expect([args[0], run.code, run.stdout]).toEqual([args[0], 2, '']);
      expect(run.stderr).toMatch(/^harness-chat: (?!an internal error)[^\n]*the disk is read-only[^\n]*\n$/);
    }
    expect(await world.run(['audit', sessionId], { env })).toMatchObject({ code: 0 });
    expect((await world.run(['sessions', 'list'], { env })).stdout).toContain('hello');
    disk.readOnly(false);
    await isSound(world, path(sessionId), sessionId, env);
  });
});
