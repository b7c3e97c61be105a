/**
 * Leaving with work under way: SIGTERM, SIGHUP, a reader that is gone (contract: Command line, Shutdown). The journal is
 * complete, what was started is gone, and it takes less than 5 s.
 */
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Chat, type Exit, openWorld, sessionOf, type World, withKit } from '../support/kit.ts';
import { inputsOf, readLedger, resolutions } from './ledger.ts';

const LIMIT_MS = 5_000;

/**
 * A shell whose children do not go by themselves: one deaf to SIGTERM, one in a session of its own, and a child's child.
 * Leaves the pids of all in `family`, complete as soon as that file is there.
 */
const HOUSEHOLD = `
(trap '' TERM HUP; echo $BASHPID >> pids; sleep 301 & echo $! >> pids; wait; wait) &
setsid sh -c 'echo $$ >> pids; exec sleep 302' &
(sleep 303 & echo $! >> pids; exec sleep 304) & echo $! >> pids
until [ "$(wc -l < pids 2>/dev/null)" = 5 ]; do sleep 0.05; done
mv pids family
wait`;

const states = {
  'while an answer streams': async (world: World, chat: Chat) => {
    const { text, hold } = world.kit;
    world.model.answerBy(() => [
      text('one two three'),
      hold('open'),
      ...Array.from({ length: 2000 }, () => text('more ', { delayMs: 5 })),
    ]);
    chat.submit('talk');
    await chat.until('TokenDelta');
    await world.model.reached('open');
    world.model.release('open');
  },
  'while a shell runs with children of its own': async (world: World, chat: Chat) => {
    world.model.answerBy(() => world.call('shell', { command: HOUSEHOLD }));
    chat.submit('run');
    await appears(join(world.sandbox.workspace, 'family'));
  },
  'while a gate is open': async (world: World, chat: Chat) => {
    world.model.answerBy(() => world.call('ask_user', { question: 'Which?', choices: ['a', 'b'] }));
    chat.submit('ask');
    await chat.until('UserInputRequested');
  },
};

const ends: Record<string, { code: number; leave(chat: Chat): void }> = {
  SIGTERM: { code: 143, leave: (chat) => void chat.child.kill('SIGTERM') },
  SIGHUP: { code: 129, leave: (chat) => void chat.child.kill('SIGHUP') },
  'a reader that is gone': {
    code: 141,
    leave(chat) {
      chat.child.stdout?.destroy();
      // it is noticed at the next line
      chat.send({ type: 'RenameSession', agency: 'user', name: 'nobody reads this' });
    },
  },
};

withKit('leaving', (kit) => {
  for (const [end, { code, leave }] of Object.entries(ends)) {
    for (const [state, enter] of Object.entries(states)) {
      test.concurrent(`${end} ${state}`, async ({ onTestFinished }) => {
        const world = await openWorld(kit, onTestFinished);
        const chat = world.chat();
        await enter(world, chat);
        const queued = chat.submit('do not lose me');
        await chat.untilReply(queued, 'InputQueued');
        expect(livingFamily(world)).toHaveLength(state.includes('shell') ? 5 : 0);
        const began = performance.now();
        leave(chat);
        expect(await goneWithin(chat)).toEqual({ code, signal: null });
        expect(performance.now() - began).toBeLessThan(LIMIT_MS);
        expect(livingFamily(world)).toEqual([]);
        await isComplete(world, sessionOf(chat), queued);
      });
    }
  }

  test('exec answers SIGTERM the same way', async ({ onTestFinished }) => {
    const world = await openWorld(kit, onTestFinished);
    world.model.answerBy(() => [kit.text('some words'), kit.hold('for ever')]);
    const run = await world.run(['exec', '--json', 'hello'], {
      during: async (child) => {
        await world.model.reached('for ever');
        child.kill('SIGTERM');
      },
    });
    expect(run.code).toBe(143);
    const first = JSON.parse(run.stdout.slice(0, run.stdout.indexOf('\n')));
    await isComplete(world, first.event.session_id);
  });
});

async function goneWithin(chat: Chat): Promise<Exit> {
  const late = setTimeout(() => chat.child.kill('SIGKILL'), 3 * LIMIT_MS);
  const exit = await chat.exited;
  clearTimeout(late);
  return exit;
}

/** The file ends with SessionStopped, its Turn is interrupted, its queue returned, and the next restore is clean. */
async function isComplete(world: World, sessionId: string, queued?: string): Promise<void> {
  const { records, torn } = readLedger(world.journal(sessionId));
  expect(torn).toBe('');
  expect(records.at(-1)?.event?.type).toBe('SessionStopped');
  expect(records.filter(({ event }) => event?.type === 'TurnInterrupted')).toHaveLength(1);
  const found = resolutions(records);
  for (const { command_id } of inputsOf(records)) expect(found.get(command_id)).toHaveLength(1);
  if (queued) expect(found.get(queued)).toEqual(['InputCancelled']);
  expect(await world.run(['audit', sessionId])).toMatchObject({ code: 0, stderr: '' });
  const again = world.chat({ args: ['--resume', sessionId] });
  await again.until('RestoreDone');
  expect(await again.close()).toEqual({ code: 0, signal: null });
  expect(again.events('TurnStarted')).toEqual([]);
}

/** Resolves when a file of that name is there. */
function appears(path: string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(join(path, '..'), done);
    done();
  });
}

/** Those of the household that live: a zombie that nobody has asked after does not. */
function livingFamily({ sandbox }: World): number[] {
  const path = join(sandbox.workspace, 'family');
  if (!existsSync(path)) return [];
  const pids = readFileSync(path, 'utf8').trim().split('\n').map(Number);
  expect(pids).toHaveLength(5);
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
    try {
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return process.platform !== 'linux';
    }
  });
}
