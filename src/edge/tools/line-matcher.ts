/** Lines that fit a regular expression, found in a thread of its own: a pattern that runs away is ended there. */
import { Worker } from 'node:worker_threads';

export interface LineMatch {
  line: number;
  text: string;
}
export interface LineMatcher {
  /** At most `limit` lines. Rejects where the pattern takes too long, or the signal is aborted. */
  match(text: string, limit: number): Promise<LineMatch[]>;
  close(): Promise<void>;
}

const MAX_LINE = 5_000;
const SHOWN_BEFORE = 80;
const SHOWN = 300;
/** For one file. */
const MATCH_MS = 3_000;

// as text, so that it needs no file of its own beside a bundle
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const { source, flags, maxLine, before, shown } = workerData;
const pattern = new RegExp(source, flags);
parentPort.on('message', ({ text, limit }) => {
  const found = [];
  const lines = text.split(/\\r?\\n/);
  for (let i = 0; i < lines.length && found.length < limit; i++) {
    const match = pattern.exec(lines[i].slice(0, maxLine));
    if (!match) continue;
    const from = lines[i].length <= shown ? 0 : Math.max(0, match.index - before);
    const part = lines[i].slice(from, from + shown);
    found.push({ line: i + 1, text: (from > 0 ? '…' : '') + part + (from + shown < lines[i].length ? '…' : '') });
  }
  parentPort.postMessage(found);
});`;

/** Throws one line where the pattern is no regular expression. */
export function compile(pattern: string): RegExp {
  // other tools write their flags at the beginning
  const [, flags = '', source = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const own = [...new Set(flags.replace('m', ''))].join('');
  try {
    return new RegExp(source, `${own}u`);
  } catch {
    try {
      return new RegExp(source, own);
    } catch (error) {
      throw new Error(`the pattern is no regular expression: ${(error as Error).message}`);
    }
  }
}

export function createLineMatcher({ source, flags }: RegExp, signal: AbortSignal): LineMatcher {
  const workerData = { source, flags, maxLine: MAX_LINE, before: SHOWN_BEFORE, shown: SHOWN };
  const worker = new Worker(WORKER, { eval: true, workerData, env: {}, execArgv: [] });
  worker.on('error', () => undefined);
  return {
    match: (text, limit) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(new Error('the pattern takes too long: make it simpler')), MATCH_MS);
        const onAbort = (): void => end(new Error('interrupted'));
        const end = (result: LineMatch[] | Error): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          for (const [event, listener] of listeners) worker.off(event, listener);
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
        const listeners = [
          ['message', end],
          ['error', end],
        ] as const;
        for (const [event, listener] of listeners) worker.once(event, listener);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        worker.postMessage({ text, limit });
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
