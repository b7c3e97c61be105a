import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/edge/models/answer.ts';
import { readsOf } from '../../../src/edge/models/response-body.ts';
import { type Destination, RequestFault } from '../../../src/edge/models/server-fault.ts';
import { type Assembled, nothing, take, takeError } from './assembled.ts';
import { SHAPES, type Shape } from './stream-shapes.ts';

const to: Destination = {
  url: new URL('http://127.0.0.1:1/v1'),
  model: 'm1',
  hasKey: true,
  keyName: 'OPENAI_API_KEY',
  secrets: [],
};
const timer = { wait() {}, rest() {}, stop() {} };

async function* body(pieces: readonly Uint8Array[], breaks: boolean): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (breaks) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

async function played(pieces: readonly Uint8Array[], breaks = false): Promise<Assembled> {
  const into = nothing();
  const reads = readsOf(Readable.from(body(pieces, breaks), { objectMode: false }));
  try {
    for await (const events of readAnswer(reads, timer, { stallMs: 1, finishedMs: 1 }, to))
      for (const event of events) take(into, event);
  } catch (error) {
    if (!(error instanceof RequestFault)) throw error;
    takeError(into, error.error);
  }
  return into;
}

/** The bytes cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length]
    .map((end, n) => bytes.subarray(n === 0 ? 0 : ends[n - 1], end))
    .filter((piece) => piece.length > 0);
}

const bytesOf = (shape: Shape) => new TextEncoder().encode(shape.body);

describe('what servers really send', () => {
  test('is a table worth its name', () => {
    expect(SHAPES.length).toBeGreaterThan(100);
    expect(new Set(SHAPES.map((shape) => shape.name)).size).toBe(SHAPES.length);
  });

  test.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s', async (_, shape) => {
    const { message, ...got } = await played([bytesOf(shape)], shape.breaks);
    // rows that are about other things say "hi", and leave it out
    const text = shape.body.includes('"content":"hi"') ? 'hi' : '';
    const finish = shape.want.error ? undefined : got.finish;
    expect(got).toEqual({ ...nothing(), text, finish, ...shape.want });
    expect(got.finish === undefined).toBe(got.error !== undefined);
    expect(message !== undefined).toBe(got.error !== undefined);
  });

  test.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s: the same however it is cut', async (_, shape) => {
    const bytes = bytesOf(shape);
    const whole = await played([bytes], shape.breaks);
    expect(
      await played(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        shape.breaks,
      ),
    ).toEqual(whole);
    const places = fc.array(fc.nat({ max: 4096 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => {
        expect(await played(cut(bytes, cuts), shape.breaks)).toEqual(whole);
      }),
      { seed: 20261130, numRuns: 15 },
    );
  });
});
