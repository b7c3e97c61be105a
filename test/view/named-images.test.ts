import { describe, expect, test } from 'vitest';
import { droppedPaths } from '../../src/view/dropped-path.ts';
import { foundImages, nameDropped } from '../../src/view/named-images.ts';
import { plainEdit } from '../../src/view/update-composer.ts';
import { ChatDriver } from '../support/chat-driver.ts';

describe('images that the draft names', () => {
  const errands = (chat: ChatDriver) =>
    chat.intents.splice(0).flatMap((intent) => (intent.type === 'Errand' ? [intent.errand] : []));
  const looks = (chat: ChatDriver) => errands(chat).filter(({ type }) => type === 'LookAtImages');
  const found = (chat: ChatDriver, names: string[], shown: string[]): void => {
    chat.chat = foundImages(chat.chat, names, shown);
  };

  test('are looked at when other ones are named, and not with each key', () => {
    const chat = ChatDriver.started();
    chat.keys('see @a.png');
    expect(looks(chat).at(-1)).toEqual({ type: 'LookAtImages', names: ['a.png'] });
    chat.keys(' please, now');
    expect(looks(chat)).toEqual([]);
    chat.keys(' and @b');
    expect(looks(chat)).toEqual([{ type: 'LookAtImages', names: ['a.png', 'b'] }]);
  });

  test('are shown above the draft until they are not named any more; old news is none', () => {
    const chat = ChatDriver.started();
    chat.keys('see @a.png');
    found(chat, ['other.png'], ['image other.png, 1 B']);
    expect(chat.picture).not.toContain('other.png');
    found(chat, ['a.png'], ['image a.png 640×480, 120 kB']);
    expect(chat.picture).toMatch(/\[image a.png 640×480, 120 kB\]\n› see @a.png/);
    chat.keys('<Ctrl+U>');
    expect(chat.picture).not.toContain('[image');
  });

  test('are looked at as well where the text came back from the session', () => {
    const chat = ChatDriver.busy();
    chat.keys('see @a.png<Enter>');
    looks(chat);
    const commandId = chat.rows.at(-1)?.commandId ?? '';
    const blocks = [{ type: 'text' as const, text: 'see @a.png' }];
    chat.answer({ type: 'UserInput', commandId, agency: 'user', blocks }, { ok: false, message: 'takes no images' });
    expect(chat.draft).toBe('see @a.png');
    expect(looks(chat)).toEqual([{ type: 'LookAtImages', names: ['a.png'] }]);
  });

  test.each([
    ['', '/p/a.png', '@/p/a.png '],
    ['see ', "'/p/a b.png'", 'see @"/p/a b.png" '],
    ['see', '/p/a.png', 'see @/p/a.png '],
    ['', '/p/a.png /p/b.png', '@/p/a.png @/p/b.png '],
  ])('behind %j a dropped %j is named; undo has it as it was', (draft, pasted, named) => {
    const chat = ChatDriver.started();
    chat.keys(draft);
    chat.paste(pasted);
    const dropped = droppedPaths(pasted);
    if (!dropped) throw new Error('no paths');
    expect(errands(chat)).toContainEqual({ type: 'LookAtDropped', dropped });
    chat.chat = nameDropped(chat.chat, dropped, dropped.paths);
    expect(chat.draft).toBe(named);
    chat.chat = plainEdit(chat.chat, 'undo');
    expect(chat.draft).toBe(draft + pasted);
  });

  test('what is no image, or was typed on, stays as it was pasted', () => {
    const chat = ChatDriver.started();
    const dropped = { text: '/p/a.txt', paths: ['/p/a.txt'] };
    chat.paste(dropped.text);
    expect(nameDropped(chat.chat, dropped, [])).toBe(chat.chat);
    chat.keys('!');
    expect(nameDropped(chat.chat, dropped, dropped.paths)).toBe(chat.chat);
  });
});
