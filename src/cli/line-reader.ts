/** Lines of a stream of bytes. They end with \n and nothing else: JSON may hold U+2028. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';

/** Bytes that one line may have. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line without its end, or why it cannot be read; the next one is read as usual. */
export type Line = { text: string } | { fault: string };

/**
 * The lines that came in one go are given in one go, so that what was sent together is handled together. The last line
 * may lack its end. A \r before the \n is not part of the line.
 */
export async function* readLines(input: Readable, limit = MAX_LINE_BYTES): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > limit) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const line =
      length > limit ? { fault: `the line is longer than ${limit / 1024 / 1024} MB` } : lineOf(Buffer.concat(parts));
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let at = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
      add(chunk.subarray(at, end));
      lines.push(take());
      at = end + 1;
    }
    if (at < chunk.length) add(chunk.subarray(at));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [take()];
}

function lineOf(bytes: Buffer): Line {
  if (!isUtf8(bytes)) return { fault: 'the line is no valid UTF-8' };
  return { text: bytes.toString('utf8').replace(/\r$/, '') };
}
