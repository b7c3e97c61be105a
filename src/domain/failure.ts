/** Why things end badly: a closed set of kinds with stable names, and the errors that carry them. */

/** Every kind that a failure may have on the wire; told one by one in src/docs/events.md. */
export const FAILURE_KINDS = [
  'empty_response',
  'tool_limit',
  'turn_panic',
  'provider_auth',
  'provider_not_found',
  'provider_rate_limit',
  'provider_context_length',
  'provider_unavailable',
  'provider_stalled',
  'provider_protocol',
  'provider_refused',
  'output_limit',
  'hook_denied',
  'hook_failed',
  'journal',
  'unknown',
] as const;
/** Names are never changed, only added (contract: Wire format). */
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What an event says of an error: safe to print, to journal and to export. */
export interface Failure {
  kind: FailureKind;
  message: string;
}

/** An error with a kind. Its message is shown to people: what happened, what to do, never a key. */
export class HarnessError extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.name = new.target.name;
  }
}

/** Any failure of a model or its server; `kind` is one of provider_*, output_limit. */
export class ProviderError extends HarnessError {}

/** The model answered with nothing usable; nothing was committed. */
export class EmptyResponseError extends HarnessError {
  constructor(message = 'The model answered with nothing. Try again, or choose another model.') {
    super('empty_response', message);
  }
}

/** The model asked for more tool Steps or calls than a Turn may have. */
export class ToolLimitError extends HarnessError {
  constructor(message: string) {
    super('tool_limit', message);
  }
}

/** A guard refused (`hook_denied`) or threw (`hook_failed`). */
export class GuardError extends HarnessError {
  constructor(kind: 'hook_denied' | 'hook_failed', message: string, options?: { cause?: unknown }) {
    super(kind, message, options);
  }
}

/** An exception in the runtime's own code. */
export class TurnPanicError extends HarnessError {
  constructor(cause: unknown) {
    super('turn_panic', 'An internal error ended the turn. Please report it.', { cause });
  }
}

/** A session could not be written or read; the message says which and why. */
export class JournalError extends HarnessError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('journal', message, options);
  }
}

/** What a failure read back from a journal carries: the kind is stable, the error itself is gone. */
export class RestoredError extends HarnessError {}

/** An enduring event did not fit into a subscriber's buffer: that subscription is over. */
export class SubscriptionLossError extends Error {
  override readonly name = 'SubscriptionLossError';
}

/** The first error of the class in the chain of causes, or undefined. */
export function findError<E extends Error>(error: unknown, type: abstract new (...args: never[]) => E): E | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (at instanceof type) return at;
    seen.add(at);
  }
  return undefined;
}

/** The kind and message of any thrown value. A foreign error's message is not trusted to be safe: it stays in memory. */
export function failureOf(error: unknown): Failure {
  const known = findError(error, HarnessError);
  if (known) return { kind: known.kind, message: known.message };
  return { kind: 'unknown', message: 'An unexpected error ended the turn.' };
}
