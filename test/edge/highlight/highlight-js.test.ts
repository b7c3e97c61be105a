import { expect, test } from 'vitest';
import { markUp } from '../../../src/edge/highlight/highlight-js.ts';
import { LANGUAGES } from '../../../src/view/highlight.ts';

test.each(LANGUAGES)('knows %s', (language) => {
  expect(markUp('x', language)).toContain('x');
});

test('marks parts by their names, and makes the rest harmless', () => {
  expect(markUp('const a = "<b>"; // c', 'javascript')).toBe(
    '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;</span>; <span class="hljs-comment">// c</span>',
  );
});
