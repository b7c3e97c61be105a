import fc from 'fast-check';
import { Lexer, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { tableLines } from '../../src/view/markdown-table.ts';
import { lineText, lineWidth } from '../../src/view/style.ts';

const table = (source: string) => Lexer.lex(source)[0] as Tokens.Table;
const draw = (source: string, width: number) => tableLines(table(source), width, false).map(lineText);

const CITIES =
  '| 城市 | Name | 数 |\n|---|:-:|--:|\n| 北京市 | one ✅ | 1 |\n| 海 | a very long cell that cannot fit in forty columns at all | 22 |';

describe('tableLines', () => {
  it('is as wide as its content where that fits', () => {
    expect(draw('|a|bb|\n|-|-:|\n|long|1|\n|*x*||', 20)).toEqual(['a    │ bb', '─────┼───', 'long │  1', 'x    │ ']);
  });

  it('wraps the widest cells first', () => {
    expect(draw(CITIES, 40)).toEqual([
      '城市   │            Name            │ 数',
      '───────┼────────────────────────────┼───',
      '北京市 │           one ✅           │  1',
      '海     │   a very long cell that    │ 22',
      '       │    cannot fit in forty     │ ',
      '       │       columns at all       │ ',
    ]);
  });

  it('becomes a list where columns would be too narrow', () => {
    expect(draw(CITIES, 20)).toEqual([
      '城市: 北京市',
      'Name: one ✅',
      '数: 1',
      '',
      '城市: 海',
      'Name: a very long',
      '  cell that cannot',
      '  fit in forty',
      '  columns at all',
      '数: 22',
    ]);
    expect(draw('|a long heading|another one|\n|-|-|', 12)).toEqual(['a long', '  heading', 'another one']);
  });

  it('fits any width, with its bars in one column, and loses no word', () => {
    const cell = fc.constantFrom('', 'a', 'word', 'two words', '北京', '👩‍👩‍👧', '**b**', 'x<br>y', 'e\u0301');
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 40 }), (cells, width) => {
        const source = ['|h1|h2|h3|', '|-|:-:|-:|', ...cells.map((row) => `|${row.join('|')}|`)].join('\n');
        const lines = tableLines(table(source), width, false);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        const text = lines.map(lineText);
        const bars = text
          .filter((line) => line.includes('│'))
          .map((line) => lineWidth([{ text: line.slice(0, line.indexOf('│')) }]));
        expect(new Set(bars).size).toBeLessThanOrEqual(1);
        const words = cells.flat().filter((one) => one === 'word').length;
        if (width >= 8) expect(text.join('\n').match(/\bword\b/g)?.length ?? 0).toBe(words);
      }),
      { seed: 14, numRuns: 1000 },
    );
  });
});
