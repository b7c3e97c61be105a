/** A real session on a scripted model and a journal in memory: what a scenario drives. Nothing in it keeps time. */
import type { Command } from '../../src/domain/command.ts';
import { textOf } from '../../src/domain/content.ts';
import type { Delivery, Event, EventType } from '../../src/domain/event.ts';
import { coordinatesOf } from '../../src/domain/event.ts';
import type { Hooks } from '../../src/domain/hook.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { type MemoryJournal, openMemoryJournal } from '../../src/edge/journal/memory-journal.ts';
import { createScriptedModel, type ScriptedModel, type ScriptReply, text } from '../../src/edge/models/scripted.ts';
import { uuidSource } from '../../src/edge/uuid.ts';
import type { TurnLimits } from '../../src/loop/limits.ts';
import { newSession } from '../../src/loop/state.ts';
import { HookRunner } from '../../src/runtime/hook-runner.ts';
import { LiveSession } from '../../src/runtime/live-session.ts';
import type { Model, RuleBook } from '../../src/runtime/ports.ts';
import { restoreFrom } from '../../src/runtime/restore.ts';
import type { Answer, ApprovalMode, Subscription } from '../../src/runtime/session.ts';
import type { Beginning } from '../../src/runtime/session-parts.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

export interface RigOptions {
  replies?: ScriptReply[];
  tools?: Tool[];
  approval?: ApprovalMode;
  attended?: boolean;
  limits?: Partial<TurnLimits>;
  inboxLimit?: number;
  afterInterrupt?: 'pause' | 'start';
  hooks?: Hooks;
  ruleBook?: RuleBook;
  /** What happened beside the Turns; taken once. */
  notices?: string[];
  /** Of the model, in tokens. */
  window?: number;
  /** Its server gets its thinking back. */
  thinking?: boolean;
  /** Lines of a journal to go on from. */
  lines?: readonly string[];
}

type Match = EventType | ((event: Event) => boolean);

interface RigParts {
  session: LiveSession;
  model: ScriptedModel;
  journal: MemoryJournal;
  clock: FakeClock;
  subscription: Subscription;
}

export class Rig {
  readonly session: LiveSession;
  readonly model: ScriptedModel;
  readonly journal: MemoryJournal;
  readonly clock: FakeClock;
  readonly subscription: Subscription;
  readonly deliveries: Delivery[] = [];
  readonly answers: Answer[] = [];
  readonly #waiting = new Set<() => void>();
  #commands = 0;

  constructor({ session, model, journal, clock, subscription }: RigParts) {
    this.session = session;
    this.model = model;
    this.journal = journal;
    this.clock = clock;
    this.subscription = subscription;
    void this.#collect();
  }

  /** Puts another model in the script's place; resolves when it is asked. */
  modelInstead: (model: Model) => Promise<void> = async () => undefined;
  /** Groups that were appended, or tried to. */
  appends: () => number = () => 0;

  events<T extends EventType>(type: T): Event<Extract<Event, { type: T }>>[] {
    return this.deliveries.map(({ event }) => event).filter((event) => event.type === type) as never;
  }

  /** Sends a command of a person; its id is its name in the log. */
  send(command: Record<string, unknown> & { type: Command['type'] }): Promise<Answer> {
    this.#commands += 1;
    const full = { commandId: `${command.type}-${this.#commands}`, agency: 'user', ...command } as Command;
    return this.session.execute(full).then(async (answer) => {
      this.answers.push(answer);
      await delivered();
      return answer;
    });
  }

  async shutdown(): Promise<void> {
    await this.session.shutdown();
    await delivered();
  }

  async drain(): Promise<void> {
    await this.session.drain();
    await delivered();
  }

  say(
    commandId: string,
    options: { noFold?: boolean; agency?: 'user' | 'machine'; loopId?: string } = {},
  ): Promise<Answer> {
    return this.send({ type: 'UserInput', commandId, blocks: [{ type: 'text', text: commandId }], ...options });
  }

  /** The first delivery from the `from`th on that matches; waits for it. */
  async until(match: Match, from = 0): Promise<Event> {
    const test = typeof match === 'string' ? (event: Event) => event.type === match : match;
    for (let at = from; ; ) {
      for (; at < this.deliveries.length; at += 1) {
        const { event } = this.deliveries[at] as Delivery;
        if (!test(event)) continue;
        await delivered();
        return event;
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  resolutionOf(commandId: string): EventType[] {
    return this.deliveries
      .filter(({ event }) => coordinatesOf(event).cause?.commandId === commandId && event.type !== 'InputQueued')
      .map(({ event }) => event.type);
  }

  /** The event log as a reviewer reads it: one line a delivery, ids by the order of their appearance. */
  log(): string {
    const names = new Map<string, string>();
    const name = (prefix: string, id: string): string => {
      if (!names.has(id))
        names.set(id, `${prefix}${[...names.values()].filter((n) => n.startsWith(prefix)).length + 1}`);
      return names.get(id) as string;
    };
    return `${this.deliveries.map((delivery) => lineOf(delivery, name)).join('\n')}\n`;
  }

  async #collect(): Promise<void> {
    for await (const delivery of this.subscription) {
      this.deliveries.push(delivery);
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    }
  }
}

/** What is out by now has reached the subscriber. */
const delivered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const IGNORED = new Set(['type', 'v', 'sessionId', 'eventId', 'createdAt', 'err', 'appVersion', 'cwd']);
const IDS: Record<string, string> = {
  loopId: 'L',
  turnId: 'T',
  stepId: 'S',
  toolExecutionId: 'X',
  activeLoopId: 'L',
  previousLoopId: 'L',
};

function lineOf({ journalSeq, event }: Delivery, name: (prefix: string, id: string) => string): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(event)) {
    if (IGNORED.has(key) || value === undefined) continue;
    if (IDS[key]) parts.push(name(IDS[key], value as string));
    else if (key === 'cause') parts.push(`for ${(value as { commandId: string }).commandId}`);
    else if (key === 'message') parts.push(JSON.stringify(textOf(value as never)));
    else if (key === 'messages') parts.push((value as never[]).map(messageLine).join(' '));
    else if (key === 'usage') parts.push(`usage ${Object.values(value as object).join('/')}`);
    else parts.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  return `${String(journalSeq).padStart(3)} ${event.type} ${parts.join(' ')}`.trimEnd();
}

const messageLine = (message: {
  role: string;
  blocks: { type: string; name?: string; toolUseId?: string; isError?: boolean }[];
}): string => {
  const inner = message.blocks.map((block) => {
    if (block.type === 'tool_use') return `call ${block.name}`;
    if (block.type === 'tool_result') return `${block.isError ? 'error' : 'result'} of ${block.toolUseId}`;
    return `${block.type} ${JSON.stringify((block as { text?: string }).text)}`;
  });
  return `${message.role}[${inner.join(', ')}]`;
};

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const clock = fakeClock();
  const newId = uuidSource(clock.now, (bytes) => bytes.fill(7));
  const model = createScriptedModel(options.replies ?? [], [text('ok')]);
  const journal = openMemoryJournal(options.lines ?? []);
  const restored = options.lines && (await restoreFrom(journal.read()));
  const sessionId = restored?.state.sessionId ?? newId();
  const beginning: Beginning = restored
    ? { type: 'restored', ...restored }
    : {
        type: 'new',
        input: { type: 'start', model: 'scripted', provider: 'test', cwd: '/work', appVersion: '0', agentName: 'main' },
      };
  let instead: Model | undefined;
  const session = new LiveSession(
    {
      sessionId,
      cwd: '/work',
      journal,
      beginning,
      models: { resolve: async () => instead ?? model },
      tools: () => options.tools ?? [],
      system: async () => 'be brief',
      limits: () => ({ maxSteps: 25, maxToolCalls: 100, ...options.limits }),
      toolTimeoutMs: () => 120_000,
      approval: options.approval ?? 'auto',
      attended: () => options.attended ?? true,
      ruleBook: options.ruleBook ?? { rules: () => [], add: async () => undefined },
      takeNotices: () => options.notices?.splice(0) ?? [],
      hooks: new HookRunner(options.hooks ?? {}, () => undefined),
      clock,
      newId,
      log: () => undefined,
      factsOf: () => ({ window: options.window, thinking: options.thinking ?? false }),
      rules: { inboxLimit: options.inboxLimit ?? 64, afterInterrupt: options.afterInterrupt ?? 'pause', newId },
    },
    newSession(sessionId),
  );
  let appends = 0;
  const append = journal.append.bind(journal);
  journal.append = (records) => {
    appends += 1;
    return append(records);
  };
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  const rig = new Rig({ session, model, journal, clock, subscription });
  rig.modelInstead = (other) =>
    new Promise((resolve) => {
      instead = {
        stream(request, signal) {
          resolve();
          return other.stream(request, signal);
        },
      };
    });
  rig.appends = () => appends;
  await session.begin();
  await delivered();
  return rig;
}
