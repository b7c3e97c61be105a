import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { markUp } from '../../src/edge/highlight/highlight-js.ts';
import { highlighterOf, LANGUAGES, languageOf, markedLines, openAfter } from '../../src/view/highlight.ts';
import { createMarkdownStream, endMarkdown, pushMarkdown, renderMarkdown } from '../../src/view/markdown.ts';
import { type Line, lineText, paintLine } from '../../src/view/style.ts';

const highlight = highlighterOf(markUp);

test.each([
  ['TS', 'typescript'],
  ['.py', 'python'],
  ['{.rust}', 'rust'],
  ['js:src/a.js', 'javascript'],
  ['c++', 'cpp'],
  ['html', 'xml'],
  ['sh', 'bash'],
  ['brainfuck', undefined],
  ['constructor', undefined],
  ['', undefined],
])('a fence of %j is %j', (word, language) => {
  expect(languageOf(word)).toBe(language);
});

test('marked-up code becomes lines of spans with the words as they were', () => {
  const html =
    '<span class="hljs-string">`a <span class="hljs-subst">$\x7bb}</span> &lt;c&gt;\n&amp;`</span> &quot;d&#x27; &nbsp;';
  expect(markedLines(html)).toEqual([
    [{ text: '`a ', style: { color: 'string' } }, { text: '$\x7bb}' }, { text: ' <c>', style: { color: 'string' } }],
    [{ text: '&`', style: { color: 'string' } }, { text: ' "d\' &nbsp;' }],
  ]);
});

describe('what a line leaves open', () => {
  it.each<[string, string, string, string]>([
    ['js', 'f(); /* why', '', '/*'],
    ['js', 'still why', '/*', '/*'],
    ['js', 'because */ f();', '/*', ''],
    ['js', '// see /* there', '', ''],
    ['js', 'const a = "/* no */ `";', '', ''],
    ['js', 'const a = `x $\x7bb}', '', '`'],
    ['js', 'c \\` $\x7bd}`;', '`', ''],
    ['js', 'const a = `b`;', '', ''],
    ['python', 'r"""doc', '', '"""'],
    ['python', "x = '''a''' + \"\"\"b", '', '"""'],
    ['python', "don't", '', ''],
    ['html', '<p>a <!-- b', '', '<!--'],
    ['bash', 'a=`b', '', ''],
  ])('%s: %j after %j: %j', (lang, code, before, after) => {
    const line = highlight(before === '' ? code : `${before}\n${code}`, lang)?.at(-1) ?? [];
    expect(openAfter(line, lang, before)).toBe(after);
  });
});

const CODE: Record<string, string> = {
  js: "/* a\n * don't `stop`\n */\nconst b = `c\n$\x7bd}\n`; // e\nclass F {}\n",
  python: 'def f(a):\n    """Don\'t\n    return\n    """\n    return "x"  # no\n',
  diff: '@@ -1 +1 @@\n-a\n+b\n',
  html: '<!-- a\nb -->\n<p class="x">&amp;</p>\n',
  rust: 'fn main() { let s = r#"a\n"#; }\n',
  nothing: 'a\nb\n',
};
const fenced = (lang: string): string =>
  `text\n\n\`\`\`${lang}\n${CODE[lang]}\`\`\`\n- item\n  ~~~${lang}\n${CODE[lang]}`;

describe('code in an answer', () => {
  it.each(Object.keys(CODE))(
    '%s: the same picture whole and however it was cut, and the words of the plain one',
    (lang) => {
      const source = fenced(lang);
      const whole = renderMarkdown(source, 60, { highlight });
      expect(whole.map(lineText)).toEqual(renderMarkdown(source, 60).map(lineText));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), (cuts) => {
          let state = createMarkdownStream(60, { highlight });
          const lines: Line[] = [];
          for (let at = 0, i = 0; at < source.length; i += 1) {
            const size = cuts[i % cuts.length] ?? 1;
            const step = pushMarkdown(state, source.slice(at, at + size));
            void step.tail;
            state = step.state;
            lines.push(...step.finished);
            at += size;
          }
          expect(lines.concat(endMarkdown(state).finished)).toEqual(whole);
        }),
        { seed: 7, numRuns: 20 },
      );
    },
  );

  it('goes on in the colour of a comment or text that began lines before', () => {
    const colorOf = (word: string, lang: string) =>
      renderMarkdown(fenced(lang), 60, { highlight })
        .flat()
        .find((span) => span.text.includes(word))?.style?.color;
    expect(colorOf("don't", 'js')).toBe('comment');
    expect(colorOf('const', 'js')).toBe('keyword');
    expect(colorOf('class', 'js')).toBe('keyword');
    expect(colorOf('Don', 'python')).toBe('string');
    expect(colorOf('+b', 'diff')).toBe('added');
  });

  it('has no colour in the theme without any', () => {
    const painted = renderMarkdown(fenced('js'), 60, { highlight }).map((line) =>
      paintLine(line, 'none', { links: false }),
    );
    expect(painted.join('')).not.toContain('\x1b');
  });

  it('may get its colours in the middle: what was printed stays, the rest goes on with the same words', () => {
    const source = fenced('js');
    const before = pushMarkdown(createMarkdownStream(60), source.slice(0, 30));
    const after = pushMarkdown({ ...before.state, options: { highlight } }, source.slice(30));
    const lines = [...before.finished, ...after.finished, ...endMarkdown(after.state).finished];
    expect(lines.map(lineText)).toEqual(renderMarkdown(source, 60).map(lineText));
  });
});

test('every language takes any line, gives its words back, and stays cheap', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LANGUAGES), fc.string({ unit: 'grapheme', maxLength: 60 }), (language, code) => {
      const line = code.replaceAll('\n', ' ');
      expect(highlight(line, language)?.map(lineText)).toEqual([line]);
    }),
    { seed: 11, numRuns: 300 },
  );
  expect(highlight('x'.repeat(2000), 'js')).toBeUndefined();
});
