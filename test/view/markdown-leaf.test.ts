import { describe, expect, it } from 'vitest';
import { drawCode, drawLeaf, drawParagraph, drawRule } from '../../src/view/markdown-leaf.ts';
import { lineText } from '../../src/view/style.ts';

const OPTIONS = { ascii: false };
const NONE = new Map();
const leaf = (text: string, width = 40) => drawLeaf(text, width, OPTIONS, NONE);

describe('drawLeaf', () => {
  it.each([
    ['words', 'words', false],
    ['**bold** words', 'bold words', false],
    ['# head', 'head', true],
    ['|a|b|\n|-|-|\n|1|2|', 'a │ b\n──┼──\n1 │ 2', true],
    ['[a]: http://b.example', '', false],
    ['#', '', true],
  ])('draws %j as %j', (text, expected, roomy) => {
    const drawn = leaf(text);
    expect(drawn.lines.map(lineText).join('\n')).toBe(expected);
    expect(drawn.roomy).toBe(roomy);
  });

  it('parts what one paragraph holds', () => {
    expect(leaf('text\n|a|b|\n|-|-|').lines.map(lineText)).toEqual(['text', '', 'a │ b', '──┼──']);
  });

  it('takes words without marks for what the lexer would', () => {
    for (const text of ['Plain words, (really) "so".', 'ends with  ', "It's 5 o'clock; why?", 'été 北京', 'a - b']) {
      expect(leaf(text).lines).toEqual(
        leaf(`${text}\n[x]: http://y.example`)
          .lines.slice(0, 1)
          .map(() => [{ text: text.trimEnd() }]),
      );
    }
    expect(leaf('see www.a.example').lines[0]?.at(-1)?.style?.link).toBe('http://www.a.example');
  });

  it('reads a text of very many marks line by line, and one line of them as words', () => {
    const rows = Array.from({ length: 700 }, () => '**a**').join('\n');
    expect(leaf(rows).lines).toEqual(Array.from({ length: 700 }, () => [{ text: 'a', style: { bold: true } }]));
    expect(leaf('*a '.repeat(700), 3000).lines.map(lineText)).toEqual(['*a '.repeat(700).trimEnd()]);
  });

  it('remembers so many links and no more', () => {
    const known = new Map(
      Array.from({ length: 500 }, (_, index) => [`k${index}`, { href: 'http://a.example', title: '' }]),
    );
    expect(drawLeaf('[a]: http://b.example', 40, OPTIONS, known).links).toBe(known);
    expect(leaf('[a]: http://b.example').links.get('a')?.href).toBe('http://b.example');
  });
});

describe('drawParagraph', () => {
  it('looks for no blocks', () => {
    expect(drawParagraph('> - # **a**', 40).map(lineText)).toEqual(['> - # a']);
  });
});

describe('drawCode', () => {
  it('is indented where there is room, and cut, not wrapped', () => {
    expect(drawCode('  a  b   c', '', 10, OPTIONS).map(lineText)).toEqual(['    a  b  ', '   c']);
    expect(drawCode('abcdef', '', 4, OPTIONS).map(lineText)).toEqual(['abcd', 'ef']);
    expect(drawCode('', '', 10, OPTIONS)).toEqual([[]]);
  });

  it('is plain where the highlighter knows nothing', () => {
    expect(drawCode('a', 'x', 20, { ascii: false, highlight: () => undefined })).toEqual([
      [{ text: '  ' }, { text: 'a' }],
    ]);
  });
});

describe('drawRule', () => {
  it('is never as wide as a wide screen, nor wider than a narrow one', () => {
    expect(lineText(drawRule(200, OPTIONS))).toHaveLength(24);
    expect(lineText(drawRule(3, { ascii: true }))).toBe('---');
  });
});
