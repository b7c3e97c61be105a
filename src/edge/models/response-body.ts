/** The bytes of a response: unpacked where they come compressed, looked at before they are read. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

type Bytes = AsyncIterator<Uint8Array>;

/** A body that the connection cut is unpacked as far as it came. */
const CUT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const UNPACKERS: Record<string, () => Transform> = {
  gzip: () => zlib.createGunzip(CUT),
  'x-gzip': () => zlib.createGunzip(CUT),
  deflate: () => zlib.createInflate(CUT),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};

/** None is asked for; some servers and proxies compress all the same. The name of one that cannot be unpacked is thrown. */
export function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return response;
  const unpacker = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding]?.() : undefined;
  if (!unpacker) throw new UnknownEncodingError(encoding);
  // errors reach whoever reads
  pipeline(response, unpacker, () => {});
  return unpacker;
}
export class UnknownEncodingError extends Error {}

/** The reads of a body. Whoever stops reading leaves the connection as it is. */
export const readsOf = (body: Readable): Bytes =>
  body.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as Bytes;

/** Enough to tell a stream of events by its first field, behind a byte order mark. */
const LOOK = 16;
const FIELD = /^(?:data|event|id|retry)\s*:|^:/;

/** Looks at the first bytes: whether they begin a stream of events, and the same reads from the start. */
export async function lookInto(reads: Bytes): Promise<{ isEvents: boolean; reads: Bytes }> {
  const taken: Uint8Array[] = [];
  const text = () =>
    Buffer.concat(taken)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
  while (text().length < LOOK) {
    const next = await reads.next();
    if (next.done) break;
    taken.push(next.value);
  }
  const again = async function* (): AsyncGenerator<Uint8Array> {
    yield* taken;
    for (let next = await reads.next(); !next.done; next = await reads.next()) yield next.value;
  };
  return { isEvents: FIELD.test(text()), reads: again() };
}

/** The body as text, up to `limit` bytes; what came of it where the connection breaks. */
export async function readText(response: IncomingMessage, limit = 64 * 1024): Promise<string> {
  try {
    return await textOf(readsOf(unpacked(response)), limit);
  } catch {
    return '';
  } finally {
    if (!response.complete) response.destroy();
  }
}

export async function textOf(reads: Bytes, limit = 64 * 1024): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reads.next(); !next.done && size < limit; next = await reads.next()) {
      parts.push(next.value);
      size += next.value.length;
    }
  } catch {
    // what came is enough to say what went wrong
  }
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, limit));
}
