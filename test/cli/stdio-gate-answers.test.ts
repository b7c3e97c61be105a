import { describe, expect } from 'vitest';
import { blackBox, script, settled, typesOf, untilLine, type WireEvent } from './black-box.ts';

import { ASK, approve, deny, made, nextGate, results, touch } from './gate-commands.ts';

const { say, hold, finish, call } = script;

describe('answers', () => {
  blackBox('that are stale, unknown, of the wrong kind, or twice do nothing and have no answer', async (t) => {
    t.model.reply([touch('P1'), hold('a'), finish('tool_calls')], call('shell', { command: 'touch P2' }), say('done'));
    const chat = t.chat(ASK);
    chat.submit('go');
    await t.model.reached('a');
    const unknown = { tool_execution_id: '0197a000-0000-7000-8000-000000000000' } as WireEvent;
    approve(chat, unknown, 'session');
    deny(chat, unknown);
    t.model.release('a');
    const first = await nextGate(chat, 1);
    chat.send({ type: 'ProvideUserInput', agency: 'user', tool_execution_id: first.tool_execution_id, answer: 'yes' });
    await settled(chat);
    expect(chat.events('PermissionDecided')).toEqual([]);
    deny(chat, first, 'no');
    approve(chat, first);
    approve(chat, first, 'always');
    const second = await nextGate(chat, 2);
    deny(chat, first);
    await settled(chat);
    deny(chat, second);
    await chat.until('TurnDone');
    await chat.close();
    expect(chat.events('PermissionDecided').map(({ effect }) => effect)).toEqual(['deny', 'deny']);
    expect([made(t, 'P1'), made(t, 'P2')]).toEqual([false, false]);
    expect(chat.errors.filter(({ error }) => error)).toEqual([]);
    t.sound(chat);
  });

  blackBox('always is written down and holds after a restart, session ends with the process', async (t) => {
    const chat = t.chat(ASK);
    for (const [n, scope] of [
      [1, 'session'],
      [2, 'always'],
    ] as const) {
      t.model.reply(call('shell', { command: `echo ${n}` }), call('shell', { command: `echo ${n}` }), say('done'));
      const from = chat.deliveries.length;
      chat.submit('go');
      const gate = await nextGate(chat, n);
      expect(gate.request?.scopes?.map((offer) => offer.scope)).toContain(scope);
      approve(chat, gate, scope);
      await chat.until('TurnDone', { from });
    }
    await chat.close();
    expect(chat.events('PermissionDecided').map(({ source, scope }) => [source, scope])).toEqual([
      ['user', 'session'],
      ['policy', undefined],
      ['user', 'always'],
      ['policy', undefined],
    ]);
    t.model.reply(call('shell', { command: 'echo 2' }), call('shell', { command: 'echo 1' }), say('done'));
    const again = t.chat({ args: ['--approval', 'ask', '--continue'] });
    again.submit('go');
    deny(again, await nextGate(again, 1));
    await again.until('TurnDone');
    await again.close();
    expect(
      again.events('PermissionRequested').map(({ request }) => JSON.stringify(request).includes('echo 1')),
    ).toEqual([true]);
    t.sound(again);
  });

  blackBox('to a question: the words are the result; declined, with nobody there, and empty', async (t) => {
    const ask = call('ask_user', { question: 'Which colour?', choices: ['red', 'blue'] });
    t.model.reply(ask, ask, ask, say('done'));
    const chat = t.chat();
    chat.submit('go');
    const question = (n: number) =>
      chat
        .until(() => chat.events('UserInputRequested').length >= n)
        .then(() => chat.events('UserInputRequested')[n - 1] as WireEvent);
    const first = await question(1);
    expect([first.question, first.choices]).toEqual(['Which colour?', ['red', 'blue']]);
    approve(chat, first);
    await settled(chat);
    expect(chat.events('PermissionDecided')).toEqual([]);
    chat.send({
      type: 'ProvideUserInput',
      agency: 'user',
      tool_execution_id: first.tool_execution_id,
      answer: 'green, rather',
    });
    deny(chat, await question(2), 'ask later');
    await question(3);
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(chat.events('PermissionDecided').map(({ effect, source }) => [effect, source])).toEqual([
      ['approve', 'user'],
      ['deny', 'user'],
      ['deny', 'policy'],
    ]);
    const said = results(chat).map((block) => [JSON.stringify(block?.content), block?.is_error ?? false]);
    expect(said[0]).toEqual([expect.stringContaining('green, rather'), false]);
    expect(said[1]).toEqual([expect.stringContaining('ask later'), true]);
    expect(said[2]?.[1]).toBe(true);
    t.sound(chat);
  });
});

describe('the end of standard input', () => {
  blackBox('with an open gate and one to come: both denied by policy, the turn goes on to its end', async (t) => {
    t.model.reply(
      [touch('P1'), touch('P2'), finish('tool_calls')],
      call('shell', { command: 'touch P3' }),
      say('done'),
    );
    const chat = t.chat(ASK);
    const id = chat.submit('go');
    await nextGate(chat, 1);
    const queued = chat.submit('queued', { no_fold: true });
    await chat.untilReply(queued, 'InputQueued');
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(chat.events('PermissionDecided').map(({ effect, source }) => [effect, source])).toEqual(
      Array(3).fill(['deny', 'policy']),
    );
    expect(chat.events('PermissionRequested')).toHaveLength(1);
    expect(['P1', 'P2', 'P3'].some((file) => made(t, file))).toBe(false);
    expect([id, queued].map((each) => chat.resolution(each)[0]?.type)).toEqual(['TurnStarted', 'TurnStarted']);
    expect(chat.events('TurnDone')).toHaveLength(2);
    t.sound(chat);
  });

  blackBox('that comes with the input: nothing is ever asked', async (t) => {
    t.model.reply(call('shell', { command: 'touch P1' }), say('done'));
    const chat = t.chat(ASK);
    chat.submit('go');
    await chat.close();
    expect(chat.events('PermissionRequested')).toEqual([]);
    expect(chat.events('TurnDone')).toHaveLength(1);
    t.sound(chat);
  });
});

describe('a gate that is shown', () => {
  blackBox('survives as abandoned in the next process, and its answer there does nothing', async (t) => {
    t.model.reply(call('shell', { command: 'touch P1' }));
    const chat = t.chat(ASK);
    chat.submit('go');
    const gate = await nextGate(chat, 1);
    await chat.kill();
    const again = t.chat({ args: ['--approval', 'ask', '--continue'] });
    await again.until('RestoreDone');
    approve(again, gate);
    again.send({ type: 'Compact', command_id: 'last' });
    await untilLine(again, ({ ack }) => ack?.command_id === 'last');
    await again.close();
    expect(typesOf(again.events())).toEqual(
      expect.arrayContaining(['RestoreStarted', 'PermissionDecided', 'TurnInterrupted', 'RestoreDone']),
    );
    expect(again.events('PermissionDecided').map(({ source }) => source)).toEqual(['abandoned']);
    expect(made(t, 'P1')).toBe(false);
    t.sound(again);
  });
});
