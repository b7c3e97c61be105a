import { describe, expect, test } from 'vitest';
import { eraseRegion, ScreenOutput } from '../../src/ui/screen-output.ts';

class Recorder {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  written: string[] = [];
  write = (data: string): boolean => {
    this.written.push(data);
    return true;
  };
  on(): void {}
  off(): void {}
}

test('Ink is told no height and hears of no resize', () => {
  const output = new ScreenOutput(new Recorder());
  expect(output.rows).toBeUndefined();
  expect(output.on()).toBe(output);
});

test('a frame is one synchronized write, with the frames inside it taken off', () => {
  const target = new Recorder();
  const output = new ScreenOutput(target);
  output.frame(() => {
    output.write('\x1b[?2026h');
    output.write('a');
    output.write('\x1b[?2026l');
    output.frame(() => output.write('b'));
  });
  output.frame(() => {});
  expect(target.written).toEqual(['\x1b[?2026hab\x1b[?2026l']);
});

test('muted, nothing passes and every callback is called', () => {
  const target = new Recorder();
  const output = new ScreenOutput(target);
  output.mute();
  let called = 0;
  output.write('a', () => {
    called += 1;
  });
  output.direct('own');
  expect([target.written, called]).toEqual([['own'], 1]);
});

test('a redraw drops what erases the old picture and lets the new one through', () => {
  const target = new Recorder();
  const output = new ScreenOutput(target);
  output.mute();
  output.redraw((mark) => {
    output.write('ERASE');
    output.write(mark);
    output.write('PICTURE');
  });
  expect(target.written).toEqual(['\x1b[?2026hPICTURE\x1b[?2026l']);
  expect(output.muted).toBe(false);
});

describe('erasing the region', () => {
  test.each([
    [
      'nothing above the cursor',
      { widths: [10], cursorLine: 0, cursorColumn: 0 },
      80,
      'lines',
      '\r\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'two lines above it',
      { widths: [10, 20, 5], cursorLine: 2, cursorColumn: 3 },
      80,
      'lines',
      '\r\x1b[2A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'lines that were wrapped anew',
      { widths: [79, 0, 5], cursorLine: 2, cursorColumn: 3 },
      40,
      'lines',
      '\r\x1b[3A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'a terminal that cuts instead',
      { widths: [79, 0, 5], cursorLine: 2, cursorColumn: 3 },
      40,
      'nothing',
      '\r\x1b[2A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'the line of the cursor, wrapped as well',
      { widths: [5, 75], cursorLine: 1, cursorColumn: 75 },
      30,
      'all',
      '\r\x1b[3A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'the same, with the cursor near its start',
      { widths: [5, 75], cursorLine: 1, cursorColumn: 29 },
      30,
      'all',
      '\r\x1b[1A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'the same, with the cursor behind a full row',
      { widths: [5, 60], cursorLine: 1, cursorColumn: 60 },
      30,
      'all',
      '\r\x1b[2A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'the line of the cursor where it is left alone',
      { widths: [5, 75], cursorLine: 1, cursorColumn: 75 },
      30,
      'lines',
      '\r\x1b[1A\x1b[K\x1b[C\x1b[J\r',
    ],
    [
      'a hidden cursor below the region',
      { widths: [10, 10], cursorLine: 2, cursorColumn: 3 },
      80,
      'lines',
      '\r\x1b[2A\x1b[K\x1b[C\x1b[J\r',
    ],
  ] as const)('%s', (_name, shape, columns, rewraps, erase) => {
    expect(eraseRegion(shape, columns, rewraps)).toBe(erase);
  });
});

describe('what Ink writes to erase its picture', () => {
  const ERASE = '\x1b[?25l\x1b[2B\x1b[1G\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[G';
  const opened = () => {
    const target = new Recorder();
    const output = new ScreenOutput(target);
    output.standing = { widths: [5, 5], cursorLine: 1, cursorColumn: 0 };
    return { target, output };
  };

  test('becomes a way up and one erase below', () => {
    const { target, output } = opened();
    output.write(`${ERASE}NEW`);
    expect(target.written).toEqual(['\x1b[?25l\r\x1b[1A\x1b[K\x1b[C\x1b[J\rNEW']);
  });

  test('the old picture below printed lines never goes out', () => {
    const { target, output } = opened();
    output.frame(() => {
      output.write(ERASE);
      output.write('printed\n');
      output.write('OLD');
      output.write(`${ERASE}NEW`);
    });
    expect(target.written).toEqual([
      '\x1b[?2026h\x1b[?25l\r\x1b[1A\x1b[K\x1b[C\x1b[J\rprinted\n\x1b[?25lNEW\x1b[?2026l',
    ]);
  });

  test('where the picture stays the same it is drawn below what was printed', () => {
    const { target, output } = opened();
    output.frame(() => {
      output.write(ERASE);
      output.write('printed\n');
      output.write('OLD');
    });
    expect(target.written[0]).toContain('printed\nOLD');
  });
});
