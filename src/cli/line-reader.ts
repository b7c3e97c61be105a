/** Lines of a stream of bytes. They end with \n and nothing else: JSON may hold U+2028. */
import type { Readable } from 'node:stream';

/** Bytes that one line may have; a longer one is given as undefined, and the next line is read as usual. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The last line may lack its end. A \r before the \n is not part of the line. */
export async function* readLines(input: Readable, limit = MAX_LINE_BYTES): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (end: Buffer): string | undefined => {
    const whole = length > limit ? undefined : Buffer.concat([...parts, end]).toString('utf8').replace(/\r$/, '');
    parts = [];
    length = 0;
    return whole;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(10, at); end !== -1; end = chunk.indexOf(10, at)) {
      length += end - at;
      yield take(chunk.subarray(at, end));
      at = end + 1;
    }
    if (at < chunk.length) {
      length += chunk.length - at;
      if (length > limit) parts = [];
      else parts.push(chunk.subarray(at));
    }
  }
  if (length > 0) yield take(Buffer.alloc(0));
}
