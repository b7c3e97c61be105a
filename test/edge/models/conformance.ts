/** What every model keeps, whatever is behind it (port: Model). */
import { afterEach, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/domain/failure.ts';
import type { Model, ModelEvent, ModelRequest } from '../../../src/runtime/ports.ts';
import { assemble } from './assembled.ts';

export interface Case {
  model: Model;
  request: ModelRequest;
}
export interface Subject {
  /** It says something and ends. */
  saying(): Promise<Case>;
  /** It calls the tool `list_files` with a path. */
  calling(): Promise<Case>;
  /** It says something, and then nothing comes. */
  hanging(): Promise<Case>;
  /** It says something and then fails as a server fails. */
  failing(): Promise<Case>;
  /** How many requests the last case got. */
  asked?(): number;
  close?(): Promise<void>;
}

const idle = () => new AbortController().signal;

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

async function firstChunk(stream: AsyncIterator<ModelEvent>): Promise<ModelEvent> {
  const { value, done } = await stream.next();
  expect(done).not.toBe(true);
  expect(value.type).toBe('chunk');
  return value;
}

export function describeModel(name: string, start: () => Promise<Subject>): void {
  describe(`${name} keeps the port`, () => {
    let subject: Subject;
    const begin = async () => {
      subject = await start();
      return subject;
    };
    afterEach(() => subject.close?.());

    test('says something and ends once, last', async () => {
      const { model, request } = await (await begin()).saying();
      const got = await assemble(model.stream(frozen(request), idle()));
      expect(got.text.trim()).not.toBe('');
      expect(got).toMatchObject({ finish: 'stop', calls: [] });
    });

    test('calls a tool with whole arguments', async () => {
      const { model, request } = await (await begin()).calling();
      const got = await assemble(model.stream(frozen(request), idle()));
      expect(got.calls.map((call) => call.name)).toEqual(['list_files']);
      expect(JSON.parse(got.calls[0]!.json)).toHaveProperty('path');
      expect(got.finish).toBe('tool_calls');
    });

    test('fails with a ProviderError, and yields nothing after it', async () => {
      const { model, request } = await (await begin()).failing();
      const stream = model.stream(request, idle())[Symbol.asyncIterator]();
      await expect(
        (async () => {
          for (;;) if ((await stream.next()).done) return;
        })(),
      ).rejects.toBeInstanceOf(ProviderError);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    });

    test('asks nobody when the signal is aborted before', async () => {
      const { model, request } = await (await begin()).saying();
      const before = subject.asked?.();
      const reason = new Error('enough');
      await expect(model.stream(request, AbortSignal.abort(reason))[Symbol.asyncIterator]().next()).rejects.toBe(
        reason,
      );
      expect(subject.asked?.()).toBe(before);
    });

    test('throws the reason of an abort at once, and then is over', async () => {
      const { model, request } = await (await begin()).hanging();
      const controller = new AbortController();
      const stream = model.stream(request, controller.signal)[Symbol.asyncIterator]();
      await firstChunk(stream);
      // whatever else was said stands between: go on until it hangs or throws
      const ended = (async () => {
        for (;;) if ((await stream.next()).done) return 'done';
      })();
      const reason = new Error('stop');
      setImmediate(() => controller.abort(reason));
      await expect(ended).rejects.toBe(reason);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    });

    test('yields nothing of what it has when aborted between two events', async () => {
      const { model, request } = await (await begin()).saying();
      const controller = new AbortController();
      const stream = model.stream(request, controller.signal)[Symbol.asyncIterator]();
      await firstChunk(stream);
      controller.abort();
      await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
    });

    test('can be left in the middle', async () => {
      const { model, request } = await (await begin()).saying();
      for await (const event of model.stream(request, idle())) {
        expect(event.type).toBe('chunk');
        break;
      }
    });

    test('serves two streams side by side', async () => {
      const { model, request } = await (await begin()).saying();
      const [one, two] = await Promise.all([
        assemble(model.stream(request, idle())),
        assemble(model.stream(request, idle())),
      ]);
      expect(one.text).toBe(two.text);
      expect(one.text).not.toBe('');
    });
  });
}
