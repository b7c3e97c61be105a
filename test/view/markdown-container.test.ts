import { describe, expect, it } from 'vitest';
import { type Container, EMPTY_FRAME, type FrameContext, type ItemBlock } from '../../src/view/markdown-block.ts';
import { belongsTo, endsInParagraph, inside, prefixed } from '../../src/view/markdown-container.ts';
import { lineText } from '../../src/view/style.ts';

const item = (more: Partial<ItemBlock> = {}): ItemBlock => ({
  kind: 'item',
  inner: EMPTY_FRAME,
  offset: 3,
  marker: '1. ',
  numbered: true,
  started: false,
  ...more,
});
const quote: Container = { kind: 'quote', inner: EMPTY_FRAME };
const context = (width: number): FrameContext => ({
  width,
  depth: 0,
  options: { ascii: false },
  shared: { links: new Map() },
  preview: false,
});
const lines = [[{ text: 'a' }], [], [{ text: 'b' }]];
const drawn = (open: Container, width: number) => prefixed(open, lines, context(width)).map(lineText);

describe('prefixed', () => {
  it('puts the sign before the first line of an item and before each of a quote', () => {
    expect(drawn(item(), 20)).toEqual(['1. a', '', '   b']);
    expect(drawn(item({ started: true }), 20)).toEqual(['   a', '', '   b']);
    expect(drawn(quote, 20)).toEqual(['│ a', '│', '│ b']);
    expect(prefixed(item(), [], context(20))).toEqual([]);
  });

  it('gives the sign a line of its own, or drops it, where it would leave no room', () => {
    expect(drawn(item(), 6)).toEqual(['1.', 'a', '', 'b']);
    expect(drawn(item({ started: true }), 6)).toEqual(['a', '', 'b']);
    expect(drawn(quote, 5)).toEqual(['a', '', 'b']);
    expect(inside(item(), context(6)).width).toBe(6);
    expect(inside(item(), context(7)).width).toBe(4);
  });
});

describe('belongsTo', () => {
  it.each([
    ['   text', true],
    ['  text', false],
    ['  - other kind', true],
    [' - other kind', false],
    ['  2. same kind', false],
  ])('%j: %s', (text, belongs) => {
    expect(belongsTo(item(), text)).toBe(belongs);
  });
});

describe('endsInParagraph', () => {
  it('looks into what is open inside', () => {
    const paragraph = { ...EMPTY_FRAME, open: { kind: 'paragraph', text: 'a', last: 'a', plain: false } as const };
    expect(endsInParagraph({ ...EMPTY_FRAME, open: item({ inner: paragraph }) })).toBe(true);
    expect(endsInParagraph({ ...EMPTY_FRAME, open: { kind: 'indented' } })).toBe(false);
    expect(endsInParagraph(EMPTY_FRAME)).toBe(false);
  });
});
