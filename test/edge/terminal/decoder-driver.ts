import { expect } from 'vitest';
import type { TerminalInput } from '../../../src/domain/terminal-input.ts';
import { InputDecoder } from '../../../src/edge/terminal/input-decoder.ts';
import { FakeTimers } from './fake-timers.ts';

export function decoder(options: { escapeTimeoutMs?: number } = {}) {
  const inputs: TerminalInput[] = [];
  const timers = new FakeTimers();
  const decoding = new InputDecoder({ timers, sink: (input) => inputs.push(input), ...options });
  const take = () => inputs.splice(0).map(shown);
  return { decoding, timers, inputs, take, feed: (chunk: string | Uint8Array) => decoding.feed(chunk) };
}

/** One word an input: `ctrl+j`, `a`, `paste "…"`, `background rgb:…`. */
export function shown(input: TerminalInput): string {
  if (input.type === 'paste') return `paste ${JSON.stringify(input.text)}`;
  if (input.type === 'focus') return `focus ${input.focused}`;
  if (input.type === 'reply') return `${input.kind} ${input.data}`;
  const held = (['ctrl', 'alt', 'shift'] as const).filter((name) => input[name]);
  const plain = input.text === undefined ? '' : input.text === input.name ? '' : `=${input.text}`;
  return [...held, input.name + plain].join('+');
}

/** All that comes of one read, when all timers have run. */
export function read(chunk: string | Uint8Array): string[] {
  const { feed, timers, take } = decoder();
  feed(chunk);
  timers.advance(10_000);
  expect(timers.pending).toBe(0);
  return take();
}
