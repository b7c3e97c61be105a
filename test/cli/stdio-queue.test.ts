/** The queue while a turn runs: order, folds, moves, holds, and the race of a retract. */
import { describe, expect } from 'vitest';
import { ackOf, blackBox, line, script, settled, typesOf, untilAck } from './black-box.ts';

import { busy, move, resume, saidBy, set } from './queue-commands.ts';

const { say, hold, finish, toolCall } = script;

describe('moves and holds', () => {
  blackBox('to the front, to the end, before itself, before and of what is not there', async (t) => {
    t.model.reply([hold('a'), ...say('one')]);
    const chat = t.chat();
    const [a = '', b = '', c = '', d = ''] = await busy(chat, t.model, [['a'], ['b'], ['c'], ['d']]);
    const started = chat.submits[0]?.command_id ?? '';
    const asked = [
      move(chat, d, a), // d a b c
      move(chat, a), // d b c a
      move(chat, b, b),
      move(chat, b, 'unknown'),
      move(chat, 'unknown', b),
      move(chat, 'unknown'),
      move(chat, started, b),
      move(chat, b, started),
      move(chat, c, b), // d c b a
      move(chat, a), // where it stands
      set(chat, 'unknown', true),
      set(chat, started, true),
      set(chat, a, true),
      set(chat, a, true),
      set(chat, a),
    ];
    await untilAck(chat, asked.at(-1) ?? '');
    expect(asked.map((id) => ackOf(chat, id)?.moved ?? ackOf(chat, id)?.changed)).toEqual(
      [true, true, false, false, false, false, false, false, true, true].concat([false, false, true, true, true]),
    );
    t.model.release('a');
    await chat.untilReply(a, 'TurnStarted');
    await chat.close();
    expect(saidBy(chat, 'TurnStarted')).toEqual(['running', 'd', 'c', 'b', 'a']);
  });

  blackBox('a hold given and taken back decides what folds', async (t) => {
    t.model.reply([hold('a'), toolCall('shell', { command: 'true' }), finish('tool_calls')], say('one'));
    const chat = t.chat();
    const [a = '', b = '', c = ''] = await busy(chat, t.model, [['a', true], ['b'], ['c']]);
    set(chat, a, false);
    set(chat, b, true);
    move(chat, c, b);
    await settled(chat);
    t.model.release('a');
    await chat.untilReply(b, 'TurnStarted');
    await chat.close();
    expect(saidBy(chat, 'TurnFoldedInto')).toEqual(['a', 'c']);
    expect(chat.events('TurnFoldedInto').map(({ cause }) => cause?.command_id)).toEqual([a, c]);
  });

  blackBox('survive a kill, and so does what was retracted', async (t) => {
    t.model.reply([hold('a')], [toolCall('shell', { command: 'true' }), finish('tool_calls')]);
    const chat = t.chat();
    const [a = '', b = '', c = '', d = ''] = await busy(chat, t.model, [['a'], ['b'], ['c'], ['d']]);
    move(chat, d, a);
    set(chat, b, true);
    chat.retract(a);
    await chat.untilReply(a, 'InputCancelled');
    await chat.kill();
    const again = t.chat({ args: ['--continue'] });
    await again.untilReply(c, 'InputQueued');
    expect(again.events('InputQueued').map(({ cause }) => cause?.command_id)).toEqual([d, b, c]);
    resume(again);
    await again.untilReply(c, 'TurnStarted');
    expect(saidBy(again, 'TurnStarted')).toEqual(['d', 'b', 'c']);
    await again.close();
    t.sound(again);
  });
});

describe('agency', () => {
  blackBox('is machine where nothing is said, is copied to what becomes of an input, and never asked', async (t) => {
    t.model.reply([hold('a'), toolCall('shell', { command: 'true' }), finish('tool_calls')], say('one'));
    const chat = t.chat();
    chat.send({ type: 'UserInput', command_id: 'start', text: 'a' });
    await t.model.reached('a');
    chat.send({ type: 'UserInput', command_id: 'fold', agency: 'user', text: 'b' });
    chat.send({ type: 'UserInput', command_id: 'gone', text: 'c', no_fold: true });
    chat.send({ type: 'CancelQueuedInput', agency: 'user', target_command_id: 'gone' });
    await chat.untilReply('gone', 'InputCancelled');
    t.model.release('a');
    await chat.until('TurnDone');
    await chat.close();
    const agencies = ['start', 'fold', 'gone'].map((id) =>
      chat.replies(id).map(({ type, cause }) => [type, cause?.agency]),
    );
    expect(agencies).toEqual([
      [['TurnStarted', 'machine']],
      [
        ['InputQueued', 'user'],
        ['TurnFoldedInto', 'user'],
      ],
      [
        ['InputQueued', 'machine'],
        ['InputCancelled', 'machine'],
      ],
    ]);
  });
});

describe('a retract at the moment the turn ends', () => {
  const RACES = 200;
  blackBox(`${RACES} times: exactly one of started and cancelled, and only what started is sent`, async (t) => {
    t.model.answerBy(({ messages }) => {
      const said = String(messages.at(-1)?.content);
      return said.startsWith('first') ? [hold(said), ...say('x')] : say('ok');
    });
    const chat = t.chat();
    let cancelled = 0;
    for (let n = 0; n < RACES; n += 1) {
      const from = chat.deliveries.length;
      chat.submit(`first ${n}`);
      await t.model.reached(`first ${n}`);
      const second = chat.submit(`second ${n}`);
      await chat.untilReply(second, 'InputQueued', { from });
      t.model.release(`first ${n}`);
      for (let i = 0; i < n % 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
      chat.retract(second);
      await chat.until(({ cause, type }) => cause?.command_id === second && type !== 'InputQueued', { from });
      await chat.until('LoopIdle', { from });
      const [resolution, ...others] = typesOf(chat.resolution(second));
      expect([...others, ['TurnStarted', 'InputCancelled'].includes(resolution ?? '')]).toEqual([true]);
      if (resolution === 'InputCancelled') cancelled += 1;
      const sent = t.model.requests.some(({ body }) => JSON.stringify(body.messages.at(-1)).includes(`second ${n}"`));
      expect(sent, `${n}`).toBe(resolution === 'TurnStarted');
    }
    await chat.close();
    t.sound(chat);
    expect(cancelled).toBeGreaterThan(0);
    expect(cancelled).toBeLessThan(RACES);
  });

  blackBox('input, retract and interrupt in one write are handled in their order', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('a');
    const input = (id: string) => line({ type: 'UserInput', command_id: id, agency: 'user', text: id });
    const retract = (id: string) => line({ type: 'CancelQueuedInput', agency: 'user', target_command_id: id });
    chat.sendRaw(
      retract('early') +
        input('early') +
        input('late') +
        retract('late') +
        line({ type: 'Interrupt', command_id: 'stop' }),
    );
    await chat.until('TurnInterrupted');
    await settled(chat);
    expect(typesOf(chat.replies('early'))).toEqual(['InputQueued']);
    expect(typesOf(chat.replies('late'))).toEqual(['InputQueued', 'InputCancelled']);
    expect(ackOf(chat, 'stop')?.cancelled).toBe(true);
    await chat.close();
    expect(chat.resolution('early').map(({ type, reason }) => [type, reason])).toEqual([
      ['InputCancelled', 'turn_interrupted'],
    ]);
  });
});

describe('sent now', () => {
  const sendNow = (chat: Parameters<typeof move>[0], target: string) => {
    const command_id = `now-${Math.random()}`;
    chat.send({ type: 'SendQueuedInput', command_id, agency: 'user', target_command_id: target });
    return command_id;
  };

  blackBox(
    'the turn is interrupted, the row is first, the rest follows; what is not queued answers false',
    async (t) => {
      t.model.reply([hold('a'), ...say('one')], say('two'), say('three'), say('four'));
      const chat = t.chat();
      const [a = '', b = '', c = ''] = await busy(chat, t.model, [['a'], ['b', true], ['c']]);
      const none = sendNow(chat, 'unknown');
      await untilAck(chat, none);
      expect(ackOf(chat, none)).toMatchObject({ sent: false });
      const now = sendNow(chat, c);
      await chat.untilReply(b, 'TurnStarted');
      await chat.close();
      expect(ackOf(chat, now)).toEqual({ command_id: now, sent: true });
      expect(chat.events('TurnInterrupted')).toHaveLength(1);
      expect(
        chat
          .events('TurnStarted')
          .map(({ cause }) => cause?.command_id)
          .slice(1),
      ).toEqual([c, a, b]);
    },
  );

  blackBox('with the end of the input right behind it, all is still finished', async (t) => {
    t.model.reply([hold('a'), ...say('one')], say('two'), say('three'));
    const chat = t.chat();
    const [a = '', b = ''] = await busy(chat, t.model, [['a'], ['b']]);
    sendNow(chat, b);
    await chat.close();
    expect(
      chat
        .events('TurnStarted')
        .map(({ cause }) => cause?.command_id)
        .slice(1),
    ).toEqual([b, a]);
  });
});
