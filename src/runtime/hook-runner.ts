/** Runs guards and observers (contract: Hooks). A guard fails closed; an observer's error changes nothing. */
import { findError, GuardError } from '../domain/failure.ts';
import type { Guard, GuardedOperation, Hooks, Observer, Operation, Outcome, Snapshot } from '../domain/hook.ts';
import type { Log } from './ports.ts';

export type Coordinates = Omit<Snapshot, 'operation' | 'data'>;

/** How an operation that failed shows to its observers. */
export function outcomeOf(error: unknown, signal?: AbortSignal): Outcome {
  const guard = findError(error, GuardError);
  if (guard) return guard.kind === 'hook_denied' ? 'denied' : 'failed';
  return signal?.aborted ? 'canceled' : 'failed';
}

export class HookRunner {
  readonly #hooks: Hooks;
  readonly #log: Log;

  constructor(hooks: Hooks, log: Log) {
    this.#hooks = hooks;
    this.#log = log;
  }

  /** Begins the observers in order. The answer ends them in reverse, exactly once however often it is called. */
  begin<O extends Operation>(operation: O, at: Coordinates, data: Snapshot<O>['data']): (outcome: Outcome) => void {
    const observers = (this.#hooks.around?.[operation] ?? []) as Observer<O>[];
    if (observers.length === 0) return () => undefined;
    const snapshot = freeze({ ...at, operation, data });
    const ends: NonNullable<ReturnType<Observer<O>>>[] = [];
    for (const observer of observers) {
      try {
        const end = observer(snapshot);
        if (typeof end === 'function') ends.push(end);
      } catch {
        this.#log('an observer failed', { operation });
      }
    }
    return (outcome) => {
      for (const end of ends.splice(0).reverse()) this.#end(operation, () => end(outcome));
    };
  }

  /** Throws a GuardError where one guard denies (`hook_denied`) or does anything else than allow (`hook_failed`). */
  async guard<O extends GuardedOperation>(
    operation: O,
    at: Coordinates,
    data: Snapshot<O>['data'],
    signal: AbortSignal,
  ): Promise<void> {
    const guards = (this.#hooks.guards?.[operation] ?? []) as Guard<O>[];
    if (guards.length === 0) return;
    const snapshot = freeze({ ...at, operation, data });
    for (const guard of guards) {
      let verdict: Awaited<ReturnType<Guard<O>>>;
      try {
        verdict = await guard(snapshot, signal);
      } catch (cause) {
        if (cause instanceof GuardError) throw cause;
        throw new GuardError('hook_failed', `A guard of ${operation} failed; nothing was done.`, { cause });
      }
      if (verdict === undefined) continue;
      if (typeof verdict?.deny === 'string')
        throw new GuardError('hook_denied', verdict.deny || `A guard refused the ${operation}.`);
      throw new GuardError('hook_failed', `A guard of ${operation} gave no clear answer; nothing was done.`);
    }
  }

  #end(operation: Operation, run: () => void | Promise<void>): void {
    try {
      Promise.resolve(run()).catch(() => this.#log('an observer failed at its end', { operation }));
    } catch {
      this.#log('an observer failed at its end', { operation });
    }
  }
}

/** A copy that nobody can change, frozen to its depth. */
function freeze<O extends Operation>(snapshot: Snapshot<O>): Snapshot<O> {
  const copy = structuredClone(snapshot);
  const deep = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
    Object.freeze(value);
    for (const inner of Object.values(value)) deep(inner);
  };
  deep(copy);
  return copy;
}
