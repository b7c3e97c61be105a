/** Several loops in one session, and what is set for the turns to come. */
import { describe, expect } from 'vitest';
import { blackBox, type Chat, line, script, settled, typesOf, untilAck } from './black-box.ts';

const { say, hold, text, finish, call } = script;

async function startLoop(chat: Chat, agentName?: string): Promise<string> {
  const command_id = `start-${Math.random()}`;
  chat.send({ type: 'StartLoop', command_id, agency: 'user', ...(agentName && { agent_name: agentName }) });
  const started = await chat.until(({ type, cause }) => type === 'LoopStarted' && cause?.command_id === command_id);
  expect(started.agent_name).toBe(agentName ?? started.agent_name);
  return started.loop_id ?? '';
}

describe('loops', () => {
  blackBox('run side by side, each with its own history, queue, turn_index and rest', async (t) => {
    t.model.answerBy(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      return [text(`${said.length}:`), hold(String(said.at(-1))), ...say('done')];
    });
    const chat = t.chat();
    const main = (await chat.until('LoopStarted')).loop_id ?? '';
    const other = await startLoop(chat, 'helper');
    const third = await startLoop(chat);
    const [a, b] = [chat.submit('a1'), chat.submit('b1', { loop_id: other })];
    await t.model.reached('a1');
    await t.model.reached('b1');
    const [a2, b2] = [chat.submit('a2', { loop_id: main }), chat.submit('b2', { loop_id: other })];
    await chat.untilReply(a2, 'InputQueued');
    await chat.untilReply(b2, 'InputQueued');
    t.model.release('b1');
    t.model.release('b2');
    await chat.until(({ type, loop_id }) => type === 'LoopIdle' && loop_id === other);
    expect(chat.events('SessionIdle')).toEqual([]);
    t.model.release('a1');
    t.model.release('a2');
    await chat.until('SessionIdle');
    await chat.close();
    const ofLoop = (loopId: string, type: string) => chat.events(type).filter(({ loop_id }) => loop_id === loopId);
    expect(ofLoop(main, 'TurnStarted').map(({ cause, turn_index }) => [cause?.command_id, turn_index])).toEqual([
      [a, 1],
      [a2, 2],
    ]);
    expect(ofLoop(other, 'TurnStarted').map(({ cause, turn_index }) => [cause?.command_id, turn_index])).toEqual([
      [b, 1],
      [b2, 2],
    ]);
    expect([main, other, third].map((id) => ofLoop(id, 'LoopIdle').length)).toEqual([1, 1, 0]);
    expect([chat.events('SessionActive').length, chat.events('SessionIdle').length]).toEqual([1, 1]);
    t.sound(chat);
  });

  blackBox('SetActiveLoop sends what names no loop there; set twice it changes once', async (t) => {
    const chat = t.chat();
    const main = (await chat.until('LoopStarted')).loop_id ?? '';
    const other = await startLoop(chat);
    const first = chat.submit('to main');
    expect((await chat.untilReply(first, 'TurnStarted')).loop_id).toBe(main);
    chat.send({ type: 'SetActiveLoop', command_id: 'set', agency: 'user', loop_id: other });
    chat.send({ type: 'SetActiveLoop', command_id: 'again', agency: 'user', loop_id: other });
    const second = chat.submit('to other');
    expect((await chat.untilReply(second, 'TurnStarted')).loop_id).toBe(other);
    expect(
      chat.events('ActiveLoopChanged').map((e) => [e.previous_loop_id, e.active_loop_id, e.cause?.command_id]),
    ).toEqual([[main, other, 'set']]);
    await chat.close();
    const again = t.chat({ args: ['--continue'] });
    const third = again.submit('to other still');
    const started = await again.untilReply(third, 'TurnStarted');
    expect([started.loop_id, started.turn_index]).toEqual([other, 2]);
    await again.close();
    t.sound(again);
  });

  blackBox('a queued input is moved only within its own loop', async (t) => {
    t.model.reply([hold('a'), ...say('x')], [hold('b'), ...say('x')]);
    const chat = t.chat();
    await chat.until('LoopStarted');
    const other = await startLoop(chat);
    chat.submit('a');
    await t.model.reached('a');
    chat.submit('b', { loop_id: other });
    await t.model.reached('b');
    const [mine, theirs] = [chat.submit('mine'), chat.submit('theirs', { loop_id: other })];
    chat.send({ type: 'MoveQueuedInput', command_id: 'move', target_command_id: mine, before_command_id: theirs });
    expect(await untilAck(chat, 'move')).toEqual({ command_id: 'move', moved: false });
    chat.retract(theirs);
    await chat.untilReply(theirs, 'InputCancelled');
    t.model.release('a');
    t.model.release('b');
    await chat.untilReply(mine, 'TurnStarted');
    await chat.close();
    t.sound(chat);
  });

  blackBox('ResumeQueue and a drain mean every loop', async (t) => {
    t.model.reply([hold('a')], [hold('b')]);
    const chat = t.chat();
    await chat.until('LoopStarted');
    const other = await startLoop(chat);
    chat.submit('a');
    await t.model.reached('a');
    chat.submit('b', { loop_id: other });
    await t.model.reached('b');
    const kept = [chat.submit('c'), chat.submit('d', { loop_id: other })];
    await settled(chat);
    chat.interrupt();
    await chat.until('SessionIdle');
    chat.send({ type: 'ResumeQueue', agency: 'user' });
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(kept.map((id) => typesOf(chat.resolution(id)))).toEqual([['TurnStarted'], ['TurnStarted']]);
    expect(chat.events('TurnDone')).toHaveLength(2);
    t.sound(chat);
  });
});

describe('SetModel', () => {
  blackBox('holds for the next turn, never for the running one, also when both come in one write', async (t) => {
    t.model.reply(call('shell', { command: 'true' }), say('one'), say('two'));
    const chat = t.chat();
    await chat.until('LoopStarted');
    const command = (type: string, more: Record<string, unknown>) => line({ type, agency: 'user', ...more });
    chat.sendRaw(
      command('UserInput', { text: 'one' }) +
        command('SetModel', { command_id: 'set', model: 'other' }) +
        command('UserInput', { text: 'two', no_fold: true }),
    );
    await chat.until(({ type, turn_index }) => type === 'TurnDone' && turn_index === 2);
    await chat.close();
    expect(t.model.requests.map(({ body }) => body.model)).toEqual(['scripted', 'scripted', 'other']);
    expect(
      chat.events('ModelChanged').map(({ model, provider, cause }) => [model, provider, cause?.command_id]),
    ).toEqual([['other', 'openai', 'set']]);
    t.sound(chat);
  });

  blackBox('is kept by a resumed session, and an option is stronger', async (t) => {
    const chat = t.chat();
    await chat.until('LoopStarted');
    chat.send({ type: 'SetModel', agency: 'user', model: 'other' });
    chat.submit('one');
    await chat.until('TurnDone');
    await chat.close();
    const again = t.chat({ args: ['--continue'] });
    again.submit('two');
    await again.until('TurnDone');
    await again.close();
    const third = t.chat({ args: ['--continue', '--model', 'third'] });
    third.submit('three');
    await third.until('TurnDone');
    await third.close();
    expect(t.model.requests.map(({ body }) => body.model).slice(0, 1)).toEqual(['other']);
    expect(t.model.requests[2]?.body.model).toBe('third');
    t.sound(third);
  });

  blackBox(
    'to a provider that is not there, or has no key, is refused at once with what to do, and the model stays',
    async (t) => {
      const chat = t.chat();
      await chat.until('LoopStarted');
      for (const provider of ['nobody', 'groq', '__proto__']) {
        chat.send({ type: 'SetModel', agency: 'user', command_id: `to-${provider}`, model: 'm', provider });
      }
      chat.submit('one');
      await chat.until('TurnDone');
      await chat.close();
      expect(chat.errors.map(({ error }) => error)).toMatchObject([
        { kind: 'invalid_command', command_id: 'to-nobody', message: expect.stringMatching(/"nobody".*openai.*groq/) },
        { kind: 'invalid_command', command_id: 'to-groq', message: expect.stringContaining('GROQ_API_KEY') },
        { kind: 'invalid_command', command_id: 'to-__proto__', message: expect.stringContaining('"__proto__"') },
      ]);
      expect(chat.events('ModelChanged')).toEqual([]);
      expect(t.model.requests.map(({ body }) => body.model)).toEqual(['scripted']);
      t.sound(chat);
    },
  );
});

describe('Compact', () => {
  blackBox('is answered when it is over and holds up no other answer; an input waits for it', async (t) => {
    const summarises = ({ messages }: { messages: { content: unknown }[] }) =>
      /summar/i.test(String(messages.at(-1)?.content));
    t.model.answerBy((body) =>
      summarises(body) ? [hold('c'), ...say('in short')] : say('x'.repeat(3000), { size: 1000 }),
    );
    const chat = t.chat();
    for (let n = 1; n <= 12; n += 1) {
      chat.submit('words '.repeat(500));
      await chat.until(({ type, turn_index }) => type === 'TurnDone' && turn_index === n);
    }
    chat.send({ type: 'Compact', command_id: 'compact', agency: 'user' });
    await t.model.reached('c');
    const waiting = chat.submit('waiting');
    await chat.untilReply(waiting, 'InputQueued');
    await settled(chat);
    t.model.release('c');
    await chat.until('HistoryCompacted');
    await chat.untilReply(waiting, 'TurnStarted');
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(chat.errors.filter(({ ack }) => ack?.command_id === 'compact')).toEqual([]);
    t.sound(chat);
  });
});

describe('a session', () => {
  blackBox('goes on where it was: history, turn_index, name, and the queue of a fork is empty', async (t) => {
    t.model.reply(say('one'), [hold('a')], say('two'), say('three'));
    const chat = t.chat();
    chat.submit('first');
    await chat.until('TurnDone');
    chat.send({ type: 'RenameSession', agency: 'user', name: 'A name' });
    chat.submit('second');
    await t.model.reached('a');
    chat.submit('queued');
    await settled(chat);
    const id = chat.events()[0]?.session_id ?? '';
    // the other is only read: it may be in use, and its open turn is closed in the fork alone
    const fork = t.chat({ args: ['--fork', id] });
    const started = await fork.until('SessionStarted');
    expect([started.forked_from, started.session_id === id]).toEqual([id, false]);
    fork.submit('in the fork');
    const turn = await fork.until('TurnStarted');
    await fork.until('TurnDone');
    await fork.close();
    expect(fork.events('InputQueued')).toEqual([]);
    const sent = JSON.stringify(t.model.requests.at(-1)?.body.messages);
    expect([sent.includes('first'), sent.includes('one'), sent.includes('queued')]).toEqual([true, true, false]);
    expect(turn.turn_index).toBeGreaterThanOrEqual(2);
    expect((await t.run(['audit', fork.events()[0]?.session_id ?? ''])).code).toBe(0);
    await chat.kill();
  });

  blackBox('with --resume a text answer is no answer of the last one', async (t) => {
    t.model.reply(say('one'), [text('two'), finish('stop')]);
    const chat = t.chat();
    chat.submit('first');
    await chat.until('TurnDone');
    await chat.close();
    const again = t.chat({ args: ['--resume', chat.events()[0]?.session_id ?? ''] });
    again.submit('second');
    const done = await again.until('TurnDone');
    expect([done.turn_index, done.message?.blocks]).toEqual([2, [{ type: 'text', text: 'two' }]]);
    await again.close();
    t.sound(again);
  });
});
