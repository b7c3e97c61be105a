import { describe, expect, it } from 'vitest';
import { EMPTY_FRAME, type Frame, type FrameContext, type SourceLine } from '../../src/view/markdown-block.ts';
import { closeFrame, feedLine } from '../../src/view/markdown-frame.ts';
import { lineText } from '../../src/view/style.ts';

const context: FrameContext = {
  width: 30,
  depth: 0,
  options: { ascii: false },
  shared: { links: new Map() },
  preview: false,
};

/** Each source line with what it made final; the end as the last row. */
function trace(lines: readonly (string | SourceLine)[]): string[] {
  let frame: Frame = EMPTY_FRAME;
  const rows = lines.map((line) => {
    const step = feedLine(frame, typeof line === 'string' ? { text: line, mode: 'line' } : line, context);
    frame = step.frame;
    return step.lines.map(lineText).join('/');
  });
  return [...rows, closeFrame(frame, context).lines.map(lineText).join('/')];
}

describe('feedLine', () => {
  it.each<[string, (string | SourceLine)[], string[]]>([
    ['a paragraph is final at the blank line', ['a', '', 'b'], ['', 'a', '', '/b']],
    ['a heading at once', ['a', '# b', 'c'], ['', 'a//b', '', '/c']],
    ['code line by line', ['```x', 'a', '', '```', 'b'], ['x', '  a', '', '', '', '/b']],
    ['an item when the next begins', ['- a', '- b', '', '- c'], ['', '• a', '• b', '', '/• c']],
    ['nested items one by one', ['- a', '  - b', '  - c', '- d'], ['', '• a', '  • b', '  • c', '• d']],
    ['code in a quote line by line', ['> ```', '> a', '> ```', 'b'], ['', '│   a', '', '', 'b']],
    ['the rest of a long line is no block', ['a', { text: '# b', mode: 'rest' }], ['', '', 'a# b']],
    ['nor the end of code', ['```', 'a', { text: '```', mode: 'rest' }, '```'], ['', '  a', '  ```', '', '']],
    ['nor the end of indented code', ['    a', { text: 'b', mode: 'rest' }], ['  a', '  b', '']],
    ['a definition prints nothing and leaves no gap', ['[a]: http://b.example', '', 'c'], ['', '', '', 'c']],
  ])('%s', (_name, lines, rows) => {
    expect(trace(lines)).toEqual(rows);
  });

  it('reads no containers below a certain depth', () => {
    const rows = trace([`${'> '.repeat(14)}a`, `${'> '.repeat(14)}b`]);
    expect(rows.at(-1)).toContain('> > a');
  });

  it('parts a table that gets too long, with its header again, but never a header alone', () => {
    const row = `| ${'x'.repeat(900)} | y |`;
    const rows = trace(['| name | y |', '|---|---|', ...Array.from({ length: 18 }, () => row)]);
    expect(rows.filter((text) => text !== '')).toHaveLength(1);
    const more = trace(['| name | y |', '|---|---|', ...Array.from({ length: 20 }, () => row)]);
    expect(more.filter((text) => text.includes('name'))).toHaveLength(2);
  });
});
