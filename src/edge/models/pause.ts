/** Waiting that an abort ends at once. */
import type { Clock } from '../../runtime/ports.ts';

/** What an aborted stream throws: the reason it was given, or a plain AbortError. */
export function abortError(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('The request was aborted.', 'AbortError');
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Resolves when `start` calls its argument; rejects at once on an abort, and then calls what `start` answered. */
export function abortable(signal: AbortSignal, start: (done: () => void) => (() => void) | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    let cancel: (() => void) | undefined;
    const onAbort = () => {
      cancel?.();
      reject(abortError(signal));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    cancel = start(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

/** `ms` by the clock. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  abortable(signal, (done) => clock.after(ms, done));
