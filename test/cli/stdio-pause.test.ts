/** A queue that an interrupt has paused, and one that is full. */
import { describe, expect } from 'vitest';
import { blackBox, script, settled, typesOf } from './black-box.ts';

import { busy, move, resume, saidBy, set } from './queue-commands.ts';

const { say, hold, call } = script;

describe('a paused queue', () => {
  blackBox('a machine’s input waits in it, a person’s lets it go on from its front', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    const [kept = ''] = await busy(chat, t.model, [['kept']]);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    const machine = chat.submit('of a machine', { agency: 'machine' });
    await chat.untilReply(machine, 'InputQueued');
    await settled(chat);
    expect(chat.events('TurnStarted')).toHaveLength(1);
    const person = chat.submit('of a person');
    await chat.untilReply(person, 'TurnStarted');
    await chat.close();
    expect(chat.replies(person).map(({ type }) => type)).toEqual(['InputQueued', 'TurnStarted']);
    expect(chat.replies(kept).map(({ type }) => type)).toEqual(['InputQueued', 'TurnStarted']);
    expect(saidBy(chat, 'TurnStarted')).toEqual(['running', 'kept', 'of a machine', 'of a person']);
    t.sound(chat);
  });

  blackBox('without entries is not paused: retracted to the last, the next input starts at once', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    const [one = '', two = ''] = await busy(chat, t.model, [['one'], ['two']]);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    chat.retract(one);
    chat.retract(two);
    await chat.untilReply(two, 'InputCancelled');
    const machine = chat.submit('next', { agency: 'machine' });
    await chat.untilReply(machine, 'TurnStarted');
    expect(chat.replies(machine).map(({ type }) => type)).toEqual(['TurnStarted']);
    await chat.close();
    t.sound(chat);
  });

  blackBox('ResumeQueue: idle, running, stopping, paused, twice, and of one loop', async (t) => {
    t.model.reply(call('shell', { command: "trap '' TERM; sleep 30" }), [hold('b'), ...say('two')], say('three'));
    const chat = t.chat();
    await chat.until('LoopStarted');
    resume(chat);
    await settled(chat);
    expect(typesOf(chat.events())).toEqual(['SessionStarted', 'LoopStarted']);
    chat.submit('one');
    await chat.until('ToolCallStarted');
    const two = chat.submit('two');
    const three = chat.submit('three');
    resume(chat);
    await settled(chat);
    expect(chat.events('TurnStarted')).toHaveLength(1);
    chat.interrupt();
    resume(chat);
    const ended = await chat.until('TurnInterrupted', { ms: 6000 });
    await settled(chat);
    expect(chat.events('TurnStarted')).toHaveLength(1);
    resume(chat, { loop_id: ended.loop_id });
    resume(chat, { loop_id: ended.loop_id });
    await chat.untilReply(two, 'TurnStarted');
    await t.model.reached('b');
    expect(chat.resolution(three)).toEqual([]);
    t.model.release('b');
    await chat.untilReply(three, 'TurnStarted');
    await chat.close();
    t.sound(chat);
  });

  blackBox('is changed as any other: moved, held, and gone on with in the new order', async (t) => {
    t.model.reply([hold('a')], call('shell', { command: 'true' }), say('after'));
    const chat = t.chat();
    const [one = '', two = '', three = ''] = await busy(chat, t.model, [['one'], ['two'], ['three']]);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    move(chat, three, one);
    set(chat, two, true);
    await settled(chat);
    resume(chat);
    await chat.untilReply(two, 'TurnStarted');
    await chat.close();
    expect(saidBy(chat, 'TurnStarted')).toEqual(['running', 'three', 'two']);
    expect(chat.resolution(one).map(({ type }) => type)).toEqual(['TurnFoldedInto']);
  });

  blackBox('afterInterrupt start: the first kept input starts at once, no LoopIdle between', async (t) => {
    t.model.reply([hold('a')], say('two'), say('three'));
    const chat = t.chat({ env: { HARNESS_CHAT_AFTER_INTERRUPT: 'start' } });
    chat.submit('running');
    await t.model.reached('a');
    const machine = chat.submit('of a machine', { agency: 'machine' });
    const [two, three] = [chat.submit('two'), chat.submit('three')];
    await settled(chat);
    chat.interrupt();
    await chat.untilReply(three, 'TurnStarted');
    await chat.close();
    const types = typesOf(chat.events()).filter((type) => /^(Turn(S|I|D)|LoopIdle|InputCancelled)/.test(type));
    expect(types).toEqual([
      'TurnStarted',
      'TurnInterrupted',
      'InputCancelled',
      'TurnStarted',
      'TurnDone',
      'TurnStarted',
      'TurnDone',
      'LoopIdle',
    ]);
    expect(chat.resolution(machine)[0]?.reason).toBe('turn_interrupted');
    expect(chat.resolution(two)[0]?.type).toBe('TurnStarted');
    t.sound(chat);
  });
});

describe('the limit of the inbox', () => {
  blackBox(
    'is configurable; the running input does not count; a place that comes free is used; a rejection is final',
    async (t) => {
      t.model.reply([hold('a'), ...say('one')]);
      const chat = t.chat({ env: { HARNESS_CHAT_INBOX_LIMIT: '2' } });
      const [a = '', b = '', c = ''] = await busy(chat, t.model, [['a'], ['b'], ['c']]);
      expect(chat.replies(c).map(({ type, reason }) => [type, reason])).toEqual([['TurnRejected', 'queue_full']]);
      chat.retract(a);
      const d = chat.submit('d');
      const e = chat.submit('e');
      await settled(chat);
      expect(chat.replies(d).map(({ type }) => type)).toEqual(['InputQueued']);
      expect(chat.replies(e).map(({ type }) => type)).toEqual(['TurnRejected']);
      // a paused queue is full too, also for a person
      chat.interrupt();
      await chat.until('TurnInterrupted');
      const f = chat.submit('f');
      await settled(chat);
      expect(chat.replies(f).map(({ type, reason }) => [type, reason])).toEqual([['TurnRejected', 'queue_full']]);
      resume(chat);
      await chat.untilReply(d, 'TurnStarted');
      await chat.close();
      expect(chat.resolution(b).map(({ type }) => type)).toEqual(['TurnStarted']);
      const rejected = chat.events('TurnRejected')[0];
      expect([rejected?.loop_id !== undefined, rejected?.turn_id, rejected?.message]).toEqual([
        true,
        undefined,
        undefined,
      ]);
      t.sound(chat);
    },
  );
});
