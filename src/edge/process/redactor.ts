/** Hides secret values in a stream of bytes, also where one is cut over two chunks. */
import { SHORTEST_SECRET } from './environment.ts';

export const HIDDEN = '[secret hidden]';

export interface Redactor {
  push(chunk: Buffer): Buffer;
  /** What was held back because it could have been the beginning of a secret. */
  flush(): Buffer;
}

const usable = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);

export function createRedactor(secrets: readonly string[]): Redactor {
  const needles = usable(secrets).map((secret) => Buffer.from(secret));
  let held: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      if (needles.length === 0) return chunk;
      let data = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      for (const needle of needles) data = replaced(data, needle);
      const cut = data.length - longestBeginning(data, needles);
      held = data.subarray(cut);
      return data.subarray(0, cut);
    },
    flush() {
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
}

function replaced(data: Buffer, needle: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = data.indexOf(needle); at >= 0; at = data.indexOf(needle, from)) {
    parts.push(data.subarray(from, at), Buffer.from(HIDDEN));
    from = at + needle.length;
  }
  return from === 0 ? data : Buffer.concat([...parts, data.subarray(from)]);
}

/** How many bytes at the end of `data` are the beginning of a needle. */
function longestBeginning(data: Buffer, needles: readonly Buffer[]): number {
  let longest = 0;
  for (const needle of needles) {
    for (let n = Math.min(needle.length - 1, data.length); n > longest; n--) {
      if (data.subarray(data.length - n).equals(needle.subarray(0, n))) longest = n;
    }
  }
  return longest;
}

/** The same for a whole text. */
export function redactText(text: string, secrets: readonly string[]): string {
  return usable(secrets).reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}
