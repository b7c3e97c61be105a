/** An interrupt in every phase of a turn: how it ends, what the ack says, and that the loop goes on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ackOf, blackBox, type Case, type Chat, line, script, settled, typesOf, untilAck } from './black-box.ts';

const { say, hold, text, thinking, finish, call, toolCall, httpReply, usage } = script;
const ENDS = ['StepDone', 'TurnDone', 'TurnFailed', 'TurnInterrupted', 'LoopIdle'];
const endsOf = (chat: Chat, from = 0) =>
  typesOf(chat.deliveries.slice(from).map(({ event }) => event)).filter((type) => ENDS.includes(type));

/** Interrupts, then sends one input more and waits for its answer: whatever ended the turn, the loop goes on. */
async function interruptAndGoOn(t: Case, chat: Chat, expected: string[]): Promise<void> {
  const began = Date.now();
  const id = chat.interrupt();
  await chat.until('TurnInterrupted', { ms: 5000 });
  expect(Date.now() - began).toBeLessThan(3500);
  await chat.until('LoopIdle');
  expect(await untilAck(chat, id)).toEqual({ command_id: id, cancelled: true });
  expect(endsOf(chat)).toEqual(expected);
  const from = chat.deliveries.length;
  t.model.reply(say('fresh'));
  const next = chat.submit('next');
  await chat.untilReply(next, 'TurnStarted', { from });
  await chat.until('TurnDone', { from });
  await chat.close();
  t.sound(chat);
}

describe('an interrupt', () => {
  blackBox('before the first byte: the request is dropped', async (t) => {
    t.model.reply([hold('never')]);
    const chat = t.chat();
    chat.submit('go');
    await t.model.reached('never');
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(t.model.requests[0]?.closedByClient).toBe(true);
  });

  blackBox('while it thinks', async (t) => {
    t.model.reply([thinking('hmm hmm'), hold('never')]);
    const chat = t.chat();
    chat.submit('go');
    await chat.until('TokenDelta');
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(JSON.stringify(t.model.requests[1]?.body)).not.toContain('hmm');
  });

  blackBox('while the arguments of a call stream: no tool runs', async (t) => {
    t.model.reply([toolCall('shell', { command: 'touch made' }), hold('never')]);
    const chat = t.chat();
    chat.submit('go');
    await t.model.reached('never');
    await chat.until(({ chunk }) => chunk?.type === 'tool_use');
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(existsSync(join(t.sandbox.workspace, 'made'))).toBe(false);
    expect(chat.events('ToolCallStarted')).toEqual([]);
  });

  blackBox('in the second step: the first one stays', async (t) => {
    t.model.reply(call('shell', { command: 'echo kept' }), [text('lost'), hold('never')]);
    const chat = t.chat();
    chat.submit('go');
    await chat.until(({ chunk }) => chunk?.type === 'text');
    await interruptAndGoOn(t, chat, ['StepDone', 'TurnInterrupted', 'LoopIdle']);
    const sent = JSON.stringify(t.model.requests[2]?.body.messages);
    expect([sent.includes('kept'), sent.includes('lost')]).toEqual([true, false]);
  });

  blackBox('between two calls of a batch: the second never runs, nothing is committed', async (t) => {
    t.model.reply([
      toolCall('shell', { command: 'touch one; sleep 30' }),
      toolCall('shell', { command: 'touch two' }),
      finish('tool_calls'),
    ]);
    const chat = t.chat();
    chat.submit('go');
    while (!existsSync(join(t.sandbox.workspace, 'one'))) await new Promise((resolve) => setTimeout(resolve, 10));
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(existsSync(join(t.sandbox.workspace, 'two'))).toBe(false);
  });

  blackBox('while a 429 is waited out: at once', async (t) => {
    t.model.reply(httpReply(429, { error: { message: 'slow down' } }, { 'retry-after': '30' }));
    const chat = t.chat();
    chat.submit('go');
    await chat.until('InferenceRetrying');
    const began = Date.now();
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(Date.now() - began).toBeLessThan(3000);
    expect(t.model.requests).toHaveLength(2);
  });

  blackBox('while a question is open: abandoned, and a late answer does nothing', async (t) => {
    t.model.reply(call('ask_user', { question: 'which?', choices: ['a', 'b'] }));
    const chat = t.chat();
    chat.submit('go');
    const asked = await chat.until('UserInputRequested');
    await interruptAndGoOn(t, chat, ['TurnInterrupted', 'LoopIdle']);
    expect(
      chat
        .events('PermissionDecided')
        .map(({ effect, source, tool_execution_id }) => [effect, source, tool_execution_id]),
    ).toEqual([['deny', 'abandoned', asked.tool_execution_id]]);
  });

  blackBox('in the same write as its input', async (t) => {
    t.model.reply([text('x'), hold('never')]);
    const chat = t.chat();
    await chat.until('LoopStarted');
    chat.sendRaw(
      line({ type: 'UserInput', command_id: 'in', agency: 'user', text: 'go' }) +
        line({ type: 'Interrupt', command_id: 'stop' }),
    );
    await chat.until('TurnInterrupted');
    await chat.until('LoopIdle');
    expect([ackOf(chat, 'stop')?.cancelled, chat.resolution('in').map(({ type }) => type)]).toEqual([
      true,
      ['TurnStarted'],
    ]);
    expect(endsOf(chat)).toEqual(['TurnInterrupted', 'LoopIdle']);
    await chat.close();
    t.sound(chat);
  });

  blackBox(
    'right at the end, 60 times: the ack and the terminal say the same, and nothing comes after it',
    async (t) => {
      t.model.answerBy(({ messages }) => [hold(String(messages.at(-1)?.content)), ...say('x')]);
      const chat = t.chat();
      const seen = { true: 0, false: 0 };
      for (let n = 0; n < 60; n += 1) {
        const from = chat.deliveries.length;
        chat.submit(`n${n}`);
        await t.model.reached(`n${n}`);
        t.model.release(`n${n}`);
        for (let i = 0; i < n % 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
        const id = chat.interrupt();
        const ack = await untilAck(chat, id);
        await chat.until('LoopIdle', { from });
        const ends = endsOf(chat, from);
        expect(ends, `${n}`).toEqual(
          ack?.cancelled ? ['TurnInterrupted', 'LoopIdle'] : ['StepDone', 'TurnDone', 'LoopIdle'],
        );
        seen[`${ack?.cancelled === true}`] += 1;
      }
      await chat.close();
      t.sound(chat);
      expect(Math.min(seen.true, seen.false)).toBeGreaterThan(0);
    },
  );

  blackBox('that is too late for its turn does not stop the one that was queued behind it', async (t) => {
    t.model.answerBy(({ messages }) => {
      const said = String(messages.at(-1)?.content);
      return said.startsWith('first') ? [hold(said), ...say('x')] : say('second');
    });
    const chat = t.chat();
    for (let n = 0; n < 60; n += 1) {
      const from = chat.deliveries.length;
      chat.submit(`first ${n}`);
      await t.model.reached(`first ${n}`);
      const second = chat.submit(`second ${n}`);
      await chat.untilReply(second, 'InputQueued', { from });
      t.model.release(`first ${n}`);
      for (let i = 0; i < n % 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
      const id = chat.interrupt();
      const ack = await untilAck(chat, id);
      await chat.until('LoopIdle', { from });
      if (chat.resolution(second).length === 0) chat.send({ type: 'ResumeQueue', agency: 'user' });
      await chat.untilReply(second, 'TurnStarted', { from });
      const interrupted = endsOf(chat, from).filter((type) => type === 'TurnInterrupted').length;
      expect(interrupted, `${n}`).toBe(ack?.cancelled ? 1 : 0);
      await chat.until(
        ({ type, turn_id }) =>
          ['TurnDone', 'TurnInterrupted'].includes(type) && turn_id === chat.resolution(second)[0]?.turn_id,
        { from },
      );
    }
    await chat.close();
    t.sound(chat);
  });

  blackBox(
    'with an input before and one behind it, while a tool will not stop: both are kept, a machine’s is returned',
    async (t) => {
      t.model.reply([toolCall('shell', { command: "trap '' TERM; sleep 30" }), finish('tool_calls'), usage(1, 1)]);
      const chat = t.chat();
      chat.submit('go');
      await chat.until('ToolCallStarted');
      const before = chat.submit('before');
      const stop = chat.interrupt();
      const behind = chat.submit('behind');
      const machine = chat.submit('of a machine', { agency: 'machine' });
      await settled(chat);
      expect(ackOf(chat, stop)?.cancelled).toBe(true);
      const ended = await chat.until('TurnInterrupted', { ms: 5000 });
      const returned = await chat.untilReply(machine, 'InputCancelled');
      expect([returned.reason, returned.turn_id, returned.turn_index]).toEqual(['turn_interrupted', ended.turn_id, 1]);
      await chat.until('LoopIdle');
      chat.send({ type: 'ResumeQueue', agency: 'user' });
      await chat.untilReply(behind, 'TurnStarted');
      expect(
        chat
          .events('TurnStarted')
          .map(({ cause }) => cause?.command_id)
          .slice(1),
      ).toEqual([before, behind]);
      await chat.close();
      t.sound(chat);
    },
  );

  blackBox('of one loop leaves the other one running; of all stops both', async (t) => {
    t.model.reply([hold('a')], [hold('b')], [hold('c')]);
    const chat = t.chat();
    const main = (await chat.until('LoopStarted')).loop_id;
    chat.send({ type: 'StartLoop', command_id: 'start', agency: 'user' });
    const other =
      (await chat.until(({ type, cause }) => type === 'LoopStarted' && cause?.command_id === 'start')).loop_id ?? '';
    chat.submit('one');
    await t.model.reached('a');
    chat.submit('two', { loop_id: other });
    await t.model.reached('b');
    chat.send({ type: 'Interrupt', command_id: 'other', agency: 'user', loop_id: other });
    const ended = await chat.until('TurnInterrupted');
    expect(ended.loop_id).toBe(other);
    await settled(chat);
    expect(chat.events('SessionIdle')).toEqual([]);
    chat.submit('three', { loop_id: other });
    await t.model.reached('c');
    const all = chat.interrupt();
    await chat.until('SessionIdle');
    expect([ackOf(chat, 'other')?.cancelled, ackOf(chat, all)?.cancelled]).toEqual([true, true]);
    expect(
      chat
        .events('TurnInterrupted')
        .map(({ loop_id }) => loop_id)
        .slice(1)
        .sort(),
    ).toEqual([main, other].sort());
    await chat.close();
    t.sound(chat);
  });
});
