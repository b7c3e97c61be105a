import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlExport } from '../../src/cli/session-export.ts';
import { toolMessage } from '../../src/domain/content.ts';
import type { JournalRecord } from '../../src/runtime/ports.ts';
import { markdownHtml } from '../../src/view/page-markdown.ts';
import { Journaling, user } from '../edge/journal/sound-records.ts';
import { pageFaults } from '../support/page-check.ts';

function pageOf(records: readonly JournalRecord[], title = 'A title'): string {
  const page = htmlExport(title);
  return records.map((record) => page.add(record)).join('') + page.end();
}
const answered = (text: string) => pageOf(new Journaling().start().turn(1, 'hi', text).records);
/** Without tags: what a reader sees. */
const seen = (html: string) =>
  html
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const HOSTILE: [string, string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['the end of a script', '</script></style></title><h1>'],
  ['an event handler', '<img src=x onerror="alert(1)">'],
  ['the same in a cell', '| a |\n|---|\n| <img src=x onerror=alert(1)> |'],
  ['a javascript: link', '[x](javascript:alert(1)) <javascript:alert(1)> [y](JaVa\tScript:alert(1))'],
  ['its entities', '[x](&#106;avascript:alert(1)) [x](javascript&colon;alert(1)) &lt;script&gt; &#60;script&#62;'],
  ['a data: link', '[x](data:text/html,<script>alert(1)</script>)'],
  ['file and vbscript', '[x](file:///etc/passwd) [x](vbscript:a) [x](//evil.example/x) [x](/etc)'],
  ['a quote in an address', '[x](http://a.b/"onmouseover="alert(1)) ![x"y](http://a.b/c"d)'],
  ['a title', '[x](http://a.b "t\\" onclick=alert(1)")'],
  ['a remote picture', '![p](http://evil.example/p.png) <link rel=stylesheet href=http://evil.example>'],
  ['an unclosed fence', '```html\n</code></pre></article><script>'],
  ['a hostile language', '```"><script>\ncode\n```'],
  ['a comment', '<!-- </main> --> <!--\n\n--!> <![CDATA[ ]]> <?php ?>'],
  ['controls', 'a\u0000b\u001b[2Jc\u0007\u009bd\u202ee\u2066f\u200bg\r\nh\ri'],
  ['entities of controls', '&#0; &#x1b; &#x202e; &#xd800; &#x110000; &zwj; &nope;'],
  ['lone surrogates', '\ud800 \udc00 a\udfff'],
  ['a line of 1 MB', '<x>'.repeat(350_000)],
  ['many quotes', `${'> '.repeat(5000)}x`],
  ['deep lists', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')],
  ['many stars', '*a _b '.repeat(60_000)],
  ['many brackets', `${'['.repeat(7_000)}\n\n`.repeat(40)],
];

describe('whatever the model wrote', () => {
  it.each(HOSTILE)('%s drives nothing', (_name, text) => {
    expect(pageFaults(answered(text))).toEqual([]);
    const began = performance.now();
    const call = { type: 'tool_use' as const, id: 'u', name: text.slice(0, 300), input: { [text.slice(0, 99)]: text } };
    const at = { loopId: 'loop', turnId: 'turn-1' };
    const cause = { commandId: 'a', agency: 'user' as const };
    const everywhere = new Journaling()
      .start(text.slice(0, 500), text.slice(0, 500))
      .input('a')
      .event({ type: 'TurnStarted', ...at, cause, turnIndex: 1, message: user(text) })
      .event({
        type: 'StepDone',
        ...at,
        stepId: 's',
        messages: [
          {
            role: 'assistant',
            blocks: [{ type: 'thinking', text }, { type: 'refusal', text }, call],
            truncated: true,
          },
          toolMessage('u', text, true),
        ],
      })
      .event({ type: 'SessionRenamed', name: text.slice(0, 200) })
      .event({
        type: 'TurnFailed',
        ...at,
        turnIndex: 1,
        err: new Error('x'),
        failure: { kind: 'unknown', message: text },
      });
    const html = pageOf(everywhere.records, text.slice(0, 200));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(pageFaults(html)).toEqual([]);
  });

  it('any text gives a page that holds nothing but its own tags', () => {
    const pieces = [
      '<',
      '>',
      '&',
      '"',
      "'",
      '`',
      '```',
      '\n',
      '\n\n',
      '  ',
      '\t',
      '# ',
      '- ',
      '1. ',
      '> ',
      '|',
      '|-|',
      '**',
      '_',
      '~~',
      '[',
      '](',
      ')',
      '![',
      '\\',
      'javascript:',
      'http://a.b/',
      'data:',
      '<script>',
      '</article>',
      'onerror=',
      '&#x',
      ';',
      '\u0000',
      '\u202e',
      '\ud83d',
      'é',
      '日本',
      'word',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (hostile) => {
        expect(pageFaults(answered(hostile))).toEqual([]);
      }),
      { seed: 20_261_130, numRuns: 1500 },
    );
  });

  it('pictures of people are shown where they are what they say', () => {
    const picture = (mediaType: string, data: string) =>
      pageOf(
        new Journaling().start().event({
          type: 'TurnStarted',
          loopId: 'loop',
          turnId: 't',
          turnIndex: 1,
          cause: { commandId: 'a', agency: 'user' },
          message: { role: 'user', blocks: [{ type: 'image', mediaType, data }] },
        }).records,
      );
    expect(picture('image/png', 'QUJD')).toContain('<img src="data:image/png;base64,QUJD"');
    for (const html of [
      picture('image/svg+xml', 'QUJD'),
      picture('image/png', '"><script>'),
      picture('text/html', 'QUJD'),
    ]) {
      expect(html).not.toContain('<img');
      expect(pageFaults(html)).toEqual([]);
    }
  });
});

describe('Markdown is read as in the chat', () => {
  it.each([
    ['# Title', '<h3>Title</h3>\n'],
    ['a **b** _c_ ~~d~~ `e<f`', '<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f</code></p>\n'],
    ['one\ntwo', '<p>one<br>\ntwo</p>\n'],
    [
      '- [x] a\n- [ ] b',
      '<ul>\n<li><span class="box">☑</span> a\n</li>\n<li><span class="box">☐</span> b\n</li>\n</ul>\n',
    ],
    ['3. a', '<ol start="3">\n<li>a\n</li>\n</ol>\n'],
    ['```js\na < b\n```', '<div class="lang">js</div><pre class="code"><code>a &lt; b</code></pre>\n'],
    ['[a](http://b.c/d)', '<p><a class="named" href="http://b.c/d" rel="noopener noreferrer">a</a></p>\n'],
    ['http://b.c', '<p><a href="http://b.c/" rel="noopener noreferrer">http://b.c</a></p>\n'],
    ['[a](mailto:x@y.z)', '<p><a class="named" href="mailto:x@y.z" rel="noopener noreferrer">a</a></p>\n'],
    ['[a](javascript:b)', '<p>a (javascript:b)</p>\n'],
    ['&amp; &copy; &nope;', '<p>&amp; © &amp;nope;</p>\n'],
    ['> a', '<blockquote>\n<p>a</p>\n</blockquote>\n'],
    ['---', '<hr>\n'],
  ])('%s', (text, html) => expect(markdownHtml(text)).toBe(html));

  it('long code is folded', () => {
    expect(markdownHtml(`\`\`\`sh\n${'x\n'.repeat(300)}\`\`\``)).toMatch(
      /^<details class="long"><summary>sh, 300 lines/,
    );
  });
});

describe('the page', () => {
  const at = { loopId: 'loop', turnId: 'turn-1' };
  const usage = {
    inputTokens: 1200,
    outputTokens: 34,
    reasoningTokens: 0,
    cacheReadTokens: 100,
    cacheCreationTokens: 0,
  };
  const cause = (commandId: string) => ({ commandId, agency: 'user' as const });
  const call = { ...at, stepId: 's1', toolExecutionId: 'x', toolUseId: 'u' };
  const html = pageOf(
    new Journaling()
      .start('/work', 'big')
      .input('a')
      .event({ type: 'TurnStarted', ...at, cause: cause('a'), turnIndex: 1, message: user('fix it') })
      .event({ type: 'PermissionDecided', ...call, effect: 'approve', source: 'user', scope: 'session' })
      .event({
        type: 'StepDone',
        ...at,
        stepId: 's1',
        messages: [
          {
            role: 'assistant',
            blocks: [
              { type: 'thinking', text: 'hm' },
              { type: 'tool_use', id: 'u', name: 'shell', input: { command: 'npm test' } },
            ],
            usage,
          },
          toolMessage('u', '41 passed'),
        ],
      })
      .input('b')
      .event({ type: 'TurnFoldedInto', ...at, cause: cause('b'), turnIndex: 1, message: user('and the log') })
      .input('c')
      .event({ type: 'TurnRejected', loopId: 'loop', cause: cause('c'), reason: 'queue_full' })
      .event({
        type: 'StepDone',
        ...at,
        stepId: 's2',
        messages: [{ role: 'assistant', blocks: [{ type: 'text', text: 'Fixed.' }] }],
      })
      .event({
        type: 'TurnDone',
        ...at,
        turnIndex: 1,
        message: { role: 'assistant', blocks: [{ type: 'text', text: 'Fixed.' }] },
        usage,
      })
      .event({
        type: 'InputCancelled',
        loopId: 'loop',
        cause: cause('d'),
        reason: 'client_retracted',
        message: user('no'),
      })
      .event({ type: 'LoopStarted', loopId: 'two', agentName: 'critic', model: 'big' })
      .event({
        type: 'TurnStarted',
        loopId: 'two',
        turnId: 't2',
        cause: cause('e'),
        turnIndex: 1,
        message: user('look'),
      })
      .event({ type: 'TurnInterrupted', loopId: 'two', turnId: 't2', turnIndex: 1 }).records,
    'Fix <it>',
  );

  it('tells what happened, in order', () => {
    expect(pageFaults(html)).toEqual([]);
    expect(seen(html)).toMatch(
      new RegExp(
        [
          'Fix &lt;it&gt;.*session session.*started 2023-11-14 22:13:21 UTC.*model big of openai.*folder /work',
          'You turn 1.*fix it.*Assistant.*thinking hm.*✔ shell npm test .*allowed by you, for the session.*41 passed',
          'You folded at step 1.*and the log.*You rejected: queue_full.*c .*Assistant.*Fixed\\.',
          'done · 2 steps · 8\\.0s · 1\\.3k tokens in, 34 out.*You retracted.*no.*loop critic 2 started',
          'You turn 1 critic 2.*look.*interrupted · 0 steps.*2 turns · 2 steps · 1\\.3k tokens in, 34 out · last written',
        ].join('.*'),
      ),
    );
  });

  it('folds thinking and calls, and what is huge', () => {
    expect(html).toContain('<details class="thinking">');
    expect(html).toContain('<details class="call">');
    const long = pageOf(new Journaling().start().turn(1, 'line\n'.repeat(500)).records);
    expect(long).toContain('<details class="long"><summary>501 lines: line …');
  });

  it('forbids all but its own script and style', () => {
    expect(html).toMatch(
      /content="default-src 'none'; img-src data:; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
    );
    expect(html).not.toMatch(/ style=| on\w+=/);
  });

  it('of a journal without records is empty', () => expect(pageOf([])).toBe(''));
});
