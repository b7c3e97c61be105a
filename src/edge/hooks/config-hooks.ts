/** Hooks that are commands of the user's config (contract: Hooks). A guard fails closed, an observer changes nothing. */
import { GuardError } from '../../domain/failure.ts';
import type {
  Denial,
  Guard,
  GuardedOperation,
  Hooks,
  Observer,
  Operation,
  Outcome,
  Snapshot,
} from '../../domain/hook.ts';
import type { Log } from '../../runtime/ports.ts';
import { childEnvironment } from '../process/environment.ts';
import { outputText } from '../process/output-text.ts';
import { howEnded, type Processes } from '../process/processes.ts';
import type { CommandResult } from '../process/run-command.ts';
import { seconds } from '../tools/result.ts';
import type { HookEntry } from './entry.ts';
import { matcher } from './matcher.ts';
import { payload } from './payload.ts';

export interface ConfigHooksOptions {
  processes: Processes;
  env: NodeJS.ProcessEnv;
  /** The workspace: where the commands run. */
  cwd: string;
  /** Names of variables that hold secrets, beside those that look like it. */
  secretVariables?: readonly string[];
  /** Values that are never shown. */
  secrets?: () => readonly string[];
  /** Is told which hook and how it ended, never what it printed. */
  log: Log;
}

export interface ConfigHooks extends Hooks {
  /** Resolves when the observers that were told of something have ended, at the latest after a moment. Never rejects. */
  settled(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const DENIED = 2;
const MAX_REASON = 500;
/** Of what it prints: more than a reason needs. */
const OUTPUT = { headBytes: 4_000, tailBytes: 1_000 };
/** What may wait for an observer that is slower than what it observes. */
const MAX_WAITING = 100;
const SETTLE_MS = 3_000;

/** One entry, ready to be run. `name` is its place in the config, which tells nothing of what is in it. */
interface Hook {
  name: string;
  fits(snapshot: Snapshot): boolean;
  run(snapshot: Snapshot, options?: { signal?: AbortSignal; outcome?: Outcome }): Promise<CommandResult>;
}

/** `entries` must be what `readHooks` let through. */
export function createConfigHooks(entries: readonly HookEntry[], options: ConfigHooksOptions): ConfigHooks {
  const guards: Partial<Record<GuardedOperation, Guard[]>> = {};
  const around: Partial<Record<Operation, Observer[]>> = {};
  const idle: (() => Promise<void>)[] = [];
  for (const [index, entry] of entries.entries()) {
    const hook = hookOf(entry, `hooks[${index}]`, options);
    if (entry.observe) {
      const { observer, settled } = createObserver(hook, options.log);
      around[entry.on] = [...(around[entry.on] ?? []), observer];
      idle.push(settled);
    } else {
      const operation = entry.on as GuardedOperation;
      guards[operation] = [...(guards[operation] ?? []), createGuard(hook, options.log)];
    }
  }
  return {
    guards: guards as Hooks['guards'],
    around: around as Hooks['around'],
    async settled() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SETTLE_MS);
      });
      await Promise.race([Promise.all(idle.map((settled) => settled())), limit]);
      clearTimeout(timer);
    },
  };
}

function hookOf(entry: HookEntry, name: string, options: ConfigHooksOptions): Hook {
  const { processes, cwd } = options;
  const { match = '*', matchCommand, timeoutMs = TIMEOUT_MS } = entry;
  const fitsName = matcher(match);
  const fitsCommand = matchCommand === undefined ? undefined : matcher(matchCommand);
  return {
    name,
    fits({ data }) {
      if ('toolName' in data && !fitsName(data.toolName)) return false;
      if (!fitsCommand) return true;
      const command = commandOf(data);
      return command !== undefined && fitsCommand(command);
    },
    run(snapshot, { signal, outcome } = {}) {
      const secrets = options.secrets?.() ?? [];
      const env = childEnvironment(options.env, { variables: options.secretVariables ?? [], values: secrets });
      const request = {
        command: entry.run,
        cwd,
        env,
        input: payload(snapshot, cwd, outcome),
        output: { ...OUTPUT, secrets },
      };
      return processes.run(request, { timeoutMs, ...(signal && { signal }) });
    },
  };
}

function createGuard({ name, fits, run }: Hook, log: Log): Guard {
  return async (snapshot, signal) => {
    if (!fits(snapshot)) return undefined;
    const { operation } = snapshot;
    const result = await run(snapshot, { signal }).catch((error: Error) => error);
    if (!(result instanceof Error) && result.stopped === undefined) {
      if (result.code === 0) return undefined;
      if (result.code === DENIED) {
        log('a hook denied', { hook: name, operation });
        return denialOf(result, operation);
      }
    }
    const why = endOf(result);
    log('a hook failed, and so nothing was done', { hook: name, operation, why });
    throw new GuardError('hook_failed', `${name} of the configuration ${why}; nothing was done.`);
  };
}

/** One after another, so that what they write stands in the order of what happened. */
function createObserver({ name, fits, run }: Hook, log: Log): { observer: Observer; settled(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const tell = async (snapshot: Snapshot, outcome: Outcome): Promise<void> => {
    const result = await run(snapshot, { outcome }).catch((error: Error) => error);
    waiting--;
    if (result instanceof Error || result.stopped !== undefined || result.code !== 0)
      log('an observing hook failed', { hook: name, operation: snapshot.operation, why: endOf(result) });
  };
  return {
    observer(snapshot) {
      if (!fits(snapshot)) return undefined;
      return (outcome) => {
        if (waiting === MAX_WAITING) {
          log('an observing hook is too slow, and is not told', { hook: name, operation: snapshot.operation });
          return;
        }
        waiting++;
        last = last.then(() => tell(snapshot, outcome));
      };
    },
    settled: () => last,
  };
}

/** How a command ended that neither let go nor denied: safe to be shown, for it holds nothing that it printed. */
function endOf(result: CommandResult | Error): string {
  if (result instanceof Error) return 'could not be started';
  if (result.stopped === 'timeout') return `did not end within ${seconds(result.durationMs)}`;
  if (result.stopped === 'aborted') return 'was interrupted';
  return `ended ${howEnded(result)} (0 allows, 2 denies)`;
}

/** What it printed, on one line. A model takes it for the answer of the tool unless it is told better. */
function denialOf({ output }: CommandResult, on: GuardedOperation): Denial {
  const line = outputText(output)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line.slice(0, 4 * MAX_REASON)];
  const reason = characters.length > MAX_REASON ? `${characters.slice(0, MAX_REASON - 1).join('')}…` : line;
  if (on !== 'ToolCall') return { deny: reason || `A hook refused the ${on}.` };
  return { deny: reason ? `Refused by a hook: ${reason}` : 'Refused by a hook.' };
}

function commandOf(data: Snapshot['data']): string | undefined {
  const input = 'input' in data ? data.input : undefined;
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  return typeof command === 'string' ? command : undefined;
}
