/** The public codec: durable events only, deliveries of both classes, commands as stdio reads them. */
import { expect, test } from 'vitest';
import {
  type Command,
  type CommandType,
  createScriptedModel,
  createSession,
  type Delivery,
  decodeCommand,
  decodeDelivery,
  decodeEvent,
  encodeCommand,
  encodeDelivery,
  encodeEvent,
  InvalidEventError,
  isEnduring,
  ProviderError,
  RestoredError,
  script,
  WireError,
} from '../../src/index.ts';

async function someDeliveries(): Promise<Delivery[]> {
  const model = createScriptedModel([[script.text('Hm.'), script.fail(new ProviderError('provider_auth', 'No key.'))]]);
  const session = await createSession({ model });
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  await session.submit([{ type: 'text', text: 'one' }]);
  await session.submit([{ type: 'text', text: 'two' }], { noFold: true });
  const deliveries: Delivery[] = [];
  for await (const delivery of subscription) {
    deliveries.push(delivery);
    if (delivery.event.type === 'LoopIdle') break;
  }
  return deliveries;
}

test('enduring events go out and come back; ephemeral ones are refused by name', async () => {
  const refused = new Set<string>();
  for (const { event } of await someDeliveries()) {
    if (!isEnduring(event)) {
      expect(() => encodeEvent(event)).toThrow(new WireError(`${event.type} is ephemeral and is never journaled`));
      const wire = JSON.parse(encodeDelivery({ event, journalSeq: 0 })).event;
      expect(() => decodeEvent(wire)).toThrow(`${event.type} is ephemeral`);
      refused.add(event.type);
      continue;
    }
    const back = decodeEvent(JSON.parse(JSON.stringify(encodeEvent(event))));
    if (event.type === 'TurnFailed') {
      expect(back).toMatchObject({ failure: { kind: 'provider_auth', message: 'No key.' } });
      expect(back).toHaveProperty('err', expect.any(RestoredError));
    } else expect(back).toEqual(event);
  }
  expect([...refused].sort()).toEqual(['InputQueued', 'TokenDelta']);
});

test('an event that is not valid does not go out', async () => {
  const started = (await someDeliveries()).find(({ event }) => event.type === 'TurnStarted')?.event;
  if (!started) throw new Error('no turn');
  expect(() => encodeEvent({ ...started, turnId: '' } as typeof started)).toThrow(InvalidEventError);
});

test('deliveries of both classes, as stdio prints them', async () => {
  for (const delivery of await someDeliveries()) {
    if (delivery.event.type === 'TurnFailed') continue;
    expect(decodeDelivery(encodeDelivery(delivery))).toEqual(delivery);
    expect(decodeDelivery(encodeDelivery({ ...delivery, dropped: 3 }))).toEqual({ ...delivery, dropped: 3 });
  }
  expect(() => decodeDelivery('{"ack":{"command_id":"c"}}')).toThrow(WireError);
  expect(() => decodeDelivery('[]')).toThrow('is no object');
});

const head = { commandId: 'c', agency: 'user' as const };
const commands: { [K in CommandType]: Extract<Command, { type: K }> } = {
  UserInput: {
    type: 'UserInput',
    ...head,
    blocks: [
      { type: 'text', text: 'a_B' },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
    ],
    noFold: true,
    loopId: 'l',
  },
  CancelQueuedInput: { type: 'CancelQueuedInput', ...head, targetCommandId: 't' },
  Interrupt: { type: 'Interrupt', ...head, loopId: 'l' },
  ResumeQueue: { type: 'ResumeQueue', ...head },
  MoveQueuedInput: { type: 'MoveQueuedInput', ...head, targetCommandId: 't', beforeCommandId: 'b' },
  SetQueuedInput: { type: 'SetQueuedInput', ...head, targetCommandId: 't', noFold: false },
  SendQueuedInput: { type: 'SendQueuedInput', ...head, targetCommandId: 't' },
  ApproveToolCall: { type: 'ApproveToolCall', ...head, toolExecutionId: 'x', scope: 'session' },
  DenyToolCall: { type: 'DenyToolCall', ...head, toolExecutionId: 'x', reason: 'no' },
  ProvideUserInput: { type: 'ProvideUserInput', ...head, toolExecutionId: 'x', answer: 'yes' },
  StartLoop: { type: 'StartLoop', ...head, agentName: 'second' },
  SetActiveLoop: { type: 'SetActiveLoop', ...head, loopId: 'l' },
  SetModel: { type: 'SetModel', ...head, model: 'm', provider: 'p' },
  Compact: { type: 'Compact', ...head },
  RenameSession: { type: 'RenameSession', ...head, name: 'n' },
  Shutdown: { type: 'Shutdown', ...head, agency: 'machine' },
};

test.each(Object.values(commands))('a command as stdio reads it: $type', (command) => {
  expect(decodeCommand(encodeCommand(command), () => 'made up')).toEqual({ ok: true, command });
});

test('a command in the words of the wire', () => {
  expect(JSON.parse(encodeCommand(commands.UserInput))).toEqual({
    type: 'UserInput',
    command_id: 'c',
    agency: 'user',
    blocks: [
      { type: 'text', text: 'a_B' },
      { type: 'image', media_type: 'image/png', data: 'QUJD' },
    ],
    no_fold: true,
    loop_id: 'l',
  });
});
