import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editTyped, LineScreen } from '../../src/ui/line-screen.ts';
import type { Screen } from '../../src/view/screen.ts';
import { displayWidth } from '../../src/view/width.ts';

const typed = (text: string, x = displayWidth(text)) => ({ text, width: displayWidth(text), x });
const screen = (text: string): Screen => ({
  lines: [text],
  widths: [displayWidth(text)],
  cursor: { x: displayWidth(text), y: 0 },
  wakeAt: undefined,
});

class Terminal {
  columns = 80;
  rows = 24;
  written: string[] = [];
  listener: (() => void) | undefined;
  write(data: string): boolean {
    this.written.push(data);
    return true;
  }
  on(_event: 'resize', listener: () => void): void {
    this.listener = listener;
  }
  off(): void {
    this.listener = undefined;
  }
  take(): string {
    return this.written.splice(0).join('');
  }
}

test.each([
  ['> ', '> a', 'a'],
  ['> ab', '> a', '\b\x1b[K'],
  ['> 北', '> ', '\b\b\x1b[K'],
  ['> ab', '> ab', ''],
  ['> ab', '> b', '\r> b\x1b[K'],
])('%j to %j', (from, to, bytes) => {
  expect(editTyped(typed(from), typed(to))).toBe(bytes);
});

test('the cursor alone moves', () => {
  expect(editTyped(typed('> ab'), typed('> ab', 2))).toBe('\x1b[2D');
  expect(editTyped(typed('> ab', 2), typed('> ab', 3))).toBe('\x1b[1C');
  expect(editTyped(typed('> ab', 3), typed('> axb', 4))).toBe('\r> axb\x1b[K\x1b[1D');
});

test('whatever is edited, the terminal shows it, and nothing but its line is touched', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 8 });
  const state = fc.tuple(text, fc.nat()).map(([body, x]) => typed(`> ${body}`, 2 + (x % (body.length + 1))));
  fc.assert(
    fc.property(state, state, (from, to) => {
      const cells = [...from.text];
      let x = from.x;
      for (const [one, code, n] of editTyped(from, to).matchAll(/\x1b\[(\d*)([KDC])|[\s\S]/g)) {
        const by = Number(code || 1);
        if (n === 'K') cells.length = Math.min(cells.length, x);
        else if (n === 'D') x -= by;
        else if (n === 'C') x += by;
        else if (one === '\r') x = 0;
        else if (one === '\b') x -= 1;
        else cells[x++] = one;
      }
      expect([cells.join(''), x]).toEqual([to.text, to.x]);
    }),
    { seed: 7 },
  );
});

test('lines go above what is typed; a pause and the end leave a clean line', () => {
  const terminal = new Terminal();
  const sizes: unknown[] = [];
  const screens = new LineScreen(terminal, (size) => sizes.push(size));
  screens.draw(screen('> dr'), '');
  expect(terminal.take()).toBe('> dr');
  screens.draw(screen('> dr'), 'Done: 1 step\n');
  expect(terminal.take()).toBe('\r\x1b[KDone: 1 step\n> dr');
  screens.draw(screen('> dr'), '');
  screens.clear();
  expect(terminal.take()).toBe('');
  terminal.listener?.();
  expect([terminal.take(), sizes]).toEqual(['', [{ rows: 24, columns: 80 }]]);
  screens.pause();
  screens.draw(screen('> dra'), 'one\n');
  screens.draw(screen('> draf'), 'two\n');
  expect(terminal.take()).toBe('\r\x1b[K');
  screens.resume();
  expect(terminal.take()).toBe('one\ntwo\n> draf');
  screens.end('bye\n');
  screens.draw(screen('> late'), 'late\n');
  expect(terminal.take()).toBe('\r\x1b[Kbye\n');
});
