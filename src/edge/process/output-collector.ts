/** What a command printed: head and tail in memory, the whole in a file; bounded whatever comes. */
import { createRedactor } from './redactor.ts';
import { createSpillFile } from './spill-file.ts';

export interface OutputOptions {
  /** Bytes kept in memory of the beginning and of the end. */
  headBytes?: number;
  tailBytes?: number;
  /** Absolute path of a file for the whole output; stays only where the memory could not hold all, or it is `eager`. */
  file?: string;
  /** Write the file from the first byte on, and keep it. */
  eager?: boolean;
  maxFileBytes?: number;
  /** Values that are hidden wherever they are printed. */
  secrets?: readonly string[];
}

export interface CapturedOutput {
  totalBytes: number;
  head: Buffer;
  tail: Buffer;
  /** Between head and tail. */
  droppedBytes: number;
  /** The first `bytes` of the output are in it. */
  file?: { path: string; bytes: number };
}

export interface OutputCollector {
  /** A promise where the file cannot follow: push no more until it resolves. */
  push(chunk: Buffer): Promise<void> | undefined;
  captured(): CapturedOutput;
  /** Nothing is taken any more; resolves when the file is closed. */
  close(): Promise<void>;
}

const HEAD_BYTES = 12_000;
const TAIL_BYTES = 18_000;
const FILE_BYTES = 16 * 1024 * 1024;

export function createOutputCollector(options: OutputOptions = {}): OutputCollector {
  const headLimit = options.headBytes ?? HEAD_BYTES;
  const redactor = createRedactor(options.secrets ?? []);
  const file = options.file ? createSpillFile(options.file, options.maxFileBytes ?? FILE_BYTES) : undefined;
  const tail = createRing(options.tailBytes ?? TAIL_BYTES);
  let head: Buffer = Buffer.alloc(0);
  let total = 0;
  let closed = false;

  const take = (chunk: Buffer): Promise<void> | undefined => {
    if (chunk.length === 0) return undefined;
    const before = head;
    total += chunk.length;
    const first = chunk.subarray(0, headLimit - head.length);
    if (first.length > 0) head = Buffer.concat([head, first]);
    tail.push(chunk.subarray(first.length));
    if (!file) return undefined;
    if (file.started) return file.write(chunk);
    return options.eager || chunk.length > first.length ? file.write(Buffer.concat([before, chunk])) : undefined;
  };
  return {
    push: (chunk) => (closed ? undefined : take(redactor.push(chunk))),
    captured: () => {
      const kept = file?.kept();
      const droppedBytes = tail.dropped();
      const useful = kept && (options.eager || droppedBytes > 0);
      return { totalBytes: total, head, tail: tail.bytes(), droppedBytes, ...(useful ? { file: kept } : {}) };
    },
    async close() {
      if (!closed) void take(redactor.flush());
      closed = true;
      await file?.close(!options.eager && tail.dropped() === 0);
    },
  };
}

/** The last `capacity` bytes. */
function createRing(capacity: number) {
  const ring = Buffer.alloc(capacity);
  let total = 0;
  return {
    push(chunk: Buffer) {
      const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
      const at = (total + chunk.length - kept.length) % capacity;
      const first = kept.copy(ring, at);
      kept.copy(ring, 0, first);
      total += chunk.length;
    },
    bytes(): Buffer {
      if (total <= capacity) return Buffer.from(ring.subarray(0, total));
      const at = total % capacity;
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
    dropped: () => Math.max(0, total - capacity),
  };
}
