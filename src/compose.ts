/** THE PARTS LIST: clock, ids, models, tools, journal → Session. What is plugged in is listed here and nowhere else. */
import { join } from 'node:path';
import type { LoadedSettings } from './cli/load-settings.ts';
import { ProviderError } from './domain/failure.ts';
import type { Hooks } from './domain/hook.ts';
import type { SessionId } from './domain/identity.ts';
import { type FileJournal, openFileJournal } from './edge/journal/file-journal.ts';
import { acquireLock } from './edge/journal/lock.ts';
import { createDemoModel } from './edge/models/demo.ts';
import { createOpenAiModel } from './edge/models/openai.ts';
import { providerNamed } from './edge/models/providers.ts';
import { createProcesses, type Processes } from './edge/process/processes.ts';
import { createRuleBook } from './edge/settings/rule-book.ts';
import { systemClock } from './edge/system-clock.ts';
import { createSystemPrompt } from './edge/system-prompt.ts';
import { createTools } from './edge/tools/all.ts';
import { uuidSource } from './edge/uuid.ts';
import { newSession } from './loop/state.ts';
import { HookRunner } from './runtime/hook-runner.ts';
import { type Beginning, LiveSession } from './runtime/live-session.ts';
import type { Journal, Log, ModelRegistry } from './runtime/ports.ts';
import { restoreFrom } from './runtime/restore.ts';
import type { ApprovalMode } from './runtime/session.ts';

export interface ComposeOptions {
  loaded: LoadedSettings;
  /** The workspace: absolute, links resolved. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  appVersion: string;
  approval: ApprovalMode;
  /** Whether somebody is there who can answer a gate. */
  attended: boolean;
  /** Go on with this session; absent: a new one. */
  resume?: SessionId;
  hooks?: Hooks;
  log?: Log;
}

export interface Composed {
  session: LiveSession;
  journal: FileJournal;
  processes: Processes;
  /** One line each: what was mended as the session was opened. */
  notices: string[];
  /** The session's lock; released when the session is over. */
  release(): Promise<void>;
}

const clock = systemClock;
export const newId = uuidSource(clock.now);

/** Rejects with a JournalError where the session is in use, damaged, or cannot be written. */
export async function composeSession(options: ComposeOptions): Promise<Composed> {
  const { loaded, resume } = options;
  const sessionId = resume ?? newId();
  const lock = await acquireLock(join(loaded.paths.locks, `${sessionId}.lock`), sessionId);
  try {
    const journal = await openFileJournal({ path: join(loaded.paths.sessions, `${sessionId}.jsonl`), create: !resume });
    const processes = createProcesses();
    const notices: string[] = [];
    if (journal.tail.torn > 0) {
      notices.push(`the last record of session ${sessionId} was torn by a crash and is cut off (${journal.tail.torn} bytes)`);
    }
    const beginning = await beginningOf(journal, options);
    const session = new LiveSession(sessionParts(options, sessionId, journal, processes, beginning), newSession(sessionId));
    void session.ended.then(() => lock.release());
    return { session, journal, processes, notices, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function beginningOf(journal: Journal, { loaded, cwd, resume, appVersion }: ComposeOptions): Promise<Beginning> {
  const restored = resume && (await restoreFrom(journal.read()));
  if (restored) return { type: 'restored', ...restored };
  const { model, provider } = loaded.choice;
  return { type: 'new', input: { type: 'start', model, provider, cwd, appVersion, agentName: 'main' } };
}

function sessionParts(
  { loaded, cwd, env, approval, attended, hooks = {}, log = () => undefined }: ComposeOptions,
  sessionId: SessionId,
  journal: Journal,
  processes: Processes,
  beginning: Beginning,
): ConstructorParameters<typeof LiveSession>[0] {
  const { settings, paths } = loaded;
  return {
    sessionId,
    cwd,
    journal,
    beginning,
    models: modelRegistry(loaded, env),
    tools: createTools({ processes, outputsDir: paths.outputs, env, secretVariables: loaded.secretVariables, secrets: loaded.secrets }),
    system: createSystemPrompt({ cwd, ...(settings.system !== undefined && { text: settings.system }) }),
    limits: () => ({ maxSteps: settings.maxSteps, maxToolCalls: settings.maxToolCalls }),
    toolTimeoutMs: () => settings.toolTimeoutMs,
    approval,
    attended: () => attended,
    ruleBook: createRuleBook(paths.config, cwd, settings.rules[cwd] ?? []),
    hooks: new HookRunner(hooks, log),
    clock,
    newId,
    log,
    rules: { inboxLimit: settings.inboxLimit, afterInterrupt: settings.afterInterrupt, newId },
  };
}

/** Which model a Turn asks: settled anew at each Turn's start, so that SetModel holds for the next one. */
function modelRegistry(loaded: LoadedSettings, env: ComposeOptions['env']): ModelRegistry {
  return {
    async resolve(provider, model) {
      if (provider === 'demo') return createDemoModel({ clock });
      const chosen = loaded.choose({ provider, model });
      if (!chosen.ok) throw new ProviderError('provider_not_found', chosen.refusal);
      const { baseUrl, apiKey, headers } = chosen.choice;
      const entry = providerNamed(provider);
      return createOpenAiModel({
        baseUrl: baseUrl ?? '',
        headers,
        ...(apiKey !== undefined && { apiKey }),
        ...(entry && { quirks: entry.quirks }),
        clock,
        random: Math.random,
        stallTimeoutMs: loaded.settings.stallTimeoutMs,
        env,
      });
    },
  };
}
