import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TerminalMode, TerminalModes } from '../../../src/edge/terminal/modes.ts';

function recorded() {
  const written: string[] = [];
  return { written, modes: new TerminalModes((text) => written.push(text)) };
}

describe('terminal modes', () => {
  it('undoes exactly what was switched on, the last first, once', () => {
    const { written, modes } = recorded();
    modes.turnOn('bracketed-paste');
    modes.turnOn('focus');
    modes.turnOn('focus');
    modes.restore();
    modes.restore();
    expect(written).toEqual(['\x1b[?2004h', '\x1b[?1004h', '\x1b[?1004l\x1b[?2004l']);
  });

  it('writes nothing where nothing was switched on', () => {
    const { written, modes } = recorded();
    modes.turnOff('kitty');
    modes.restore();
    expect(written).toEqual([]);
  });

  it('can be switched on again after a restore', () => {
    const { written, modes } = recorded();
    modes.turnOn('hidden-cursor');
    const active = modes.active;
    modes.restore();
    for (const mode of active) modes.turnOn(mode);
    expect(written).toEqual(['\x1b[?25l', '\x1b[?25h', '\x1b[?25l']);
  });

  it('gives the alternate screen a keyboard level of its own', () => {
    const { written, modes } = recorded();
    modes.turnOn('kitty');
    modes.turnOn('alternate-screen');
    modes.turnOff('alternate-screen');
    modes.turnOff('kitty');
    expect(written).toEqual(['\x1b[>1u', '\x1b[?1049h\x1b[>1u', '\x1b[<u\x1b[H\x1b[J\x1b[?1049l', '\x1b[<u']);
  });

  it('leaves the terminal as it was after any order of switching', () => {
    const mode = fc.constantFrom<TerminalMode>(
      'bracketed-paste',
      'focus',
      'kitty',
      'hidden-cursor',
      'alternate-screen',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), mode)), (steps) => {
        const { written, modes } = recorded();
        for (const [on, which] of steps) on ? modes.turnOn(which) : modes.turnOff(which);
        const wanted = modes.active;
        expect(stateAfter(written.join('')).kitty).toBe(wanted.includes('kitty'));
        modes.restore();
        expect(stateAfter(written.join(''))).toEqual({ levels: { main: 0, alternate: 0 }, on: [], kitty: false });
      }),
    );
  });
});

/** A terminal that knows no more than modes and keyboard levels; popping an empty stack would be the shell's loss. */
function stateAfter(written: string) {
  const levels = { main: 0, alternate: 0 };
  const on = new Set<string>();
  let screen: 'main' | 'alternate' = 'main';
  for (const [, push, pop, number, letter] of written.matchAll(/\x1b\[(?:(>1u)|(<u)|\?(\d+)([hl]))/g)) {
    if (push !== undefined) levels[screen] += 1;
    if (pop !== undefined) levels[screen] -= 1;
    expect(levels[screen]).toBeGreaterThanOrEqual(0);
    // the cursor is shown by `h`, the others are switched on by it
    if ((letter === 'h') !== (number === '25')) on.add(number ?? '');
    else on.delete(number ?? '');
    if (number === '1049') screen = letter === 'h' ? 'alternate' : 'main';
    on.delete('');
  }
  return { levels, on: [...on], kitty: levels[screen] > 0 };
}
