/** Text of models, tools, files and servers on a real terminal: shown, never obeyed, and straight. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const HOSTILE =
  '\x1b]52;c;ZXZpbA==\x07\x1b]0;evil\x07\x1b[2J\x1b[10A\x1b[6n\x1b]8;;http://e.example\x1b\\L\x1b]8;;\x1b\\\x1bc\x9b31m\x90q\x9c\x1b]\u202e\u2066END';
/** Sequences that only foreign text can have brought: ours are cursor moves, erasing below, SGR, modes and queries. */
const FOREIGN = /\x1b\]52;|\x1b\]0;|\x1b\[2J|\x1b\[10A|\x1b\[6n|\x1b\]8;|\x1bc|[\x80-\x9f]|\x1bP|\u202e|\u2066/;

describe.skipIf(unavailable())('text on the terminal', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat?.close();
    server.stop();
  });
  const open = async (options: OpenOptions = {}): Promise<void> => {
    chat = new TerminalProgram({ ...options, env: { ...server.env, ...options.env } });
    await chat.shows('Type a message');
  };
  const answer = async (...texts: string[]): Promise<void> => {
    await chat.send('go');
    const asked = await server.next();
    for (const text of texts) asked.text(text);
    asked.end();
    await chat.shows('done');
  };

  test('escape sequences of a model are shown and not obeyed, in the transcript as well', async () => {
    await open();
    await answer(...HOSTILE);
    expect(chat.screen).toContain('END');
    chat.write('\x14');
    await chat.shows('turn 1 of 1');
    expect(chat.screen).toContain('END');
    chat.write('r');
    await chat.shows('r drawn');
    expect(chat.raw).not.toMatch(FOREIGN);
    chat.write('q');
    await chat.shows('Type a message');
  });

  test('neither are those of a tool, of a file name in a question, and of a session name', async () => {
    await open({ args: ['--approval', 'ask'] });
    writeFileSync(join(chat.home, 'hostile.txt'), HOSTILE);
    await chat.send('go');
    const first = await server.next();
    first.call('read_file', { path: 'hostile.txt' });
    first.call('write_file', { path: `${HOSTILE.replaceAll('/', '')}.txt`, content: 'x' });
    first.end();
    await chat.shows('wants to run');
    chat.write('\x1b');
    await chat.shows('interrupted');
    chat.write(`/rename a\u202eb\r`);
    await chat.shows('named');
    expect(chat.raw).not.toMatch(FOREIGN);
  });

  test('nor those of an error of a server, or of what is pasted', async () => {
    await open({ env: { OPENAI_BASE_URL: `${server.env.OPENAI_BASE_URL}` } });
    await chat.send('go');
    const asked = await server.next();
    asked.call(HOSTILE, {});
    asked.end();
    const again = await server.next();
    again.text('so be it\n\n');
    again.end();
    await chat.shows('done');
    chat.write(`\x1b[200~${HOSTILE}\x1b[201~`);
    await chat.shows('END');
    expect(chat.raw).not.toMatch(FOREIGN);
    expect(chat.exitCode).toBeUndefined();
  });

  test.each([40, 80])(
    'tabs are spaces up to the next stop, at %i columns, and stay tabs for the model',
    async (columns) => {
      await open({ columns, args: ['--approval', 'auto'] });
      await chat.send('go');
      const asked = await server.next();
      asked.call('shell', {
        command: "printf '192M\\t.dir/%s\\n' \"$(head -c 70 /dev/zero | tr '\\0' a)\"; printf 'a\\tb\\tc\\n'",
      });
      asked.end();
      const next = await server.next();
      expect(JSON.stringify(next.messages)).toContain('a\\tb\\tc');
      next.text('```go\nfunc main() {\n\tif true {\n\t\treturn\n\t}\n}\n```\n');
      next.end();
      await chat.shows('done');
      expect(chat.everything).toContain('a   b   c');
      expect(chat.everything).toContain('192M    .dir/a');
      expect(chat.everything).toMatch(/^ {2}func main\(\) \{\n {6}if true \{\n {10}return\n {6}\}\n {2}\}$/m);
      expect(chat.raw).not.toContain('\t');
    },
  );

  const TABLE =
    '| 城市 | Name | 数 |\n|---|:-:|--:|\n| 北京市 | one ✅ | 1 |\n| 海 | a very long cell that cannot fit in forty columns at all | 22 |';

  test.each([80, 40, 20])('a table of wide signs, letter by letter, at %i columns', async (columns) => {
    await open({ columns });
    await answer(...Array.from(TABLE));
    const text = chat.everything;
    for (const cell of ['北京市', 'one ✅', '22']) expect(text).toContain(cell);
    expect(text).toMatch(/forty/);
    expect(text).not.toMatch(/^\|/m);
    const bars = [...text.split('\n')].filter((line) => line.includes('北京市') && line.includes('│'));
    const rows = text.split('\n').filter((line) => line.includes('│'));
    if (bars.length > 0) expect(new Set(rows.map((line) => cellsBefore(line, '│'))).size).toBe(1);
  });

  test('code has colours once they are loaded, and none without colours', async () => {
    await open();
    await answer('```js\nconst a = 1;\n```\n');
    await chat.until('the first words', () => chat.everything.includes('const a = 1;'));
    const colored = /\x1b\[38;5;\d+mconst\x1b\[39m/;
    for (let turn = 0; turn < 20 && !colored.test(chat.raw); turn += 1) {
      chat.write('go\r');
      const asked = await server.next();
      asked.text('```js\nconst b = 2;\n```\n');
      asked.end();
      await chat.until('another turn', () => chat.everything.split('const b = 2;').length === turn + 2);
    }
    expect(chat.raw).toMatch(colored);
    chat.close();
    await open({ env: { NO_COLOR: '1' } });
    await answer('```js\nconst a = 1;\n```\n');
    expect(chat.raw).not.toMatch(/\x1b\[38/);
  });
});

/** Columns before the first bar: a Han sign and an emoji take two. */
function cellsBefore(line: string, bar: string): number {
  return Array.from(line.slice(0, line.indexOf(bar))).reduce(
    (sum, char) => sum + (/[\u2e80-\u9fff\uff00-\uff60✅]/.test(char) ? 2 : 1),
    0,
  );
}
