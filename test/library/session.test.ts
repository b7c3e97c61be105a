/** createSession: what a program gets with nothing but a model, and what each argument changes. */
import { mkdtemp, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createScriptedModel,
  createSession,
  type Delivery,
  defineTool,
  type Event,
  type EventType,
  GuardError,
  ImpossibleHistoryError,
  JournalError,
  type ModelRequest,
  openMemoryJournal,
  type Session,
  type SessionOptions,
  script,
} from '../../src/index.ts';
import { fakeClock } from '../support/fake-clock.ts';

const say = (text: string) => [{ type: 'text' as const, text }];

async function journaled(session: Session, after = 0): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for await (const delivery of session.readEvents({ after })) deliveries.push(delivery);
  return deliveries;
}
const typesOf = (deliveries: Delivery[]): EventType[] => deliveries.map(({ event }) => event.type);

/** Runs one input to the end of its Turn and gives the events that were seen. */
async function ask(session: Session, text = 'hi'): Promise<Event[]> {
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  await session.submit(say(text));
  const events: Event[] = [];
  for await (const { event } of subscription) {
    events.push(event);
    if (event.type === 'LoopIdle') break;
  }
  return events;
}

test('a model alone makes a session', async () => {
  const model = createScriptedModel([[script.text('Hello.')]]);
  const session = await createSession({ model });
  expect(await journaled(session)).toMatchObject([
    {
      journalSeq: 1,
      event: { type: 'SessionStarted', model: 'default', provider: 'custom', cwd: await realpath(process.cwd()) },
    },
    { journalSeq: 2, event: { type: 'LoopStarted', agentName: 'main' } },
  ]);
  expect(session.snapshot()).toMatchObject({
    sessionId: session.id,
    approval: 'ask',
    loops: [{ busy: false, queue: [] }],
  });
  expect((await ask(session)).map(({ type }) => type)).toContain('TurnDone');
  expect(model.requests).toMatchObject([{ model: 'default', system: '', tools: [], messages: [{ role: 'user' }] }]);
  await session.shutdown();
  expect(await session.ended).toBeUndefined();
  expect(typesOf(await journaled(session)).at(-1)).toBe('SessionStopped');
});

test('readEvents begins behind a sequence number', async () => {
  const session = await createSession({ model: createScriptedModel([], [script.text('ok')]) });
  await ask(session);
  const all = await journaled(session);
  expect(await journaled(session, 2)).toEqual(all.filter(({ journalSeq }) => journalSeq > 2));
  // commands are records too, and no events
  const seqs = all.map(({ journalSeq }) => journalSeq);
  expect(seqs.slice(0, 3)).toEqual([1, 2, 4]);
});

test('clock, ids, names, prompt and workspace are arguments', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library-'));
  const link = `${folder}-link`;
  await symlink(folder, link);
  const model = createScriptedModel([], [script.text('ok')]);
  let made = 0;
  let asked = 0;
  const session = await createSession({
    model,
    modelName: 'm',
    provider: 'p',
    clock: fakeClock(),
    ids: () => `id-${++made}`,
    system: async () => `prompt ${++asked}`,
    cwd: link,
  });
  const [started] = await journaled(session);
  expect(started?.event).toMatchObject({ sessionId: 'id-1', model: 'm', provider: 'p', cwd: await realpath(folder) });
  expect(started?.event.createdAt).toBe(new Date(fakeClock().now()).toISOString());
  await ask(session);
  await ask(session);
  expect(model.requests.map(({ system }) => system)).toEqual(['prompt 1', 'prompt 2']);
  await session.shutdown();
});

test('a function gives the model, anew at each turn', async () => {
  const asked: string[] = [];
  const requests: ModelRequest[] = [];
  const session = await createSession({
    modelName: 'one',
    provider: 'p',
    model(provider, name) {
      asked.push(`${provider}/${name}`);
      return {
        async *stream(request) {
          requests.push(request);
          yield { type: 'chunk', chunk: { type: 'text', text: name } };
          yield { type: 'end', finish: 'stop' };
        },
      };
    },
  });
  await ask(session);
  await session.execute({ type: 'SetModel', commandId: 'c', agency: 'user', model: 'two' });
  await ask(session);
  expect(asked).toEqual(['p/one', 'p/two']);
  expect(requests.map(({ model }) => model)).toEqual(['one', 'two']);
});

const write = defineTool({
  name: 'write',
  description: 'Writes.',
  parameters: {},
  changes: true,
  run: () => 'written',
});
const writes = () => createScriptedModel([[script.toolCall('write', {})], [script.text('ok')]]);

test.each<[string, Partial<SessionOptions>, string]>([
  ['ask, with nobody there', {}, 'deny policy'],
  ['deny', { approval: 'deny', attended: true }, 'deny policy'],
  ['auto', { approval: 'auto' }, 'approve policy'],
  [
    'a rule',
    { ruleBook: { rules: () => [{ toolName: 'write', covers: 'write {}' }], add: async () => undefined } },
    'approve policy',
  ],
])('a gated call: %s', async (_, options, expected) => {
  const session = await createSession({ model: writes(), tools: [write], ...options });
  const decided = (await ask(session)).flatMap((event) =>
    event.type === 'PermissionDecided' ? [`${event.effect} ${event.source}`] : [],
  );
  expect(decided).toEqual([expected]);
});

test('a gated call that the program answers; its grant holds for the next', async () => {
  const model = createScriptedModel([
    [script.toolCall('write', {})],
    [script.toolCall('write', {})],
    [script.text('ok')],
  ]);
  const session = await createSession({ model, tools: [write], attended: true });
  const subscription = session.subscribeEvents({ enduring: 'all' });
  await session.submit(say('write'));
  const seen: string[] = [];
  for await (const { event } of subscription) {
    if (event.type === 'PermissionRequested') {
      expect(event.request).toMatchObject({ toolName: 'write', scopes: [{ scope: 'session', covers: 'write {}' }] });
      const { toolExecutionId } = event;
      await session.execute({
        type: 'ApproveToolCall',
        commandId: 'yes',
        agency: 'user',
        toolExecutionId,
        scope: 'session',
      });
    }
    if (event.type === 'PermissionDecided') seen.push(`${event.effect} ${event.source} ${event.scope ?? ''}`);
    if (event.type === 'TurnDone') break;
  }
  expect(seen).toEqual(['approve user session', 'approve policy ']);
});

test('limits, hooks and the time of a tool', async () => {
  const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });
  const endless = createScriptedModel([], [script.toolCall('look', {})]);
  const limited = await createSession({
    model: endless,
    tools: [look],
    limits: { maxSteps: 2, maxToolCalls: undefined },
  });
  expect((await ask(limited)).map(({ type }) => type).filter((type) => type === 'StepDone')).toHaveLength(2);

  const guarded = await createSession({ model: endless, hooks: { guards: { Turn: [() => ({ deny: 'not today' })] } } });
  const failed = (await ask(guarded)).find((event) => event.type === 'TurnFailed');
  expect(failed).toMatchObject({ failure: { kind: 'hook_denied', message: 'not today' } });
  expect(failed?.err).toBeInstanceOf(GuardError);

  const clock = fakeClock();
  const never = defineTool({
    name: 'never',
    description: 'Never ends.',
    parameters: {},
    run: () => new Promise<string>(() => undefined),
  });
  const model = createScriptedModel([[script.toolCall('never', {})], [script.text('ok')]]);
  const patient = await createSession({ model, tools: [never], clock, toolTimeoutMs: 50 });
  const watched = patient.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  await patient.submit(say('hi'));
  const results: boolean[] = [];
  for await (const { event } of watched) {
    if (event.type === 'ToolCallStarted') clock.advance(60_000);
    if (event.type === 'ToolCallCompleted') results.push(event.isError);
    if (event.type === 'TurnDone') break;
  }
  expect(results).toEqual([true]);
});

test('afterInterrupt: start lets the next input go on by itself', async () => {
  const model = createScriptedModel([[script.hold('for ever')], [script.text('Second.')]]);
  const session = await createSession({ model, afterInterrupt: 'start' });
  await session.submit(say('one'));
  await session.submit(say('two'));
  await model.reached('for ever');
  const subscription = session.subscribeEvents({ enduring: 'all' });
  await session.interrupt();
  const types: EventType[] = [];
  for await (const { event } of subscription) {
    types.push(event.type);
    if (event.type === 'TurnDone') break;
  }
  expect(types).toEqual(['TurnInterrupted', 'TurnStarted', 'StepDone', 'TurnDone']);
});

test('a journal with records is gone on with: history, queue, names', async () => {
  const model = createScriptedModel([[script.text('One.')], [script.hold('crash')]]);
  const first = openMemoryJournal();
  const before = await createSession({ model, modelName: 'm', journal: first });
  await ask(before);
  await before.submit(say('two'));
  await model.reached('crash');
  const queued = await before.submit(say('three'));
  // what a crash leaves: the lines so far
  const journal = openMemoryJournal(first.lines);
  const again = createScriptedModel([], [script.text('Four.')]);
  const session = await createSession({ model: again, journal });
  expect(session.id).toBe(before.id);
  const restored = typesOf(await journaled(session));
  expect(restored.slice(restored.indexOf('RestoreStarted'))).toEqual(
    expect.arrayContaining(['TurnInterrupted', 'RestoreDone']),
  );
  expect(session.snapshot().loops).toMatchObject([{ model: 'm', paused: true, queue: [{ commandId: queued }] }]);
  await expect(session.submit(say('again'), { commandId: queued })).rejects.toThrow('used before');
  await session.execute({ type: 'ResumeQueue', commandId: 'go', agency: 'user' });
  await session.drain();
  expect(again.requests[0]?.model).toBe('m');
  expect(again.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
  await before.shutdown();
});

test('a restored session asked for with another model uses that one', async () => {
  const journal = openMemoryJournal();
  await (await createSession({ model: createScriptedModel(), modelName: 'old', journal })).shutdown();
  const model = createScriptedModel([], [script.text('ok')]);
  const session = await createSession({ model, modelName: 'new', journal: openMemoryJournal(journal.lines) });
  expect((await journaled(session)).at(-1)?.event).toMatchObject({
    type: 'ModelChanged',
    model: 'new',
    provider: 'custom',
  });
  await ask(session);
  expect(model.requests[0]?.model).toBe('new');
});

test('a journal that takes nothing, is damaged or contradicts itself: no session, and the journal is closed', async () => {
  const model = createScriptedModel();
  const full = openMemoryJournal();
  full.failNext();
  await expect(createSession({ model, journal: full })).rejects.toBeInstanceOf(JournalError);
  await expect(full.append([])).rejects.toThrow('closed');
  const damaged = openMemoryJournal(['{"seq":1}']);
  await expect(createSession({ model, journal: damaged })).rejects.toThrow('the record holds neither');
  await expect(damaged.append([])).rejects.toThrow('closed');
  const whole = openMemoryJournal();
  const session = await createSession({ model, journal: whole });
  const twice = [whole.lines[0] as string, (whole.lines[0] as string).replace('"seq":1', '"seq":2')];
  await expect(createSession({ model, journal: openMemoryJournal(twice) })).rejects.toBeInstanceOf(
    ImpossibleHistoryError,
  );
  await session.shutdown();
});

test('a journal that fails for good ends the session with its error', async () => {
  const journal = openMemoryJournal();
  const session = await createSession({ model: createScriptedModel(), journal });
  journal.failNext();
  const refused = await session.submit(say('hi')).catch((error: unknown) => error);
  expect(refused).toMatchObject({ cause: expect.any(JournalError) });
  expect(await session.ended).toBeInstanceOf(JournalError);
});

test.each<[string, unknown]>([
  ['createSession needs a model', {}],
  ['createSession needs a model', { model: {} }],
  ['approval is "yes"; it must be one of ask, auto, deny', { approval: 'yes' }],
  ['afterInterrupt is "stop"', { afterInterrupt: 'stop' }],
  ['limits.maxSteps is 0; it must be a whole number from 1', { limits: { maxSteps: 0 } }],
  ['limits.maxToolCalls is NaN', { limits: { maxToolCalls: Number.NaN } }],
  ['inboxLimit is -1', { inboxLimit: -1 }],
  ['toolTimeoutMs is Infinity', { toolTimeoutMs: Number.POSITIVE_INFINITY }],
  ['tools: two of them are named "write"', { tools: [write, write] }],
  ['/not/there', { cwd: '/not/there' }],
])('an option that cannot be used: %s', async (message, options) => {
  const model = message.includes('a model') ? {} : { model: createScriptedModel() };
  await expect(createSession({ ...model, ...(options as object) } as SessionOptions)).rejects.toThrow(message);
});
