/**
 * UUIDv7 (RFC 9562) with an injected clock: ascending within a process, also within one millisecond, of which all ids have
 * the same random end.
 */
import { randomFillSync } from 'node:crypto';
import type { IdSource } from '../runtime/ports.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const POOL_BYTES = 4096;
const TAIL_BYTES = 8;
const MAX_COUNTER = 0xfff;

/** `random` fills an array with random bytes; it is asked for a pool at a time. */
export function uuidSource(
  now: () => number,
  random: (bytes: Uint8Array) => Uint8Array = (bytes) => randomFillSync(bytes),
): IdSource {
  const pool = new Uint8Array(POOL_BYTES);
  let at = POOL_BYTES;
  let last = 0;
  let counter = 0;
  // ids come by the thousand within a millisecond: all but the counter is made once for it
  let written = -1;
  let head = '';
  let tail = '';
  const take = (): number => {
    if (at + TAIL_BYTES + 2 > POOL_BYTES) {
      random(pool);
      at = 0;
    }
    return pool[at++] as number;
  };
  return () => {
    const time = now();
    if (time > last) {
      last = time;
      // the upper half is left free, so that many ids fit into one millisecond
      counter = ((take() << 8) | take()) & (MAX_COUNTER >> 1);
    } else if (++counter > MAX_COUNTER) {
      // the clock stands still or went back: borrow from the future rather than repeat or descend
      last += 1;
      counter = 0;
    }
    if (last !== written) {
      written = last;
      const stamp = last.toString(16).padStart(12, '0');
      head = `${stamp.slice(0, 8)}-${stamp.slice(8)}`;
      const variant = HEX[(take() & 0x3f) | 0x80];
      const bytes = Array.from({ length: TAIL_BYTES - 1 }, () => HEX[take()]);
      tail = `${variant}${bytes[0]}-${bytes.slice(1).join('')}`;
    }
    return `${head}-${(0x7000 | counter).toString(16)}-${tail}`;
  };
}
