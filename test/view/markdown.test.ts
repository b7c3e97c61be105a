import fc from 'fast-check';
import { Lexer } from 'marked';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createMarkdownStream,
  endMarkdown,
  type MarkdownOptions,
  pushMarkdown,
  renderMarkdown,
  resizeMarkdown,
} from '../../src/view/markdown.ts';
import { type Line, lineText, lineWidth } from '../../src/view/style.ts';
import { EXAMPLES } from './markdown-examples.ts';

const text = (lines: Line[]): string => lines.map(lineText).join('\n');
const render = (source: string, width = 40, options?: MarkdownOptions) => text(renderMarkdown(source, width, options));

function stream(chunks: readonly string[], width: number, options?: MarkdownOptions) {
  let state = createMarkdownStream(width, options);
  const finished: Line[] = [];
  const tails: Line[][] = [];
  for (const chunk of chunks) {
    const step = pushMarkdown(state, chunk);
    state = step.state;
    finished.push(...step.finished);
    tails.push(step.tail);
  }
  finished.push(...endMarkdown(state).finished);
  return { finished, tails };
}

const DOCUMENTS: Record<string, string> = {
  mixed: `# Title *one*\nText **bold** and \`code\`,\nsecond line 🙂.\n\n1. one\n   - nested\n     more\n\n   \`\`\`js\n   let a = 1;\n\n   \`\`\`\n2. two\n\n> quote\n> - item\nlazy\n\nSetext\n---\n***\nend`,
  table: `| 城市 | Name | 数 |\n|---|:-:|--:|\n| 北京市 | one ✅ | 1 |\n| 海 | a very long cell that cannot fit in forty columns at all | 22 |`,
  code: '~~~ts x\n\tif (a) {\r\n\n```\n\t}\n~~~~\n    indented\n\n      more\n```\nnever closed\n',
  odd: '[r]: http://a.example\n[x][r] \\[a\\] $a_1*b*c_2$\r\r\n$$\nx\n= y\n$$\n<!-- a\n\nb --> c\n<div>\n**raw**\n\n- \n-\n  x\n10) ten\n10) ten\n* * *\n#\n####### no\n\u2028\x1b[2J\t|',
  setext: 'a\n===\nb\n-\nc\n- \n> d\n---\n- e\n---\n',
};

describe('renderMarkdown', () => {
  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['empty lines only', '\n\n  \n', ''],
    ['line breaks as they were written', 'a\nb\n\n\n\nc', 'a\nb\n\nc'],
    ['headings', '# A\ntext\n## B ##\n', 'A\n\ntext\n\nB'],
    ['a heading by underline', 'Long\ntitle\n===\ntext', 'Long\ntitle\n\ntext'],
    ['emphasis and code', '**b** *i* ~~d~~ `c` 2 * 3 * 4', 'b i d c 2 * 3 * 4'],
    ['entities, once', '&lt;b&gt; &amp;lt; &copy; &#65; &nope;', '<b> &lt; © A &nope;'],
    ['tight and loose lists', '- a\n- b\n\n- c', '• a\n• b\n\n• c'],
    ['two lists', '- a\n* b', '• a\n\n• b'],
    ['numbers counted from the first', '3. a\n3. b\n9. c', '3. a\n4. b\n5. c'],
    ['wide numbers hang', '9. a\n10. b\n\n    c', '9. a\n10. b\n\n    c'],
    ['nested lists', '- a\n  - b\n    1. c\n- d', '• a\n  • b\n    1. c\n• d'],
    ['bullets under a number, indented too little', '1. a\n  - b\n2. c', '1. a\n   • b\n2. c'],
    ['tasks', '- [ ] a\n- [x] b', '• [ ] a\n• [x] b'],
    ['an empty item', '-\n- b', '•\n• b'],
    ['code in a list', '- a\n  ```sh\n  ls\n  ```\n- b', '• a\n\n  sh\n    ls\n• b'],
    ['a number does not interrupt a paragraph', 'in\n2020. x', 'in\n2020. x'],
    ['quotes', '> a\n> > b\n>\n> - c\n\nd', '│ a\n│ │ b\n│\n│ • c\n\nd'],
    ['a lazy quote', '> a\nb\n\nc', '│ a\n│ b\n\nc'],
    ['code keeps its spaces and signs', '```\n  a  **b**\n\n# c\n```\nd', '    a  **b**\n\n  # c\n\nd'],
    ['code that never ends', '```py\nx = 1', 'py\n  x = 1'],
    ['tabs in code at fixed stops', '```\n\ta\tb\n```', '      a   b'],
    ['indented code', 'a\n\n    b\n      c\n\nd', 'a\n\n  b\n    c\n\nd'],
    ['a rule', 'a\n\n***\nb', 'a\n\n────────────────────────\nb'],
    ['html as it is', '<div>\n**x**\n</div>\n\n<b>y</b> **z**', '<div>\n**x**\n</div>\n\n<b>y</b> z'],
    ['a comment to its end', '<!-- # a\n\n- b -->\n- c', '<!-- # a\n\n- b -->\n• c'],
    ['formulas as they are', '$a*b*c$ \\(x_1 _y_\\) $5 and *$6*', '$a*b*c$ \\(x_1 _y_\\) $5 and $6'],
    ['displayed formulas', '$$\na\n= b\n$$\n\\[\n- c\n\\]\n\\[ *d* \\]', '$$\na\n= b\n$$\n\\[\n- c\n\\]\n\\[ *d* \\]'],
    ['escaped brackets', 'see \\[*a*\\](b)', 'see [a](b)'],
    ['a link with its address', '[t](http://a.example/x)', 't (http://a.example/x)'],
    ['an address alone', '<http://a.example> www.b.example', 'http://a.example www.b.example'],
    ['a misleading link', '[http://good.example](http://e.example)', 'http://good.example (http://e.example)'],
    ['links defined before', '[r]: http://a.example\n\n[t][r] [u][s]', 't (http://a.example) [u][s]'],
    ['control sequences', 'a\x1b[2J \x9b31m\u202e `\x07`', 'a␛[2J <U+009B>31m<U+202E> ␇'],
    ['control sequences by entity', '&#27;[2J &#x202e;', '␛[2J <U+202E>'],
    ['a control sequence in a link', '[a](<http://a.example/\x1b[2J>)', 'a (http://a.example/␛[2J)'],
  ])('draws %s', (_name, source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it('styles what it draws', () => {
    expect(renderMarkdown('# A', 20)).toEqual([
      [{ text: 'A', style: { bold: true, underline: true, color: 'heading' } }],
    ]);
    expect(renderMarkdown('a **b *c***', 20)).toEqual([
      [{ text: 'a ' }, { text: 'b ', style: { bold: true } }, { text: 'c', style: { bold: true, italic: true } }],
    ]);
  });

  it('wraps under the sign of a list or a quote', () => {
    expect(render('1. one two three\n> one two three', 10)).toBe('1. one two\n   three\n│ one two\n│ three');
  });

  it('draws with ASCII only where asked', () => {
    const ascii = render('- a\n\n> b\n\n***\n\n|a|b|\n|-|-|\n|1|2|\n\n\x1b', 40, { ascii: true });
    expect(ascii).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it('asks for colours once a line and survives a highlighter that fails', () => {
    const asked: string[] = [];
    const highlight = (code: string, lang: string): Line[] => {
      asked.push(`${lang}:${code}`);
      if (code === 'bad') throw new Error('no such language');
      return [[{ text: code, style: { color: 'keyword' } }]];
    };
    const lines = renderMarkdown('```js\nlet\n\nbad\n```\n```\nplain\n```', 20, { highlight });
    expect(asked).toEqual(['js:let', 'js:bad']);
    expect(lines[1]).toEqual([{ text: '  ' }, { text: 'let', style: { color: 'keyword' } }]);
    expect(text(lines)).toBe('js\n  let\n\n  bad\n\n  plain');
  });
});

const fragments = fc.constantFrom(
  ...[
    '# ',
    '## h',
    '- ',
    '  - x',
    '* ',
    '1. ',
    '2) ',
    '> ',
    '>',
    '```',
    '```js',
    '~~~',
    '    ',
    '  ',
    ' ',
    '\t',
    '---',
    '===',
    '***',
    '|',
    '|-|-|',
    '| a | b |',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    'word',
    'two words',
    '**b**',
    '**',
    '_',
    '*',
    '`',
    '[a]',
    '[a](b)',
    '[r]: http://a.example',
    '![',
    '<b>',
    '<div>',
    '<!--',
    '-->',
    '<pre>',
  ],
  ...[
    '$x$',
    '$$',
    '\\[',
    '\\]',
    '\\',
    '&amp;',
    '&#27;',
    '🙂',
    '👩‍👩‍👧',
    '北京',
    '\x1b[2J',
    '\ud83d',
    '\u202e',
    '\0',
    '[ ] ',
    'https://a.example',
  ],
);
const documents = fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join(''));
const widths = fc.integer({ min: 1, max: 30 });

describe('a stream', () => {
  it.each(Object.keys(DOCUMENTS))('of %s gives the lines of the whole, wherever it is cut', (name) => {
    const source = DOCUMENTS[name] ?? '';
    for (const width of [60, 20, 3]) {
      const whole = renderMarkdown(source, width);
      expect(stream(source.split(''), width).finished).toEqual(whole);
      for (let cut = 0; cut <= source.length; cut += 1) {
        expect(stream([source.slice(0, cut), source.slice(cut)], width).finished).toEqual(whole);
      }
    }
  });

  it.each(Object.keys(EXAMPLES))(
    'of each example of %s gives the lines of the whole, wherever it is cut',
    (section) => {
      // alone, and with text around it that it may take in
      for (const example of EXAMPLES[section] ?? [])
        for (const source of [example, `before\n\n${example}\n\nafter`])
          for (const width of [60, 12]) {
            const whole = renderMarkdown(source, width);
            expect(stream(source.split(''), width).finished).toEqual(whole);
            // what is drawn once all has come is what the end prints
            const shown = pushMarkdown(createMarkdownStream(width), `${source}\n`);
            expect(text([...shown.finished, ...shown.tail])).toBe(text(renderMarkdown(`${source}\n`, width)));
            for (let cut = 1; cut < source.length; cut += 1) {
              const { finished, tails } = stream([source.slice(0, cut), source.slice(cut)], width);
              expect([source, cut, text(finished)]).toEqual([source, cut, text(whole)]);
              for (const line of tails.flat()) expect(lineWidth(line)).toBeLessThanOrEqual(width);
            }
          }
    },
  );

  it('of any text, however cut, gives the lines of the whole; no line is too wide or unsafe', () => {
    fc.assert(
      fc.property(
        documents,
        widths,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (source, width, sizes) => {
          const chunks: string[] = [];
          for (let at = 0, turn = 0; at < source.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(source.slice(at, at + size));
            at += size;
          }
          const { finished, tails } = stream(chunks, width);
          expect(finished).toEqual(renderMarkdown(source, width));
          for (const line of [finished, ...tails].flat()) {
            expect(lineWidth(line)).toBeLessThanOrEqual(width);
            expect(lineText(line)).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e\ud800-\udfff]/u);
          }
        },
      ),
      { seed: 12, numRuns: 1000 },
    );
  });

  it('shows in the tail what the end will print', () => {
    fc.assert(
      fc.property(documents, widths, (source, width) => {
        const whole = `${source}\nx`;
        const step = pushMarkdown(createMarkdownStream(width), whole);
        expect(step.tail).toEqual(endMarkdown(step.state).finished);
      }),
      { seed: 13, numRuns: 500 },
    );
  });

  it('finishes lines of code, list items and blocks one by one', () => {
    const step = pushMarkdown(createMarkdownStream(40), 'a\n\n- b\n- c\n');
    expect(text(step.finished)).toBe('a\n\n• b');
    expect(text(step.tail)).toBe('• c');
    const code = pushMarkdown(step.state, '\n```js\nlet a;\nlet b');
    expect(text(code.finished)).toBe('• c\n\njs\n  let a;');
    expect(text(code.tail)).toBe('  let b');
  });

  it('shows a table as one from its second line on', () => {
    let state = createMarkdownStream(40);
    for (const char of DOCUMENTS.table ?? '') {
      const step = pushMarkdown(state, char);
      state = step.state;
      expect(step.finished).toEqual([]);
      if (state.frame.open?.kind === 'paragraph' && state.frame.open.table) expect(text(step.tail)).not.toContain('|');
    }
    expect(text(endMarkdown(state).finished)).toContain('22');
  });

  it.each(['-', '##', '```', '***', '1. x\n   -', '> -', '|--', '==='])(
    'does not show %j before it is known what it is',
    (signs) => {
      const tail = text(pushMarkdown(createMarkdownStream(40), `\n${signs}`).tail);
      expect(tail).not.toMatch(/[-#`*=|]/);
    },
  );

  it('shows no half of a character', () => {
    expect(text(pushMarkdown(createMarkdownStream(40), 'a\ud83d').tail)).toBe('a');
  });

  it('is a value: an older state goes on as if nothing had come', () => {
    const first = pushMarkdown(createMarkdownStream(40), '- a\n').state;
    pushMarkdown(first, '[r]: http://x.example\n\n# B\n');
    expect(
      text([...pushMarkdown(first, '- b\n').finished, ...endMarkdown(pushMarkdown(first, '- b\n').state).finished]),
    ).toBe('• a\n• b');
  });

  it('goes on in another width', () => {
    const { state } = pushMarkdown(createMarkdownStream(40), 'one two three');
    expect(text(endMarkdown(resizeMarkdown(state, 7)).finished)).toBe('one two\nthree');
  });
});

describe('the cost', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function lexed(run: () => void): number {
    let characters = 0;
    const lex = Lexer.prototype.lex;
    vi.spyOn(Lexer.prototype, 'lex').mockImplementation(function (this: Lexer, source: string) {
      characters += source.length;
      return lex.call(this, source);
    });
    run();
    return characters;
  }

  const LONG: Record<string, string> = {
    paragraphs: 'Some *prose* here.\n\n'.repeat(2500),
    'one paragraph': 'Some *prose* here.\n'.repeat(2500),
    'one line': 'Some *prose* here, '.repeat(2500),
    'one word': '*_x'.repeat(12_000),
    'a list': '- an *item*\n'.repeat(3000),
    code: `\`\`\`js\n${'let a = 1;\n'.repeat(3000)}`,
    'a table': `| a | b |\n|---|---|\n${'| 1 | *2* |\n'.repeat(3000)}`,
    quotes: '>'.repeat(40_000),
  };

  it.each(Object.keys(LONG))('of %s is linear in its length, and flat for each chunk', (name) => {
    const source = LONG[name] ?? '';
    let finished: Line[] = [];
    const whole = lexed(() => {
      finished = renderMarkdown(source, 80);
    });
    expect(whole).toBeLessThanOrEqual(source.length * 1.05);
    expect(finished.every((line) => lineWidth(line) <= 80)).toBe(true);
    vi.restoreAllMocks();
    const chunks = source.match(/[\s\S]{1,500}/g) ?? [];
    let streamed: Line[] = [];
    const cost = lexed(() => {
      streamed = stream(chunks, 80).finished;
    });
    expect(text(streamed)).toBe(text(finished));
    expect(cost).toBeLessThanOrEqual(source.length * 1.05 + chunks.length * 10_000);
  });

  it('of a table in parts keeps the header above each, and every row', () => {
    const rows = Array.from({ length: 4000 }, (_, row) => `| ${row} | x |`).join('\n');
    const lines = renderMarkdown(`| n | y |\n|---|---|\n${rows}\n`, 40).map(lineText);
    expect(lines.filter((line) => /^\d+ +│ x$/.test(line))).toHaveLength(4000);
    expect(lines.some((line) => line.includes('|'))).toBe(false);
  });

  it.each([
    '[',
    '*a ',
    '_a_ __b ',
    '<',
    '`a',
    '![',
    '- ',
    '1. ',
    '> ',
    '[a](b',
    '\\(',
    '$a ',
    '\r',
    '&#1;',
    '|',
    '\x1b[2J',
  ])('of %j repeated stays bounded, and all of it is drawn', (unit) => {
    const source = unit.repeat(Math.ceil(60_000 / unit.length));
    for (const line of renderMarkdown(source, 80)) expect(lineWidth(line)).toBeLessThanOrEqual(80);
  });

  it('of deep nesting stays bounded', () => {
    const steps = Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth * 2)}- a\n`).join('');
    expect(text(renderMarkdown(steps, 80)).match(/a/g)).toHaveLength(600);
    expect(renderMarkdown('*a **b '.repeat(5000), 80).length).toBeGreaterThan(0);
  });
});
