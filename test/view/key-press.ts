import type { KeyInput } from '../../src/domain/terminal-input.ts';

/** A key that writes nothing, unless it is given a text. */
export function press(name: string, held: Partial<KeyInput> = {}): KeyInput {
  return { type: 'key', name, ctrl: false, alt: false, shift: false, ...held };
}
