import { describe, expect, it } from 'vitest';
import * as source from '../../src/view/markdown-lines.ts';

describe('fences', () => {
  it.each([
    ['```', { mark: '`', size: 3, indent: 0, lang: '' }],
    ['  ~~~~ ts title="x"', { mark: '~', size: 4, indent: 2, lang: 'ts' }],
    ['``` a`b', undefined],
    ['    ```', undefined],
    ['``', undefined],
  ])('%j opens %j', (line, fence) => {
    expect(source.fenceStart(line)).toEqual(fence);
  });

  it.each([
    ['```', true],
    ['  ````  ', true],
    ['``', false],
    ['~~~', false],
    ['``` x', false],
    ['    ```', false],
    ['', false],
  ])('%j closes three backticks: %s', (line, closes) => {
    expect(source.closesFence(line, { mark: '`', size: 3, indent: 0, lang: '' })).toBe(closes);
  });
});

describe('items', () => {
  it.each([
    ['- a', { sign: '-', number: undefined, offset: 2, content: 'a' }],
    ['  12) a', { sign: ')', number: 12, offset: 6, content: 'a' }],
    ['*   a', { sign: '*', number: undefined, offset: 4, content: 'a' }],
    ['-      code', { sign: '-', number: undefined, offset: 2, content: '     code' }],
    ['+', { sign: '+', number: undefined, offset: 2, content: '' }],
    ['-   ', { sign: '-', number: undefined, offset: 2, content: '' }],
    ['-a', undefined],
    ['1234567890. a', undefined],
  ])('%j begins %j', (line, item) => {
    expect(source.itemStart(line)).toEqual(item);
  });
});

describe('other lines', () => {
  it.each([
    ['***', true],
    [' - - -', true],
    ['__ _', true],
    ['--', false],
    ['-*-', false],
    ['    ---', false],
    ['--- a', false],
  ])('%j is a rule: %s', (line, is) => {
    expect(source.isThematicBreak(line)).toBe(is);
  });

  it('are told apart without going back over them', () => {
    expect(source.isThematicBreak(`${'- '.repeat(20_000)}x`)).toBe(false);
    expect(source.isTableDelimiter(`${'|-'.repeat(20_000)}x`)).toBe(false);
    expect(source.isLoneTag(`<a${' x'.repeat(20_000)}`)).toBe(false);
  });

  it.each([
    ['|---|:-:|', true],
    ['- | -', true],
    ['---', false],
    ['| a |', false],
  ])('%j is a table delimiter: %s', (line, is) => {
    expect(source.isTableDelimiter(line)).toBe(is);
  });

  it.each([
    ['<div class="x">', ''],
    ['</details>', ''],
    ['<pre>', '</pre>'],
    ['<Script src=x>', '</script>'],
    ['<!-- x', '-->'],
    ['<span>', undefined],
    ['<divx>', undefined],
  ])('%j is HTML up to %j', (line, end) => {
    expect(source.htmlEnd(line)).toBe(end);
  });

  it.each([
    ['$$', '$$'],
    ['$$ x', '$$'],
    ['$$ x $$', undefined],
    ['$$$', undefined],
    ['\\[', '\\]'],
    ['\\[x', undefined],
  ])('%j is a formula up to %j', (line, end) => {
    expect(source.formulaEnd(line)).toBe(end);
  });

  it.each([
    ['# a', true],
    ['#a', false],
    ['- a', true],
    ['-', false],
    ['1. a', true],
    ['2. a', false],
    ['> a', true],
    ['    # a', false],
    ['```', true],
    ['word', false],
  ])('%j interrupts a paragraph: %s', (line, does) => {
    expect(source.interruptsParagraph(line)).toBe(does);
  });

  it('counts spaces only as blank', () => {
    expect(source.isBlank('   ')).toBe(true);
    expect(source.isBlank('\u00a0')).toBe(false);
    expect(source.quoted('>  a')).toBe(' a');
    expect(source.quoted('a')).toBeUndefined();
  });
});
