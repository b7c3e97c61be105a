/**
 * A program that uses the library by its types alone: it is compiled with everything else and never run. What stops
 * compiling here breaks the programs of others.
 */
import type * as harness from '../../src/index.ts';
import {
  createDemoModel,
  createOpenAiModel,
  createScriptedModel,
  createSession,
  defineTool,
  eventTraits,
  findError,
  isReply,
  isTerminal,
  openMemoryJournal,
  openSessionFile,
  ProviderError,
  replyTo,
  script,
  validateEvent,
} from '../../src/index.ts';

/** True where the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(..._: T[]): void => undefined;

is<Same<harness.InputBlock, harness.TextBlock | harness.ImageBlock>>();
is<Same<harness.Terminal['type'], 'TurnDone' | 'TurnFailed' | 'TurnInterrupted'>>();
is<Same<harness.Reply['type'], 'InputQueued' | 'TurnStarted' | 'TurnFoldedInto' | 'InputCancelled' | 'TurnRejected'>>();
is<Same<harness.Resolution, Exclude<harness.Reply, harness.InputQueued>>>();
is<Same<harness.CancelReason, 'client_retracted' | 'turn_interrupted' | 'turn_failed'>>();
is<Same<harness.RejectReason, 'queue_full' | 'shutting_down' | 'internal'>>();
is<Same<harness.ApprovalMode, 'ask' | 'auto' | 'deny'>>();
is<Same<harness.Outcome, 'completed' | 'denied' | 'failed' | 'canceled'>>();
is<Same<harness.GuardedOperation, 'Turn' | 'Step' | 'Inference' | 'ToolCall'>>();
is<Same<Exclude<harness.Operation, harness.GuardedOperation>, 'ToolExecution' | 'GateWait' | 'JournalAppend'>>();
is<Same<keyof typeof eventTraits, harness.EventType>>();
is<Same<ReturnType<harness.Session['submit']>, Promise<harness.CommandId>>>();
is<Same<ReturnType<harness.Session['cancelQueuedInput']>, void>>();
is<Same<ReturnType<harness.Session['interrupt']>, Promise<boolean>>>();

/** Nothing but the model must be said. */
export const smallest: harness.SessionOptions = { model: createDemoModel() };

export const all: Required<harness.SessionOptions> = {
  model: (_provider, _modelName) => createOpenAiModel({ baseUrl: 'http://127.0.0.1:11434/v1' }),
  modelName: 'm',
  provider: 'p',
  tools: [
    defineTool({
      name: 'n',
      description: 'd',
      parameters: { a: { type: 'string' }, b: { type: 'integer', optional: true }, c: { type: 'boolean' } },
      run(input) {
        is<Same<typeof input, { a: string; c: boolean } & { b?: number }>>();
        // @ts-expect-error: no such parameter
        return input.d;
      },
    }),
  ],
  hooks: {
    guards: { ToolCall: [({ data }) => (data.toolName === 'n' ? { deny: 'why' } : undefined)] },
    around: {
      Step: [
        ({ data }) =>
          (outcome) =>
            void [data.index.toFixed(), outcome === 'canceled'],
      ],
    },
  },
  system: () => 'be brief',
  cwd: '/',
  clock: { now: () => 0, after: () => () => undefined },
  ids: () => 'id',
  journal: openMemoryJournal(),
  approval: 'ask',
  attended: true,
  limits: { maxSteps: 1 },
  inboxLimit: 1,
  afterInterrupt: 'start',
  toolTimeoutMs: 1,
  ruleBook: { rules: () => [], add: async () => undefined },
  log: (message, fields) => void [message, fields],
};

// @ts-expect-error: an event's name is one of the set
export const noSuchEvent: harness.EventType = 'StepStarted';
// @ts-expect-error: a session needs a model
export const noModel: harness.SessionOptions = {};

export async function use(signal: AbortSignal): Promise<void> {
  const journal = await openSessionFile('chat.jsonl');
  const session: harness.Session = await createSession({ model: createScriptedModel([[script.text('ok')]]), journal });
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: new Set(['loop']) });
  const commandId: string = await session.submit([{ type: 'text', text: 'hi' }], { noFold: true, signal });
  session.cancelQueuedInput(commandId);
  const cancelled: boolean = await session.interrupt();
  for await (const { event, journalSeq, dropped } of subscription) {
    validateEvent(event);
    if (isReply(event) && replyTo(event) === commandId) is<Same<typeof event.cause.agency, 'user' | 'machine'>>();
    if (isTerminal(event)) is<Same<typeof event.turnIndex, number>>();
    if (event.type === 'TurnFailed') void findError(event.err, ProviderError)?.kind;
    if (event.type === 'StepDone') void event.messages[0].usage?.reasoningTokens;
    if (event.type === 'TokenDelta' && event.chunk.type === 'tool_use') void event.chunk.inputJson;
    const { class: eventClass, scope, visibility, endsTurn } = eventTraits[event.type];
    void [journalSeq.toFixed(), dropped?.toFixed(), eventClass, scope, visibility, endsTurn, cancelled];
  }
  const { total, estimated, window, parts }: harness.LoopContext = await session.context();
  const kinds: harness.ContextKind[] = parts.map(({ kind, tokens }: harness.ContextPart) =>
    tokens > 0 ? kind : 'system',
  );
  void [total.toFixed(), estimated.toFixed(), window?.toFixed(), kinds];
  const error: Error | undefined = subscription.err;
  subscription.close();
  for await (const { journalSeq } of session.readEvents({ after: 3 })) void journalSeq;
  const fault: Error | undefined = await session.ended;
  await session.shutdown();
  void [error, fault];
}
