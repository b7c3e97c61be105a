/** Lines of a file by chunks: memory in proportion to one line, whatever the file's size. */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

export interface Line {
  /** From 1. */
  number: number;
  /** Of its first byte. */
  offset: number;
  /** Without its end. */
  bytes: Buffer;
  /** Only the last line may lack its end. */
  ended: boolean;
}

/** Reads `length` bytes from `position`, or as many as there are. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The lines from the start of the file up to `end`, cut at \n and nothing else: JSON may hold U+2028. */
export async function* readLines(handle: FileHandle, end: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let number = 1;
  let offset = 0;
  const finish = (last: Buffer, ended: boolean): Line => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const line = { number, offset, bytes, ended };
    parts = [];
    number += 1;
    offset += bytes.length + 1;
    return line;
  };
  for (let position = 0; position < end; ) {
    const chunk = await readAt(handle, position, Math.min(CHUNK, end - position));
    if (chunk.length === 0) break;
    position += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield finish(chunk.subarray(from, at), true);
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) yield finish(Buffer.alloc(0), false);
}

/** The JSON value of a line; undefined where it is none (NUL bytes, half a value, no UTF-8). */
export function parseLine(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Where the last line of the first `end` bytes begins; a newline at the very end belongs to that line. */
export async function startOfLastLine(handle: FileHandle, end: number): Promise<number> {
  let before = end - 1; // the byte at end - 1 may be that line's own newline
  while (before > 0) {
    const length = Math.min(CHUNK, before);
    const chunk = await readAt(handle, before - length, length);
    const at = chunk.lastIndexOf(NEWLINE);
    if (at !== -1) return before - length + at + 1;
    before -= length;
  }
  return 0;
}
