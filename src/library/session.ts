/** A session inside another program: the runtime that the chat runs, and every part of it an argument. */
import { realpath } from 'node:fs/promises';
import process from 'node:process';
import manifest from '../../package.json' with { type: 'json' };
import type { Hooks } from '../domain/hook.ts';
import type { Tool } from '../domain/tool.ts';
import { openMemoryJournal } from '../edge/journal/memory-journal.ts';
import { systemClock } from '../edge/system-clock.ts';
import { uuidSource } from '../edge/uuid.ts';
import type { TurnLimits } from '../loop/limits.ts';
import { newSession, type SessionState } from '../loop/state.ts';
import { HookRunner } from '../runtime/hook-runner.ts';
import { LiveSession } from '../runtime/live-session.ts';
import type { Clock, IdSource, Journal, Log, Model, Rule, RuleBook } from '../runtime/ports.ts';
import { restoreFrom } from '../runtime/restore.ts';
import type { ApprovalMode, Session } from '../runtime/session.ts';
import type { Beginning, SessionParts } from '../runtime/session-parts.ts';
import { checkOptions } from './session-options.ts';

/** The parts of a session; only `model` is needed. */
export interface SessionOptions {
  /** What answers; or a function, asked at each Turn's start, that gives it for a provider and a model's name. */
  model: Model | ((provider: string, modelName: string) => Model | Promise<Model>);
  /**
   * What the model is asked for by name, as its server knows it. Default: "default", or what a restored session used
   * last. SetModel changes it for the next Turn.
   */
  modelName?: string;
  /** Default: "custom", or what a restored session used last. */
  provider?: string;
  /** Default: none. */
  tools?: readonly Tool[];
  /** Guards and observers (contract: Hooks). Default: none. */
  hooks?: Hooks;
  /** The system prompt, or a function asked at each Turn's start. Default: none. */
  system?: string | (() => string | Promise<string>);
  /** The workspace that tools are given; must be there, links are resolved. Default: the process's. */
  cwd?: string;
  /** Default: the machine's. */
  clock?: Clock;
  /** Default: UUIDv7 by the clock. */
  ids?: IdSource;
  /**
   * Where the session is kept; default: in memory. One that has records is gone on with (contract: Durability). The
   * session takes it over: it is closed when the session is over, or where it cannot begin.
   */
  journal?: Journal;
  /** For gated calls (contract: --approval). Default: ask. */
  approval?: ApprovalMode;
  /**
   * Whether the program answers PermissionRequested and UserInputRequested by ApproveToolCall, DenyToolCall or
   * ProvideUserInput. Default: false, and what would be asked is refused, so that no call waits for ever.
   */
  attended?: boolean;
  /** Default: 25 tool Steps and 100 tool calls a Turn. */
  limits?: Partial<TurnLimits>;
  /** Inputs that may wait. Default: 64. */
  inboxLimit?: number;
  /** What an interrupt does with the waiting inputs of people. Default: pause. */
  afterInterrupt?: 'pause' | 'start';
  /** Milliseconds that a call may take where its tool names no limit. Default: 120 000. */
  toolTimeoutMs?: number;
  /** Where an `always` grant is kept. Default: in memory. */
  ruleBook?: RuleBook;
  /** What happens, without keys and without content. Default: nowhere. */
  log?: Log;
}

/**
 * Resolves when the session's first records are in the journal. They are delivered before anybody can subscribe:
 * `readEvents()` gives them, and `snapshot()` the inputs that a restored session still holds.
 *
 * Rejects with a TypeError where an option cannot be used, with a JournalError where the journal takes nothing, with
 * what reading it throws (of a file a DamagedJournalError that names the line), and with an ImpossibleHistoryError
 * where its records contradict each other.
 */
export async function createSession(options: SessionOptions): Promise<Session> {
  const { journal = openMemoryJournal(), clock = systemClock } = options;
  try {
    checkOptions(options);
    const newId = options.ids ?? uuidSource(() => clock.now());
    const cwd = await realpath(options.cwd ?? process.cwd());
    const restored = await restoreFrom(journal.read());
    const sessionId = restored?.state.sessionId ?? newId();
    const beginning = restored ? ({ type: 'restored', ...restored } as const) : anew(options, cwd);
    const adopt = restored && adopted(restored.state, options);
    const parts = sessionParts(options, { adopt, sessionId, cwd, journal, beginning, clock, newId });
    const session = new LiveSession(parts, newSession(sessionId));
    const fault = await session.begin();
    if (fault) throw fault;
    return session;
  } catch (error) {
    await journal.close().catch(() => undefined);
    throw error;
  }
}

function anew({ modelName: model = 'default', provider = 'custom' }: SessionOptions, cwd: string): Beginning {
  return {
    type: 'new',
    input: { type: 'start', model, provider, cwd, appVersion: manifest.version, agentName: 'main' },
  };
}

/** A restored session is asked for with another model than its last: from its next Turn on, that one. */
function adopted(state: SessionState, options: SessionOptions): SessionParts['adopt'] {
  const loop = state.loops.get(state.activeLoopId);
  if (!loop) return undefined;
  const { modelName: model = loop.model, provider = loop.provider } = options;
  return model === loop.model && provider === loop.provider ? undefined : { model, provider };
}

type Given = Pick<SessionParts, 'sessionId' | 'cwd' | 'journal' | 'beginning' | 'clock' | 'newId' | 'adopt'>;

function sessionParts(options: SessionOptions, given: Given): SessionParts {
  const { model, system = '', attended = false, toolTimeoutMs = 120_000, log = () => undefined } = options;
  const { maxSteps = 25, maxToolCalls = 100 } = options.limits ?? {};
  return {
    ...given,
    models: { resolve: async (provider, name) => (typeof model === 'function' ? model(provider, name) : model) },
    tools: () => options.tools ?? [],
    system: async () => (typeof system === 'function' ? system() : system),
    limits: () => ({ maxSteps, maxToolCalls }),
    toolTimeoutMs: () => toolTimeoutMs,
    approval: options.approval ?? 'ask',
    attended: () => attended,
    ruleBook: options.ruleBook ?? rulesInMemory(),
    hooks: new HookRunner(options.hooks ?? {}, log),
    log,
    takeNotices: () => [],
    rules: {
      inboxLimit: options.inboxLimit ?? 64,
      afterInterrupt: options.afterInterrupt ?? 'pause',
      newId: given.newId,
    },
  };
}

function rulesInMemory(): RuleBook {
  const rules: Rule[] = [];
  return {
    rules: () => rules,
    async add(rule) {
      rules.push(rule);
    },
  };
}
