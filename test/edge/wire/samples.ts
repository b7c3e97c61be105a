/** Random domain values for the wire's and the journal's property tests. */
import * as fc from 'fast-check';
import type { Event, EventBody, EventType } from '../../../src/domain/event.ts';
import { FAILURE_KINDS, RestoredError } from '../../../src/domain/failure.ts';
import { CANCEL_REASONS, REJECT_REASONS } from '../../../src/domain/turn-event.ts';

const settings = (numRuns: number) => ({
  seed: Number(process.env.FC_SEED ?? 7),
  numRuns: Number(process.env.FC_RUNS ?? numRuns),
});
/** Checks a property with a fixed seed; FC_SEED and FC_RUNS look elsewhere and longer. */
export const holds = <T>(property: fc.IProperty<T>, numRuns = 100): void => {
  void fc.assert(property, settings(numRuns));
};
export const holdsLater = <T>(property: fc.IAsyncProperty<T>, numRuns = 100): Promise<void> =>
  fc.assert(property, settings(numRuns));

/** Any UTF-16, lone surrogates, U+2028 and NUL among it. */
export const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    '\ud800',
    'a\udc00b',
    '\u2028\u2029',
    '\0\x1b[31m',
    '\uFEFF',
    '\n\r\n',
    '0',
    'false',
    '__proto__',
  ),
);
const filled = anyText.filter((text) => text !== '');
const id = fc.uuid();
const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined });
const whole = fc.oneof(fc.constant(0), fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER));
const index = fc.integer({ min: 1, max: 1e6 });

const anyUsage = fc
  .record({
    inputTokens: whole,
    outputTokens: whole,
    cacheReadTokens: whole,
    cacheCreationTokens: whole,
    part: fc.nat(100),
  })
  .map(({ part, ...usage }) => ({ ...usage, reasoningTokens: Math.floor((usage.outputTokens * part) / 100) }))
  .filter((usage) => usage.reasoningTokens <= usage.outputTokens);
const isSome = (usage: object) => Object.values(usage).some((n) => n !== 0);

const text = fc.record({ type: fc.constant('text' as const), text: anyText });
const image = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constant('image/png'),
  data: fc.base64String(),
});
const inputBlocks = fc.array(fc.oneof(text, image), { maxLength: 3 });
const userMessage = fc.record({ role: fc.constant('user' as const), blocks: inputBlocks });
const toolInput = fc.dictionary(
  fc.oneof(anyText, fc.constantFrom('fooBar', 'snake_case', '__proto__', 'toolUseId')),
  fc.jsonValue(),
  { noNullPrototype: true },
);

const said = fc.oneof(
  text,
  fc.record({ type: fc.constant('thinking' as const), text: anyText }),
  fc.record({ type: fc.constant('refusal' as const), text: anyText }),
);
const flag = fc.option(fc.constant(true as const), { nil: undefined });
const assistant = <B>(blocks: fc.Arbitrary<B[]>) =>
  fc.record({
    role: fc.constant('assistant' as const),
    blocks,
    usage: maybe(anyUsage.filter(isSome)),
    truncated: flag,
  });
const answer = assistant(fc.array(said, { minLength: 1, maxLength: 3 }));

const stepMessages = fc
  .tuple(
    answer,
    fc.uniqueArray(
      fc.record({
        id: filled,
        name: anyText,
        input: toolInput,
        extra: fc.option(toolInput, { nil: undefined }),
        content: inputBlocks,
        isError: flag,
      }),
      {
        maxLength: 3,
        selector: (call) => call.id,
      },
    ),
  )
  .map(([first, calls]) => [
    {
      ...first,
      blocks: [
        ...first.blocks,
        ...calls.map((c) => ({
          type: 'tool_use' as const,
          id: c.id,
          name: c.name,
          input: c.input,
          ...(c.extra && { extra: c.extra }),
        })),
      ],
    },
    ...calls.map((c) => ({
      role: 'tool' as const,
      blocks: [{ type: 'tool_result' as const, toolUseId: c.id, content: c.content, isError: c.isError }],
    })),
  ]);

const cause = fc.record({
  commandId: filled,
  agency: fc.constantFrom('user' as const, 'machine' as const),
  loopId: maybe(id),
});
const failure = fc.record({ kind: fc.constantFrom(...FAILURE_KINDS), message: anyText });
const ofLoop = { loopId: id };
const ofTurn = { ...ofLoop, turnId: id };
const ofStep = { ...ofTurn, stepId: id };
const ofCall = { ...ofStep, toolExecutionId: id, toolUseId: anyText };
const scope = fc.constantFrom('once' as const, 'session' as const, 'always' as const);
const optional = (text: fc.Arbitrary<string>) => maybe(text.filter((t) => t !== ''));

const bodies: { [K in EventType]: Record<string, fc.Arbitrary<unknown>> } = {
  SessionStarted: {
    model: anyText,
    provider: anyText,
    cwd: anyText,
    appVersion: anyText,
    forkedFrom: maybe(id),
    forkedAtSeq: maybe(index),
  },
  SessionActive: {},
  SessionIdle: {},
  SessionStopped: {},
  SessionRenamed: { name: anyText, cause: maybe(cause) },
  RestoreStarted: {},
  RestoreDone: {},
  RestoreErrored: { err: failure },
  LoopStarted: { ...ofLoop, agentName: anyText, model: anyText, cause: maybe(cause) },
  LoopIdle: ofLoop,
  ActiveLoopChanged: { ...ofLoop, previousLoopId: id, activeLoopId: id },
  ModelChanged: { ...ofLoop, model: anyText, provider: anyText },
  HistoryCompacted: { ...ofLoop, summary: anyText, keptFromStepId: maybe(id), usage: anyUsage },
  InputQueued: { ...ofLoop, cause },
  TurnStarted: { ...ofTurn, cause, turnIndex: index, message: userMessage },
  TurnFoldedInto: { ...ofTurn, cause, turnIndex: index, message: userMessage },
  InputCancelled: { ...ofLoop, cause, reason: fc.constantFrom(...CANCEL_REASONS), message: userMessage },
  TurnRejected: { ...ofLoop, cause, reason: fc.constantFrom(...REJECT_REASONS) },
  TokenDelta: {
    ...ofStep,
    turnIndex: index,
    chunk: fc.oneof(
      said,
      fc.record({
        type: fc.constant('tool_use' as const),
        index: fc.nat(9),
        id: anyText,
        name: anyText,
        inputJson: anyText,
      }),
    ),
  },
  ToolCallStarted: { ...ofCall, toolName: anyText, summary: anyText },
  ToolCallCompleted: {
    ...ofCall,
    toolName: anyText,
    summary: anyText,
    isError: fc.boolean(),
    resultPreview: anyText,
    durationMs: fc.nat(),
  },
  InferenceRetrying: { ...ofStep, attempt: fc.nat(4), maxAttempts: fc.constant(5), waitMs: fc.nat(), err: failure },
  PermissionRequested: {
    ...ofCall,
    request: fc.record({
      toolName: anyText,
      summary: anyText,
      detail: anyText,
      scopes: fc.array(fc.record({ scope, covers: anyText }), { maxLength: 3 }),
    }),
  },
  PermissionDecided: {
    ...ofCall,
    effect: fc.constantFrom('approve', 'deny'),
    source: fc.constantFrom('user', 'policy', 'abandoned'),
    scope: maybe(scope),
    reason: optional(anyText),
  },
  UserInputRequested: { ...ofCall, question: anyText, choices: fc.array(anyText, { maxLength: 3 }) },
  StepDone: { ...ofStep, messages: stepMessages },
  TurnDone: { ...ofTurn, turnIndex: index, message: answer, usage: anyUsage },
  TurnFailed: { ...ofTurn, turnIndex: index, failure },
  TurnInterrupted: { ...ofTurn, turnIndex: index },
};

/** What is undefined is not there: on the wire there is no difference. */
const pruned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, pruned(each)]));
};

export const eventOf = (type: EventType): fc.Arbitrary<Event> =>
  fc
    .record({
      type: fc.constant(type),
      v: fc.constant(1 as const),
      sessionId: id,
      eventId: id,
      createdAt: fc.constant('2026-01-02T03:04:05.678Z'),
      ...bodies[type],
    })
    .map((event) => {
      const failed = event as unknown as EventBody;
      if (failed.type === 'TurnFailed') failed.err = new RestoredError(failed.failure.kind, failed.failure.message);
      return pruned(event) as Event;
    });
export const anyEvent = (types: readonly EventType[]): fc.Arbitrary<Event> => fc.oneof(...types.map(eventOf));
export const allTypes = Object.keys(bodies) as EventType[];

export const anyCommand = fc
  .oneof(
    fc.record({ type: fc.constant('UserInput' as const), blocks: inputBlocks, noFold: flag, loopId: maybe(id) }),
    fc.record({
      type: fc.constant('MoveQueuedInput' as const),
      targetCommandId: filled,
      beforeCommandId: optional(anyText),
    }),
    fc.record({ type: fc.constant('SetQueuedInput' as const), targetCommandId: filled, noFold: fc.boolean() }),
  )
  .chain((body) =>
    fc
      .record({ commandId: filled, agency: fc.constantFrom('user' as const, 'machine' as const) })
      .map((h) => pruned({ ...body, ...h })),
  );
