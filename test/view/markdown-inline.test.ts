import { describe, expect, it } from 'vitest';
import { inlineSpans, lexInline, lexLeaf } from '../../src/view/markdown-inline.ts';

const spans = (text: string) => inlineSpans(lexInline(text));
const plain = (text: string) =>
  spans(text)
    .map((span) => span.text)
    .join('');

describe('inlineSpans', () => {
  it('gives links their target, and shows it', () => {
    const link = 'http://a.example/';
    expect(spans(`[a **b**](${link} "title")`)).toEqual([
      { text: 'a ', style: { color: 'link', underline: true, link } },
      { text: 'b', style: { color: 'link', underline: true, link, bold: true } },
      { text: ` (${link})`, style: { color: 'muted' } },
    ]);
    expect(plain('[](http://a.example)')).toBe('http://a.example');
    expect(plain('![alt &amp; more](i.png)')).toBe('alt & more (i.png)');
    expect(plain('a@b.example')).toBe('a@b.example');
  });

  it('keeps the colour of code', () => {
    expect(spans('**`a  &lt;`**')).toEqual([{ text: 'a  &lt;', style: { bold: true, color: 'code' } }]);
  });

  it('breaks lines where the source does', () => {
    expect(plain('a\nb  \nc<br>d<br/>e\\\nf')).toBe('a\nb\nc\nd\ne\nf');
  });

  it.each([
    '$x*y*z$',
    '$$a\n*b*$$',
    '\\(a*b*c\\)',
    '\\[ a*b*c \\]',
    '$\\alpha_1 + \\$ *x*$',
    'from $5 to $10, US$ and A$',
    '<b title="*x*">',
  ])('leaves %j as it is', (text) => {
    expect(plain(text)).toBe(text);
  });

  it('takes no formula over code', () => {
    expect(spans('$a `b$`')).toEqual([{ text: '$a ' }, { text: 'b$', style: { color: 'code' } }]);
  });
});

describe('lexLeaf', () => {
  it('adds the links it defines to those known, and leaves the known ones as they were', () => {
    const known = new Map([['a', { href: 'http://a.example', title: '' }]]);
    const { links } = lexLeaf('[B]: http://b.example\n[__proto__]: http://c.example', known);
    expect([...links.keys()]).toEqual(['a', 'b', '__proto__']);
    expect(known.size).toBe(1);
    expect(lexLeaf('[x][a]', known).links).toBe(known);
  });
});
