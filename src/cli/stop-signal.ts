/** SIGTERM and SIGHUP end the session as a Shutdown does; so does SIGINT where no terminal reads keys. */
import { EXIT } from './invocation.ts';

const CODES = { SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangup, SIGINT: EXIT.interrupted } as const;
/** Who sends a second signal, or waits this long, wants out. A terminal that closes hangs up more than once. */
const PATIENCE_MS = 5000;

/** Calls back at the first signal with the exit code it stands for. The answer stops listening. */
export function onStopSignal(
  stop: (code: number) => void,
  signals = Object.keys(CODES) as (keyof typeof CODES)[],
): () => void {
  let asked = false;
  const listeners = signals.map((signal) => {
    const listener = (): void => {
      if (asked && signal === 'SIGHUP') return;
      if (asked) process.exit(CODES[signal]);
      asked = true;
      setTimeout(() => process.exit(CODES[signal]), PATIENCE_MS).unref();
      stop(CODES[signal]);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const off of listeners) off();
  };
}
