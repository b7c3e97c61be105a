/** The fields of every command, and which commands have an answer. */
import { describe, expect } from 'vitest';
import { blackBox, type Chat, script, settled, typesOf, untilAck, untilLine } from './black-box.ts';

const { say, hold } = script;
const errorsOf = (chat: Chat) => chat.errors.flatMap(({ error }) => (error ? [error] : []));
const text = (value: string) => [{ type: 'text', text: value }];

describe('the fields of every command', () => {
  blackBox('command_id: 128 characters, or made up; used again by any command it is refused', async (t) => {
    t.model.reply([hold('a'), ...say('one')]);
    const chat = t.chat();
    const id = '😀'.repeat(128);
    chat.send({ type: 'UserInput', command_id: id, agency: 'user', text: 'a' });
    await chat.untilReply(id, 'TurnStarted');
    await t.model.reached('a');
    chat.send({ type: 'UserInput', text: 'without an id' });
    const queued = await chat.until('InputQueued');
    expect(queued.cause).toEqual({ command_id: expect.stringMatching(/^[0-9a-f-]{36}$/), agency: 'machine' });
    for (const command of [
      { type: 'UserInput', text: 'b' },
      { type: 'Interrupt' },
      { type: 'CancelQueuedInput', target_command_id: 'x' },
      { type: 'Shutdown' },
    ]) {
      chat.send({ ...command, command_id: id });
    }
    await settled(chat);
    expect(errorsOf(chat).map((error) => [error.kind, error.command_id, error.line])).toEqual(
      [3, 4, 5, 6].map((at) => ['duplicate_command', id, at]),
    );
    t.model.release('a');
    await chat.close();
    expect(typesOf(chat.events()).filter((type) => type.startsWith('Turn'))).toEqual([
      'TurnStarted',
      'TurnDone',
      'TurnStarted',
      'TurnDone',
    ]);
  });

  blackBox('an id that was used before a restart is refused after it', async (t) => {
    const first = t.chat();
    first.send({ type: 'UserInput', command_id: 'once', agency: 'user', text: 'a' });
    await first.until('TurnDone');
    await first.close();
    const again = t.chat({ args: ['--continue'] });
    again.send({ type: 'UserInput', command_id: 'once', agency: 'user', text: 'a' });
    await untilLine(again, ({ error }) => error?.kind === 'duplicate_command');
    await again.close();
    expect(t.model.requests).toHaveLength(1);
  });

  blackBox('input as text, as blocks, as neither; unknown fields change nothing', async (t) => {
    const chat = t.chat();
    const image = { type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    const inputs: [Record<string, unknown>, unknown][] = [
      [{ text: 'as text' }, text('as text')],
      [{ text: '' }, undefined],
      [{ blocks: [] }, undefined],
      [{}, undefined],
      [{ blocks: [{ type: 'text', text: 'see' }, image] }, [{ type: 'text', text: 'see' }, image]],
      [{ blocks: [image] }, [image]],
      [{ text: 'more', colour: 'red', v: 1, blocks_: 5 }, text('more')],
    ];
    for (const [i, [fields, blocks]] of inputs.entries()) {
      const from = chat.deliveries.length;
      chat.send({ type: 'UserInput', command_id: `${i}`, agency: 'user', ...fields });
      const started = await chat.untilReply(`${i}`, 'TurnStarted');
      expect(started.message).toEqual({ role: 'user', ...(blocks !== undefined && { blocks }) });
      expect(started.cause).toEqual({ command_id: `${i}`, agency: 'user' });
      await chat.until('TurnDone', { from });
    }
    await chat.close();
    // a message without blocks reaches the model as a placeholder, an image as the wire has it
    const sent = t.model.requests.map(({ body }) => body.messages.at(-1)?.content);
    for (const at of [1, 2, 3]) expect(sent[at]).toMatch(/\S/);
    expect(JSON.stringify(sent[5])).toContain('data:image/png;base64,iVBORw0KGgo=');
    t.sound(chat);
  });

  blackBox('what has no answer gets none, what has one gets it also where it is false', async (t) => {
    const chat = t.chat();
    await chat.until('LoopStarted');
    const none = ['CancelQueuedInput', 'ResumeQueue', 'ApproveToolCall', 'DenyToolCall', 'ProvideUserInput'];
    for (const type of none) {
      chat.send({
        type,
        command_id: type,
        agency: 'user',
        target_command_id: 'x',
        tool_execution_id: 'x',
        answer: 'x',
      });
    }
    chat.send({ type: 'Interrupt', command_id: 'i' });
    chat.send({ type: 'MoveQueuedInput', command_id: 'm', target_command_id: 'x', before_command_id: 'y' });
    chat.send({ type: 'SetQueuedInput', command_id: 's', target_command_id: 'x' });
    chat.send({ type: 'Compact', command_id: 'c' });
    await untilAck(chat, 'c');
    expect(chat.errors).toEqual([
      { ack: { command_id: 'i', cancelled: false } },
      { ack: { command_id: 'm', moved: false } },
      { ack: { command_id: 's', changed: false } },
      { ack: { command_id: 'c', compacted: false, reason: expect.stringMatching(/\S/) } },
    ]);
    expect(typesOf(chat.events())).toEqual(['SessionStarted', 'LoopStarted']);
    await chat.close();
  });
});
