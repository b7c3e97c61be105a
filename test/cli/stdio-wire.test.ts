/** What a delivery looks like: its names, its coordinates, what is left out and what is always there. */
import { describe, expect } from 'vitest';
import { blackBox, type Chat, script, type WireEvent } from './black-box.ts';

const { say, hold, text, thinking, finish, call, toolCall, usage, httpReply, delta, drop } = script;
const STAMP = ['type', 'v', 'session_id', 'event_id', 'created_at'];
const LOOP = ['loop_id'];
const TURN = [...LOOP, 'turn_id'];
const STEP = [...TURN, 'step_id'];
const CALL = [...STEP, 'tool_execution_id', 'tool_use_id'];
/** The fields that are always there, and those that may be. */
const FIELDS: Record<string, [required: string[], optional?: string[]]> = {
  SessionStarted: [['model', 'provider', 'cwd', 'app_version']],
  SessionActive: [[]],
  SessionIdle: [[]],
  SessionStopped: [[]],
  SessionRenamed: [['name'], ['cause']],
  LoopStarted: [[...LOOP, 'agent_name', 'model'], ['cause']],
  LoopIdle: [LOOP],
  ActiveLoopChanged: [
    ['previous_loop_id', 'active_loop_id'],
    ['loop_id', 'cause'],
  ],
  ModelChanged: [
    ['model', 'provider'],
    ['loop_id', 'cause'],
  ],
  InputQueued: [[...LOOP, 'cause']],
  TurnStarted: [[...TURN, 'turn_index', 'message', 'cause']],
  TurnFoldedInto: [[...TURN, 'turn_index', 'message', 'cause']],
  InputCancelled: [
    [...LOOP, 'reason', 'message', 'cause'],
    ['turn_id', 'turn_index'],
  ],
  TurnRejected: [[...LOOP, 'reason', 'cause']],
  TokenDelta: [[...STEP, 'turn_index', 'chunk']],
  ToolCallStarted: [[...CALL, 'tool_name', 'summary']],
  ToolCallCompleted: [
    [...CALL, 'tool_name', 'summary'],
    ['is_error', 'result_preview', 'duration_ms'],
  ],
  InferenceRetrying: [[...STEP, 'attempt', 'max_attempts', 'wait_ms', 'err']],
  PermissionRequested: [[...CALL, 'request']],
  PermissionDecided: [
    [...CALL, 'effect', 'source'],
    ['scope', 'reason', 'cause'],
  ],
  UserInputRequested: [[...CALL, 'question'], ['choices']],
  StepDone: [[...STEP, 'messages']],
  TurnDone: [[...TURN, 'turn_index', 'message'], ['usage']],
  TurnFailed: [[...TURN, 'turn_index', 'err']],
  TurnInterrupted: [[...TURN, 'turn_index']],
};
const ALWAYS = new Set(['journal_seq', 'index', 'text', 'content', 'input']);

/** Paths of fields that are zero, empty or false, but for those that are always there and what a tool's input holds. */
function emptyFields(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'input') return [];
    const at = `${path}.${name}`;
    const empty =
      inner === 0 ||
      inner === '' ||
      inner === false ||
      inner === null ||
      JSON.stringify(inner) === '[]' ||
      JSON.stringify(inner) === '{}';
    return [...(empty && !ALWAYS.has(name) && !Array.isArray(value) ? [at] : []), ...emptyFields(inner, at)];
  });
}

function checkShape(chat: Chat): void {
  for (const { journal_seq, event } of chat.deliveries) {
    const [required, optional = []] = FIELDS[event.type] ?? [['an entry in the table']];
    const names = Object.keys(event);
    expect(names, event.type).toEqual(expect.arrayContaining([...STAMP, ...required]));
    expect([...STAMP, ...required, ...optional, 'agent_name'], event.type).toEqual(expect.arrayContaining(names));
    expect(emptyFields({ journal_seq, event }), event.type).toEqual([]);
    expect(event.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const id of [event.event_id, event.session_id, event.loop_id, event.turn_id, event.step_id]) {
      if (id) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    if (event.cause)
      expect([Object.keys(event.cause).sort(), event.type]).toEqual([
        expect.arrayContaining(['agency', 'command_id']),
        event.type,
      ]);
  }
}

const gateOf = (chat: Chat, n: number) =>
  chat
    .until(() => chat.events('PermissionRequested').length >= n)
    .then(() => chat.events('PermissionRequested')[n - 1] as WireEvent);

describe('every event', () => {
  blackBox('has its fields, no others, and none that is empty', async (t) => {
    t.model.reply(
      httpReply(503, { error: { message: 'busy' } }, { 'retry-after-ms': '20' }),
      [
        thinking('hm'),
        text('let me'),
        toolCall('shell', { command: 'true' }),
        toolCall('shell', {}),
        toolCall('shell', { command: 'echo 2; exit 3' }),
        hold('a'),
        finish('tool_calls'),
        usage(10, 0),
      ],
      call('ask_user', { question: 'Which?' }),
      [delta({ refusal: 'I will not.' }), finish('stop'), usage(0, 2)],
      say('two'),
      [text('x'), hold('b')],
      [text('y'), drop()],
    );
    const chat = t.chat({ args: ['--approval', 'ask'], env: { HARNESS_CHAT_INBOX_LIMIT: '3' } });
    chat.submit('one');
    await t.model.reached('a');
    chat.submit('folded', { agency: 'machine' });
    const own = chat.submit('two', { no_fold: true });
    const gone = chat.submit([]);
    chat.submit('too many');
    chat.retract(gone);
    await chat.until('TurnRejected');
    t.model.release('a');
    chat.send({
      type: 'ApproveToolCall',
      agency: 'user',
      tool_execution_id: (await gateOf(chat, 1)).tool_execution_id,
    });
    chat.send({ type: 'DenyToolCall', agency: 'user', tool_execution_id: (await gateOf(chat, 2)).tool_execution_id });
    const asked = await chat.until('UserInputRequested');
    chat.send({ type: 'ProvideUserInput', agency: 'user', tool_execution_id: asked.tool_execution_id });
    await chat.untilReply(own, 'TurnStarted');
    await chat.until('LoopIdle');
    chat.send({ type: 'StartLoop', command_id: 'start', agency: 'user', agent_name: 'second' });
    const second = await chat.until(({ cause }) => cause?.command_id === 'start');
    chat.send({ type: 'SetActiveLoop', agency: 'user', loop_id: second.loop_id });
    chat.send({ type: 'SetModel', agency: 'user', model: 'other' });
    chat.send({ type: 'RenameSession', agency: 'user', name: 'A name' });
    chat.submit('three');
    await t.model.reached('b');
    const machine = chat.submit('back', { agency: 'machine' });
    await chat.untilReply(machine, 'InputQueued');
    chat.interrupt();
    await chat.untilReply(machine, 'InputCancelled');
    chat.submit('four');
    await chat.until('TurnFailed');
    await chat.close();
    checkShape(chat);
    expect([...new Set(chat.events().map(({ type }) => type))].sort()).toEqual(Object.keys(FIELDS).sort());
    t.sound(chat);
    const steps = chat.events('StepDone');
    // an empty input is there, and so is the text of an empty result
    expect(steps[0]?.messages?.[0]?.blocks?.at(-2)).toEqual({
      type: 'tool_use',
      id: expect.any(String),
      name: 'shell',
      input: {},
    });
    expect(steps[0]?.messages?.[1]?.blocks?.[0]).toEqual({
      type: 'tool_result',
      tool_use_id: expect.any(String),
      content: expect.any(Array),
    });
    expect(steps[0]?.messages?.[0]?.usage).toEqual({ input_tokens: 10 });
    expect(chat.events('TurnDone')[0]?.usage).toEqual({ input_tokens: 20, output_tokens: 7 });
    expect(chat.events('TurnDone')[0]?.message?.blocks).toEqual([{ type: 'refusal', text: 'I will not.' }]);
    expect(chat.events('ModelChanged')[0]).toMatchObject({ model: 'other', loop_id: second.loop_id });
    expect(t.model.requests.slice(-2).map(({ body }) => body.model)).toEqual(['other', 'other']);
  });

  blackBox('numbers: journal_seq goes up with gaps where commands lie, 0 for what is ephemeral', async (t) => {
    const chat = t.chat();
    chat.submit('one');
    await chat.until('TurnDone');
    await chat.close();
    const enduring = chat.deliveries.filter(({ journal_seq }) => journal_seq > 0);
    // 3 is the input
    expect(enduring.map(({ journal_seq, event }) => [journal_seq, event.type])).toEqual([
      [1, 'SessionStarted'],
      [2, 'LoopStarted'],
      [4, 'SessionActive'],
      [5, 'TurnStarted'],
      [6, 'StepDone'],
      [7, 'TurnDone'],
      [8, 'LoopIdle'],
      [9, 'SessionIdle'],
      [10, 'SessionStopped'],
    ]);
  });
});
