/** Random commands against a model of many moods; whatever is sent, what a client sees keeps the rules. */
import { describe, expect } from 'vitest';
import { blackBox, type Chat, type Op, script, settled } from './black-box.ts';

const { say, text, thinking, finish, toolCall, usage, wait, httpReply, drop } = script;

/** Park and Miller's generator: the same run for the same seed. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function moods(random: (below: number) => number): Op[] {
  const shell = (command: string) => toolCall('shell', { command });
  const moodsOf: (() => Op[])[] = [
    () => say('short'),
    () => [thinking('hm'), wait(random(20)), text('longer words', { size: 2 }), finish('stop'), usage(3, 4)],
    () => [text('I run'), shell('true'), shell('echo x; exit 1'), finish('tool_calls'), usage(1, 1)],
    () => [
      shell(`sleep 0.0${random(9)}`),
      toolCall('read_file', { path: 'none' }),
      toolCall('no_tool', {}),
      finish('tool_calls'),
    ],
    () => [wait(random(30)), shell('true'), finish('tool_calls')],
    () => [text('half'), drop()],
    () => [finish('stop')],
    () => [text('cut'), finish('length')],
    () => httpReply(400, { error: { message: 'no' } }) as unknown as Op[],
    () => [httpReply(429, { error: { message: 'slow' } }, { 'retry-after-ms': `${random(40)}` })],
  ];
  return moodsOf[random(moodsOf.length)]?.() ?? [];
}

async function act(chat: Chat, random: (below: number) => number, ids: string[], loops: string[]): Promise<void> {
  const any = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const command = (type: string, more: Record<string, unknown>) => chat.send({ type, agency: 'user', ...more });
  const loop_id = random(3) === 0 ? any(loops) : undefined;
  switch (random(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      ids.push(
        chat.submit(`input ${ids.length}`, {
          no_fold: random(3) === 0,
          agency: random(4) === 0 ? 'machine' : 'user',
          loop_id: loop_id ?? loops[0],
        }),
      );
      return;
    case 4:
      return command('Interrupt', { ...(loop_id && { loop_id }) });
    case 5:
    case 6:
      return command('ResumeQueue', { ...(loop_id && { loop_id }) });
    case 7:
      return void (ids.length > 0 && chat.retract(any(ids)));
    case 8:
      return void (
        ids.length > 0 && command('SetQueuedInput', { target_command_id: any(ids), no_fold: random(2) === 0 })
      );
    case 9:
      return command('SetModel', { model: any(['scripted', 'other']), ...(loop_id && { loop_id }) });
    case 10:
      return settled(chat);
    default:
      await new Promise((resolve) => setTimeout(resolve, random(60)));
  }
}

describe('a run of random commands', () => {
  for (const seed of [11, 23, 37, 41]) {
    blackBox(
      `seed ${seed}: every input resolves once, every turn ends once, the journal passes its audit`,
      async (t) => {
        const random = randomFrom(seed);
        t.model.answerBy(() => [moods(random)].flat());
        const chat = t.chat({
          env: { HARNESS_CHAT_INBOX_LIMIT: '6', HARNESS_CHAT_AFTER_INTERRUPT: seed % 2 ? 'pause' : 'start' },
        });
        const loops = [(await chat.until('LoopStarted')).loop_id ?? ''];
        chat.send({ type: 'StartLoop', command_id: 'second', agency: 'user' });
        loops.push((await chat.until(({ cause }) => cause?.command_id === 'second')).loop_id ?? '');
        const ids: string[] = [];
        for (let n = 0; n < 150; n += 1) await act(chat, random, ids, loops);
        if (seed % 3 === 0) chat.send({ type: 'Shutdown', agency: 'user' });
        expect(await chat.close(20_000)).toEqual({ code: 0, signal: null });
        expect(chat.stderr).toBe('');
        expect(chat.errors.filter(({ error }) => error)).toEqual([]);
        t.sound(chat);
        const audit = await t.run(['audit', chat.events()[0]?.session_id ?? '']);
        expect([audit.code, audit.stdout]).toEqual([0, expect.any(String)]);
      },
    );
  }

  blackBox('killed in the middle and resumed: nothing is lost, nothing is sent twice', async (t) => {
    const random = randomFrom(97);
    t.model.answerBy(() => [moods(random)].flat());
    let args: string[] = [];
    const submitted: string[] = [];
    const resolved = new Map<string, string[]>();
    for (let life = 0; life < 5; life += 1) {
      const chat = t.chat({ args });
      const loop = (await chat.until((e) => e.type === 'LoopStarted' || e.type === 'RestoreDone')).session_id;
      args = ['--resume', loop];
      const ids: string[] = [];
      for (let n = 0; n < 25; n += 1) {
        const deed = random(9);
        if (deed < 3) ids.push(chat.submit(`life ${life}, input ${n}`, { no_fold: deed === 0 }));
        else if (deed === 3) chat.interrupt();
        else if (deed < 6) chat.send({ type: 'ResumeQueue', agency: 'user' });
        else await new Promise((resolve) => setTimeout(resolve, random(25)));
      }
      if (life < 4) {
        await settled(chat);
        await chat.kill();
      } else {
        await chat.close();
      }
      submitted.push(...ids);
      for (const { type, cause } of chat.events()) {
        if (!cause || !['TurnStarted', 'TurnFoldedInto', 'InputCancelled', 'TurnRejected'].includes(type)) continue;
        resolved.set(cause.command_id, [...(resolved.get(cause.command_id) ?? []), type]);
      }
    }
    expect(submitted.filter((id) => resolved.get(id)?.length !== 1)).toEqual([]);
    expect((await t.run(['audit', args[1] ?? ''])).code).toBe(0);
  });
});
