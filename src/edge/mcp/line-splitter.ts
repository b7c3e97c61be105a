/** Bytes into lines, none longer than a limit. */

export interface LineSplitter {
  push(chunk: Buffer): void;
}

/** `overlong` is called once for a line that grows beyond the limit, with its beginning; the rest of it is dropped. */
export function createLineSplitter(
  limit: number,
  on: { line(text: string): void; overlong(beginning: string): void },
): LineSplitter {
  let held: Buffer[] = [];
  let size = 0;
  let dropping = false;
  const add = (part: Buffer): void => {
    if (dropping) return;
    held.push(part);
    size += part.length;
    if (size <= limit) return;
    dropping = true;
    on.overlong(taken().slice(0, limit));
  };
  const taken = (): string => {
    const text = Buffer.concat(held).toString('utf8');
    [held, size] = [[], 0];
    return text;
  };
  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, end));
        from = end + 1;
        if (dropping) dropping = false;
        else on.line(taken().replace(/\r$/, ''));
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
  };
}
