/** The exported page in a real browser, where there is one: nothing the model wrote runs, loads or leads astray. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlExport } from '../../src/cli/session-export.ts';
import { toolMessage } from '../../src/domain/content.ts';
import { Journaling } from '../edge/journal/sound-records.ts';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);
if (!CHROMIUM) process.stderr.write('no chromium here: the exported page is not looked at in a browser\n');

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

/** One page, spoken to over the pipes of the browser: no port is opened. */
class Browser {
  readonly events: Message[] = [];
  readonly #asked = new Map<number, (message: Message) => void>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'harness-chat-browser-'));
  readonly #child = spawn(
    CHROMIUM ?? '',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.#folder}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  #session: string | undefined;

  async open(path: string): Promise<void> {
    let text = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (more: string) => {
      const parts = (text + more).split('\0');
      text = parts.pop() ?? '';
      for (const part of parts) this.#take(JSON.parse(part));
    });
    const { targetId } = await this.ask('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.ask('Target.attachToTarget', { targetId, flatten: true });
    this.#session = sessionId as string;
    for (const part of ['Page', 'Log', 'Runtime', 'Network']) await this.ask(`${part}.enable`);
    const loaded = this.#until('Page.loadEventFired');
    await this.ask('Page.navigate', { url: pathToFileURL(path).href });
    await loaded;
  }

  ask(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = this.#asked.size + 1;
    const answer = new Promise<Message>((resolve) => this.#asked.set(id, resolve));
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
    return answer.then(({ result }) => result ?? {});
  }

  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    return (result as { value: T }).value;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => {
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
        resolve();
      });
      this.#child.kill('SIGKILL');
    });
  }

  #until(method: string): Promise<void> {
    return new Promise((resolve) => {
      const push = this.events.push.bind(this.events);
      this.events.push = (message: Message) => {
        if (message.method === method) resolve();
        return push(message);
      };
    });
  }

  #take(message: Message): void {
    if (message.id === undefined) this.events.push(message);
    else this.#asked.get(message.id)?.(message);
  }
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harness-chat-page-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('x');
  });
  let browser: Browser;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hostile = [
      `<script>document.title = 'driven'; fetch('${remote}/fetch')</script>`,
      `<img src=${remote}/img onerror="document.title='driven'">`,
      `</pre></article></main><link rel=stylesheet href=${remote}/css><iframe src=${remote}/frame></iframe>`,
      `<style>@import '${remote}/import'; body { display: none }</style>`,
      `<meta http-equiv=refresh content="0;url=${remote}/refresh"><base href=${remote}>`,
      `![picture](${remote}/picture.png) [run](javascript:document.title='driven') [go](${remote}/go)`,
      '&lt;script&gt;document.title="driven"&lt;/script&gt; \u0000 \ud800',
      '# A heading\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst needle = 1;\n```',
    ].join('\n\n');
    const at = { loopId: 'loop', turnId: 'turn-9' };
    const records = new Journaling()
      .start('/work')
      .turn(1, hostile, hostile)
      .turn(2, 'a haystack', 'nothing here')
      .event({
        type: 'TurnStarted',
        ...at,
        cause: { commandId: 'x', agency: 'user' },
        turnIndex: 3,
        message: { role: 'user', blocks: [{ type: 'text', text: 'look' }] },
      })
      .event({
        type: 'StepDone',
        ...at,
        stepId: 's',
        messages: [
          { role: 'assistant', blocks: [{ type: 'tool_use', id: 'u', name: 'shell', input: { command: hostile } }] },
          toolMessage('u', `needle ${hostile}`),
        ],
      })
      .event({ type: 'TurnInterrupted', ...at, turnIndex: 3 }).records;
    const page = htmlExport('The title');
    const path = join(folder, 'page.html');
    writeFileSync(path, records.map((record) => page.add(record)).join('') + page.end());
    browser = new Browser();
    await browser.open(path);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('nothing of it runs or is loaded, and its policy had nothing to refuse', async () => {
    expect(await browser.evaluate('document.title')).toBe('The title');
    expect(
      await browser.evaluate(
        'document.querySelectorAll("img, iframe, link, main script, main style, [onerror]").length',
      ),
    ).toBe(0);
    expect(await browser.evaluate('getComputedStyle(document.body).display')).toBe('block');
    expect(
      await browser.evaluate('[...document.links].filter((a) => !/^(https?|mailto|file):/.test(a.protocol)).length'),
    ).toBe(0);
    expect(asked).toEqual([]);
    expect(
      browser.events.filter(({ method }) => method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown'),
    ).toEqual([]);
  });

  it('its structure is what was written, whatever stood in it', async () => {
    expect(await browser.evaluate('[...document.body.children].map((one) => one.localName).join(" ")')).toBe(
      'header form main footer script',
    );
    expect(await browser.evaluate('document.querySelector("main").children.length')).toBe(9);
    expect(
      await browser.evaluate('document.querySelectorAll("article.assistant h3, article.assistant table").length'),
    ).toBe(2);
  });

  it('is searched: what holds the words stays and unfolds, Escape brings all back', async () => {
    const type = (words: string) => `(async () => {
      const field = document.querySelector('#search input');
      field.value = ${JSON.stringify(words)};
      field.dispatchEvent(new Event('input'));
      const said = document.querySelector('#search output');
      const before = said.value;
      for (let n = 0; said.value === before && n < 100; n += 1) await new Promise((resolve) => setTimeout(resolve, 20));
      return { said: said.value, hidden: document.querySelectorAll('main > [hidden]').length, open: document.querySelectorAll('details.call[open]').length };
    })()`;
    expect(await browser.evaluate('document.getElementById("search").hidden')).toBe(false);
    expect(await browser.evaluate(type('NEEDLE'))).toEqual({ said: '3 of 9', hidden: 6, open: 1 });
    expect(await browser.evaluate(type('no such words'))).toEqual({ said: 'nothing found', hidden: 9, open: 0 });
    await browser.evaluate(
      `document.querySelector('#search input').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))`,
    );
    expect(await browser.evaluate('document.querySelectorAll("main > [hidden]").length')).toBe(0);
  });

  it('prints without the search, in black', async () => {
    await browser.ask('Emulation.setEmulatedMedia', { media: 'print' });
    expect(await browser.evaluate('getComputedStyle(document.getElementById("search")).display')).toBe('none');
    const { data } = (await browser.ask('Page.printToPDF')) as { data: string };
    expect(Buffer.from(data, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });
});
