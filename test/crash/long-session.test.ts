/**
 * A conversation that grows far beyond its server's window goes on without a person's help, also over a kill in the
 * middle of a compaction (contract: HistoryCompacted; never wedged by its own length). HARNESS_CHAT_TEST_LONG_TURNS
 * sets how many turns; default 40.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Chat, type Kit, openWorld, type SeenRequest, sessionOf, type World, withKit } from '../support/kit.ts';

const TURNS = Number(process.env.HARNESS_CHAT_TEST_LONG_TURNS ?? 40);
const WINDOW_CHARS = 20_000;

const isSummary = ({ messages }: SeenRequest['body']): boolean =>
  JSON.stringify(messages.at(-1)).includes('Condense the conversation');
const sizeOf = ({ messages }: SeenRequest['body']): number => JSON.stringify(messages).length;

/** Refuses what is too long; reads the big file once a turn, then answers; condenses when it is asked to. */
function serve(kit: Kit, world: World, holdSummary: () => boolean = () => false): void {
  world.model.answerBy((body) => {
    if (sizeOf(body) > WINDOW_CHARS) {
      return [
        kit.httpReply(400, {
          error: { message: 'too many tokens', type: 'invalid_request_error', code: 'context_length_exceeded' },
        }),
      ];
    }
    if (isSummary(body))
      return holdSummary()
        ? [kit.hold('summary'), ...kit.say('They went on reading.')]
        : kit.say('They went on reading.');
    const asked = body.messages.at(-1)?.role === 'user';
    return asked ? kit.call('read_file', { path: 'big.txt' }) : kit.say('I read it.');
  });
}

async function turns(chat: Chat, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const from = chat.deliveries.length;
    chat.submit(`read it again, ${n}`);
    const end = await chat.untilTerminal(from, { ms: 20_000 });
    expect([n, end.type, end.err?.message]).toEqual([n, 'TurnDone', undefined]);
    await chat.until('SessionIdle', { from, ms: 20_000 });
  }
}

withKit('a session longer than its window', (kit) => {
  test('goes on turn after turn, and no request that was answered was too long', {
    timeout: 60_000 + TURNS * 1000,
  }, async () => {
    const world = await openWorld(kit);
    writeFileSync(join(world.sandbox.workspace, 'big.txt'), `${'some words in a line\n'.repeat(300)}`);
    serve(kit, world);
    const chat = world.chat();
    await turns(chat, TURNS);
    expect(chat.events('HistoryCompacted').length).toBeGreaterThan(0);
    const refused = world.model.requests.filter(({ body }) => sizeOf(body) > WINDOW_CHARS);
    expect(refused.length).toBeLessThan(TURNS / 4);
    const sessionId = sessionOf(chat);
    await chat.close();
    expect((await world.run(['audit', sessionId])).code).toBe(0);
  });

  test('is killed in the middle of a compaction: the next request says what the last one before it would have', {
    timeout: 60_000,
  }, async () => {
    const world = await openWorld(kit);
    writeFileSync(join(world.sandbox.workspace, 'big.txt'), `${'some words in a line\n'.repeat(300)}`);
    let held = true;
    serve(kit, world, () => held);
    const chat = world.chat();
    for (let n = 0; ; n += 1) {
      const from = chat.deliveries.length;
      chat.submit(`read it again, ${n}`);
      await chat.untilTerminal(from);
      if (world.model.requests.some(({ body }) => isSummary(body) && sizeOf(body) <= WINDOW_CHARS)) break;
    }
    await world.model.reached('summary');
    const kept = chat.submit('typed meanwhile');
    await chat.untilReply(kept, 'InputQueued');
    const before = await historyOf(world, sessionOf(chat));
    await chat.kill('SIGKILL');
    held = false;
    const again = world.chat({ args: ['--resume', sessionOf(chat)] });
    await again.untilReply(kept, 'InputQueued');
    again.send({ type: 'ResumeQueue', agency: 'user' });
    await again.untilReply(kept, 'TurnStarted', { ms: 20_000 });
    await again.until('SessionIdle', { ms: 20_000 });
    expect(again.events('TurnFailed')).toEqual([]);
    expect((await historyOf(world, sessionOf(chat))).slice(0, before.length)).toEqual(before);
    await again.close();
    expect(await world.run(['audit', sessionOf(chat)])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sound/),
    });
  });
});

/** What was committed, as the session's own export tells it. */
async function historyOf(world: World, sessionId: string): Promise<string[]> {
  const { stdout } = await world.run(['sessions', 'show', sessionId, '--json']);
  const kinds = new Set(['TurnStarted', 'TurnFoldedInto', 'StepDone']);
  return stdout.split('\n').filter((line) => [...kinds].some((kind) => line.includes(`"${kind}"`)));
}
