import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { THEME_NAMES } from '../../src/view/palette.ts';
import { type Line, lineText, lineWidth, paintLine, type Style } from '../../src/view/style.ts';

const styles = fc.record(
  {
    bold: fc.boolean(),
    dim: fc.boolean(),
    italic: fc.boolean(),
    underline: fc.boolean(),
    inverse: fc.boolean(),
    strikethrough: fc.boolean(),
    color: fc.constantFrom('accent', 'error', 'added', 'muted'),
    link: fc.constantFrom(
      'https://a.example/x?y=1&z=2',
      'javascript:alert(1)',
      'https://e.example/\x1b]0;x\x07',
      'mailto:a@b.example',
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Style>;
const lines = fc.array(
  fc.record({
    text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\x1b[2J', 'a', '\n', '北')),
    style: fc.option(styles, { nil: undefined }),
  }),
) as fc.Arbitrary<Line>;

const SGR = /\x1b\[(?:[0-9;]+)m/g;
const OSC8 = /\x1b\]8;;([!-~]*)\x07/g;

describe('paintLine', () => {
  it('closes what it opens', () => {
    expect(
      paintLine([{ text: 'a' }, { text: 'b', style: { bold: true, color: 'error' } }], 'ansi16', { links: false }),
    ).toBe('a\x1b[1m\x1b[31mb\x1b[39m\x1b[22m');
  });

  it('joins neighbours of one style', () => {
    const line = [
      { text: 'a', style: { bold: true } },
      { text: 'b', style: { bold: true, italic: false } },
    ];
    expect(paintLine(line, 'dark', { links: false })).toBe('\x1b[1mab\x1b[22m');
  });

  it.each([
    ['https://a.example/x', true],
    ['http://a.example', true],
    ['HTTPS://A.EXAMPLE', true],
    ['mailto:a@b.example', true],
    ['file:///tmp/x', true],
    ['javascript:alert(1)', false],
    ['ssh://host', false],
    ['https://a.example/a b', false],
    ['https://a.example/\x07\x1b[2J', false],
    ['https://a.example/\u202e', false],
    ['https://', false],
  ])('draws %j as a hyperlink: %s', (link, drawn) => {
    const painted = paintLine([{ text: 'L', style: { link } }], 'dark', { links: true });
    expect(painted).toBe(drawn ? `\x1b]8;;${link}\x07L\x1b]8;;\x07` : 'L');
    expect(paintLine([{ text: 'L', style: { link } }], 'dark', { links: false })).toBe('L');
  });

  it('lets nothing through but its own codes, and no line leaks into the next', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(...THEME_NAMES), fc.boolean(), (line, theme, links) => {
        const painted = paintLine(line, theme, { links });
        const targets = [...painted.matchAll(OSC8)].map((found) => found[1] ?? '');
        expect(targets.length % 2).toBe(0);
        targets.forEach((target, index) => {
          expect(target).toMatch(index % 2 ? /^$/ : /^(?:https|mailto):/);
        });
        const bare = painted.replace(OSC8, '').replace(SGR, '');
        expect(bare).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
        expect(bare).toBe(paintLine(line, 'none', { links }));
        const open = new Set<string>();
        for (const [code] of painted.matchAll(SGR)) {
          const number = code.slice(2, -1);
          const opened = { '22': ['1', '2'], '23': ['3'], '24': ['4'], '27': ['7'], '29': ['9'], '39': ['colour'] }[
            number
          ];
          if (opened) for (const each of opened) open.delete(each);
          else open.add(/^(?:3|9)\d?;?/.test(number) && number.length > 1 ? 'colour' : number);
        }
        expect([...open]).toEqual([]);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('without a theme has no escape at all', () => {
    const line: Line = [{ text: 'x', style: { bold: true, color: 'link', link: 'https://a.example' } }];
    expect(paintLine(line, 'none', { links: true })).toBe('x');
  });
});

describe('lineText and lineWidth', () => {
  it('look at the words only', () => {
    const line: Line = [{ text: '北' }, { text: 'x', style: { bold: true } }];
    expect(lineText(line)).toBe('北x');
    expect(lineWidth(line)).toBe(3);
    expect(lineText([])).toBe('');
  });
});
