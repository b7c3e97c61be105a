/** Images that go with a message: named, dropped onto the terminal, refused. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Conversation, gap, said } from './conversation.ts';
import type { Asked } from './model-server.ts';
import { type OpenOptions, unavailable } from './terminal.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const URL = `data:image/png;base64,${PNG.toString('base64')}`;

describe.skipIf(unavailable())('an image', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());
  const open = async (options: OpenOptions = {}): Promise<Conversation> => {
    talk = await Conversation.open(options);
    mkdirSync(join(talk.chat.home, 'my pictures'));
    writeFileSync(join(talk.chat.home, 'photo.png'), PNG);
    writeFileSync(join(talk.chat.home, 'my pictures', 'a b.png'), PNG);
    writeFileSync(join(talk.chat.home, 'text.png'), 'only text');
    return talk;
  };
  const imagesIn = (asked: Asked): string[] =>
    asked.messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : [])) : [],
    );

  test('that is named is shown above the draft, in the queue, in the transcript, and goes as an image', async () => {
    const { chat, server } = await open();
    await chat.send('go');
    const first = await server.next();
    first.text('words');
    await chat.type('look at @photo.png');
    await chat.shows('[image photo.png 1×1, 70 B]');
    expect(chat.cursor.x).toBe(2 + 'look at @photo.png'.length);
    chat.write(' \r');
    await chat.shows(/fold +look at @photo.png \[image photo.png 1×1, 70 B\]/);
    await chat.shows('Type a message');
    first.call('list_files', { path: '.' });
    first.end();
    const next = await server.next();
    expect(imagesIn(next)).toEqual([URL]);
    expect(said(next)).toMatch(/look at @photo.png.*attached image photo.png 1×1/);
    await chat.shows('  [image photo.png 1×1, 70 B]');
    expect(chat.everything).not.toContain('iVBORw');
    next.text('seen');
    next.end();
    await chat.shows('done');
    await chat.send('and now?');
    expect(imagesIn(await server.next())).toEqual([URL]);
  });

  test.each([
    ['its path', (home: string) => `${home}/photo.png`, '@HOME/photo.png '],
    ['a quoted path', (home: string) => `'${home}/my pictures/a b.png'`, '@"HOME/my pictures/a b.png" '],
    ['escaped blanks', (home: string) => `${home}/my\\ pictures/a\\ b.png `, '@"HOME/my pictures/a b.png" '],
    ['a file address', (home: string) => `file://${home}/my%20pictures/a%20b.png`, '@"HOME/my pictures/a b.png" '],
  ])('that is dropped as %s is named', async (_name, pasted, draft) => {
    const { chat, server } = await open({ columns: 140 });
    await chat.type('what is');
    chat.write(' ');
    chat.write(`\x1b[200~${pasted(chat.home)}\x1b[201~`);
    await chat.shows(`› what is ${draft.replace('HOME', chat.home)}`.trimEnd());
    await chat.shows(/\[image .*1×1/);
    chat.write('?');
    await chat.shows(/png"? \?/);
    chat.write('\r');
    expect(imagesIn(await server.next())).toEqual([URL]);
  });

  test('what only looks like one is the text that it is', async () => {
    const { chat, server } = await open();
    const pasted = `${chat.home}/text.png`;
    chat.write(`\x1b[200~${pasted}\x1b[201~`);
    await chat.shows(`› ${pasted}`);
    await gap(200);
    expect(chat.screen).toContain(`› ${pasted}`);
    expect(chat.screen).not.toContain('[image');
    chat.write('\r');
    expect(said(await server.next())).toBe(pasted);
  });

  test('that is too large is not sent, in one line', async () => {
    const { chat, server } = await open();
    writeFileSync(join(chat.home, 'huge.png'), Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]));
    await chat.type('see @huge.png');
    await chat.shows('huge.png is not attached: 6.0 MB, an image may have 5 MB');
    chat.write(' \r');
    expect(imagesIn(await server.next())).toEqual([]);
    await chat.until('said', () => chat.everything.split('an image may have 5 MB').length > 1);
  });

  test('a model that is said to take none: nothing is sent, the draft is there again', async () => {
    talk = await Conversation.open();
    const { chat, server } = talk;
    writeFileSync(join(chat.home, 'photo.png'), PNG);
    chat.write('\x04');
    await chat.ended();
    const config = {
      providers: { here: { baseUrl: server.env.OPENAI_BASE_URL, model: 'blind', quirks: { images: false } } },
    };
    writeFileSync(join(chat.home, 'config.json'), JSON.stringify(config));
    const other = await Conversation.open({ home: chat.home, args: ['-p', 'here'] });
    try {
      await other.chat.type('look at @photo.png');
      await other.chat.shows('[image photo.png 1×1, 70 B: this model takes no images]');
      other.chat.write(' \r');
      await other.chat.shows('blind takes no images. Choose another with /model');
      await other.chat.shows('› look at @photo.png');
      expect(other.chat.everything).not.toContain('started');
    } finally {
      other.close();
    }
  });

  test('a server that refuses images: said once, and the session goes on', async () => {
    const { chat, server } = await open();
    server.refuse = (body) => (body.includes('image_url"') ? 'this model does not support image input' : undefined);
    await chat.type('look at @photo.png');
    chat.write(' \r');
    await chat.shows(/failed · provider_refused/);
    await chat.shows('without them');
    await chat.send('never mind');
    const next = await server.next();
    expect(said(next)).toBe('never mind');
    expect(JSON.stringify(next.messages)).toContain('an image that this model cannot be shown');
    next.text('fine');
    next.end();
    await chat.shows('done');
  });
});
