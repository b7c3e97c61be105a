/** What this session has seen of files, so that it overwrites nothing that somebody else changed meanwhile. */
import { createHash } from 'node:crypto';

export interface FileMemory {
  /** The session has read, or has just written, these bytes. */
  saw(real: string, bytes: Buffer): void;
  /** What a call found when it was asked about; undefined: no such file. */
  asked(input: object, bytes: Buffer | undefined): void;
  /** Why the call may not replace what is there now, in one line; undefined where it may. */
  conflict(input: object, real: string, now: Buffer | undefined): string | undefined;
}

const ABSENT = 'absent';
const print = (bytes: Buffer | undefined): string =>
  bytes ? createHash('sha256').update(bytes).digest('base64') : ABSENT;

export function createFileMemory(): FileMemory {
  const seen = new Map<string, string>();
  const found = new WeakMap<object, string>();
  return {
    saw(real, bytes) {
      seen.set(real, print(bytes));
    },
    asked(input, bytes) {
      found.set(input, print(bytes));
    },
    conflict(input, real, now) {
      // what the session itself wrote after the question is in `seen`, and no conflict
      const known = seen.get(real) ?? found.get(input);
      if (known === undefined || known === print(now)) return undefined;
      if (known === ABSENT) return `${real} was made by somebody else meanwhile: read it first`;
      return `${real} was ${now ? 'changed' : 'removed'} by somebody else since it was read: ${now ? 'read it again' : 'look what is there'} first`;
    },
  };
}
