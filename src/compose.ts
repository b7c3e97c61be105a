/** THE PARTS LIST: clock, ids, models, tools, journal → Session. What is plugged in is listed here and nowhere else. */
import { join } from 'node:path';
import type { LoadedSettings } from './cli/load-settings.ts';
import type { SessionId } from './domain/identity.ts';
import { type ConfigHooks, createConfigHooks } from './edge/hooks/config-hooks.ts';
import { idleHooks } from './edge/hooks/entry.ts';
import type { FileJournal } from './edge/journal/file-journal.ts';
import { readJournal, scanTail } from './edge/journal/read-journal.ts';
import { SessionStore } from './edge/journal/session-store.ts';
import { createMcpServers, type McpServers } from './edge/mcp/mcp-servers.ts';
import { createRegistry } from './edge/models/registry.ts';
import { createProcesses, type Processes } from './edge/process/processes.ts';
import { createRuleBook } from './edge/settings/rule-book.ts';
import { systemClock } from './edge/system-clock.ts';
import { createSystemPrompt } from './edge/system-prompt.ts';
import { createTools } from './edge/tools/all.ts';
import { uuidSource } from './edge/uuid.ts';
import { newSession, type SessionState } from './loop/state.ts';
import { forkOf } from './runtime/fork.ts';
import { HookRunner } from './runtime/hook-runner.ts';
import { LiveSession } from './runtime/live-session.ts';
import type { JournalRecord, Log, ModelRegistry } from './runtime/ports.ts';
import { restoreFrom } from './runtime/restore.ts';
import type { ApprovalMode } from './runtime/session.ts';
import type { Beginning } from './runtime/session-parts.ts';

export interface ComposeOptions {
  loaded: LoadedSettings;
  /** The workspace: absolute, links resolved. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  appVersion: string;
  approval: ApprovalMode;
  /** Whether somebody is there who can answer a gate. */
  attended: boolean;
  /** Go on with this session; without it and `fork`: a new one. */
  resume?: SessionId;
  /** Begin with the history of another, up to that record (default: its last finished Step). */
  fork?: { source: SessionId; at?: number };
  log?: Log;
  /** Is shown every record of a history that the session begins with, in order, once. */
  watch?(record: JournalRecord): void;
  /** When the MCP servers begin to connect. */
  mcpAfterMs?: number;
}

export interface Composed {
  session: LiveSession;
  journal: FileJournal;
  processes: Processes;
  mcp: McpServers;
  /** For the very end of the process: nothing that was started lives on. */
  killAll(): void;
  /** After `session.ended`: resolves when all that the session set going beside itself has ended. */
  close(): Promise<void>;
  /** One line each: what was mended as the session was opened. */
  notices: string[];
}

const clock = systemClock;
export const newId = uuidSource(clock.now);
const now = (): string => new Date(clock.now()).toISOString();

/**
 * Rejects with a JournalError where the session is in use, damaged, or cannot be written, and with a ForkPointError.
 * The session holds its lock until it is over.
 */
export async function composeSession(options: ComposeOptions): Promise<Composed> {
  const { loaded, resume } = options;
  const store = new SessionStore(loaded.paths);
  const sessionId = resume ?? newId();
  const begin = options.fork ? await forked(store, sessionId, options) : undefined;
  const journal = await (resume ? store.open(resume) : store.create(sessionId));
  try {
    const beginning = await (begin?.(journal) ?? beginningOf(journal, options));
    const processes = createProcesses();
    const hooks = configHooks(options, processes);
    const mcp = mcpServers(options);
    const parts = sessionParts(options, sessionId, { journal, processes, hooks, mcp, beginning });
    const names = parts.tools().map(({ name }) => name);
    const notices = idleHooks(loaded.settings.hooks, names);
    if (journal.tail.torn > 0) notices.unshift(torn(sessionId, journal.tail.torn));
    const close = async (): Promise<void> => {
      await hooks.settled();
      await Promise.all([processes.stopAll(), mcp.close()]);
    };
    const killAll = (): void => {
      processes.killAll();
      mcp.killAll();
    };
    return { session: new LiveSession(parts, newSession(sessionId)), journal, processes, mcp, close, killAll, notices };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

const torn = (sessionId: SessionId, bytes: number): string =>
  `the last record of session ${sessionId} was torn by a crash: its ${bytes} bytes are cut off`;

async function beginningOf(
  journal: FileJournal,
  { loaded, cwd, resume, appVersion, watch }: ComposeOptions,
): Promise<Beginning> {
  const restored = resume && (await restoreFrom(watch ? shownTo(watch, journal.read()) : journal.read()));
  if (restored) return { type: 'restored', ...restored };
  const { model, provider } = loaded.choice;
  return { type: 'new', input: { type: 'start', model, provider, cwd, appVersion, agentName: 'main' } };
}

async function* shownTo(watch: (record: JournalRecord) => void, records: AsyncIterable<JournalRecord>) {
  for await (const record of records) {
    watch(record);
    yield record;
  }
}

/** Reads the other session, which may be in use, before anything is made; the answer writes the new one's first records. */
async function forked(store: SessionStore, sessionId: SessionId, { fork, cwd, appVersion, watch }: ComposeOptions) {
  if (!fork) return undefined;
  const path = store.path(fork.source);
  const { end } = await scanTail(path);
  const { records, ...begun } = await forkOf(readJournal(path, { end }), {
    ...fork,
    sessionId,
    cwd,
    appVersion,
    newId,
    now,
  });
  return async (journal: FileJournal): Promise<Beginning> => {
    await journal.append(records);
    if (watch) records.forEach(watch);
    return { type: 'forked', seq: records.length, ...begun };
  };
}

/** What was made for this session alone. */
interface Made {
  journal: FileJournal;
  processes: Processes;
  hooks: ConfigHooks;
  mcp: McpServers;
  beginning: Beginning;
}

function sessionParts(
  { loaded, cwd, env, approval, attended, log = () => undefined }: ComposeOptions,
  sessionId: SessionId,
  { journal, processes, hooks, mcp, beginning }: Made,
): ConstructorParameters<typeof LiveSession>[0] {
  const { settings, paths } = loaded;
  const own = createTools({
    processes,
    outputsDir: join(paths.outputs, sessionId),
    env,
    secretVariables: loaded.secretVariables,
    secrets: () => loaded.secrets,
    timeoutMs: settings.toolTimeoutMs,
  });
  const adopt = beginning.type === 'new' ? undefined : adopted(beginning.state, loaded);
  return {
    sessionId,
    cwd,
    journal,
    beginning,
    ...(adopt && { adopt }),
    models: modelRegistry(loaded, env),
    tools: () => [...own, ...mcp.tools()],
    system: createSystemPrompt({ cwd, ...(settings.system !== undefined && { text: settings.system }) }),
    limits: () => ({ maxSteps: settings.maxSteps, maxToolCalls: settings.maxToolCalls }),
    toolTimeoutMs: () => settings.toolTimeoutMs,
    approval,
    attended: () => attended,
    factsOf: (provider, model) => {
      const chosen = loaded.choose({ provider, model });
      if (!chosen.ok) return {};
      const { window, quirks } = chosen.choice;
      const thinking = quirks.thinking !== undefined && quirks.thinking !== 'omit';
      return { ...(window !== undefined && { window }), thinking, toolless: quirks.tools === false };
    },
    ruleBook: createRuleBook(paths.config, cwd, settings.rules[cwd] ?? []),
    takeNotices: () => processes.takeNotices(),
    hooks: new HookRunner(hooks, log),
    clock,
    newId,
    log,
    rules: {
      inboxLimit: settings.inboxLimit,
      afterInterrupt: settings.afterInterrupt,
      newId,
      refusalOf: loaded.refusalOf,
    },
  };
}

/** Tools from outside; they connect in the background and cost nothing before. */
function mcpServers({
  loaded,
  cwd,
  env,
  appVersion,
  log = () => undefined,
  mcpAfterMs = 0,
}: ComposeOptions): McpServers {
  const { settings, secretVariables, secrets } = loaded;
  const given = { servers: settings.mcpServers, env, cwd, clock, log, appVersion, secretVariables };
  return createMcpServers({ ...given, secrets: () => secrets, startAfterMs: mcpAfterMs });
}

/** The commands of the config that guard and observe. */
function configHooks({ loaded, cwd, env, log = () => undefined }: ComposeOptions, processes: Processes): ConfigHooks {
  const { settings, secretVariables, secrets } = loaded;
  return createConfigHooks(settings.hooks, { processes, env, cwd, secretVariables, secrets: () => secrets, log });
}

/** Which model a Turn asks; asked at each Turn's start, so that SetModel holds for the next one. */
function modelRegistry({ settingsFor, settings }: LoadedSettings, env: ComposeOptions['env']): ModelRegistry {
  const { stallTimeoutMs } = settings;
  return createRegistry({ settingsFor, clock, random: Math.random, stallTimeoutMs, env });
}

/**
 * The model that a session goes on with, where that is another than it had: one that was asked for, or the present
 * choice where the session's own is the demo or cannot be used any more.
 */
function adopted(
  state: SessionState,
  { choice, choose }: LoadedSettings,
): { provider: string; model: string } | undefined {
  const loop = state.loops.get(state.activeLoopId);
  const { provider, model, origins } = choice;
  if (!loop || (loop.provider === provider && loop.model === model)) return undefined;
  const asked = [origins.provider, origins.model, origins.baseUrl].some((origin) => origin?.from === 'option');
  const usable = loop.provider !== 'demo' && choose({ provider: loop.provider, model: loop.model }).ok;
  return asked || !usable ? { provider, model } : undefined;
}
