/** `/config`: a list of settings that is searched, chosen from and written in; what is saved is decided outside. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftText } from '../../src/view/composer.ts';
import { layout } from '../../src/view/screen.ts';
import { fillSettings, settingStored } from '../../src/view/update-settings.ts';
import { ChatDriver } from '../support/chat-driver.ts';
import { settingOf } from '../support/settings.ts';

const ROWS = [
  settingOf('model', 'one', 'OPENAI_MODEL in the environment', 'environment'),
  settingOf('apiKey', 'sk-…cdef', '/home/me/config.json', 'config', { secret: true }),
  settingOf('approval', 'ask', 'default', 'default', { choices: ['ask', 'auto', 'deny'], atOnce: true }),
  settingOf('maxSteps', '25'),
  settingOf('maxToolCalls', '100', 'default', 'default', { help: 'How many tools, whatever the steps.' }),
];

function opened(size = { columns: 80, rows: 24 }): ChatDriver {
  const chat = ChatDriver.started(size);
  chat.keys('/config<Enter>');
  expect(chat.intents.at(-1)).toEqual({ type: 'Errand', errand: { type: 'ListSettings' } });
  chat.chat = fillSettings(chat.chat, ROWS);
  chat.intents = [];
  return chat;
}
const stored = (chat: ChatDriver) => chat.intents.flatMap((one) => (one.type === 'Errand' ? [one.errand] : []));
const answer = (chat: ChatDriver, result: Parameters<typeof settingStored>[1]) => {
  const step = settingStored(chat.chat, result, { now: chat.now });
  chat.chat = step.chat;
  chat.printed.push(...step.print.map((line) => line.map(({ text }) => text).join('')));
};

describe('the list', () => {
  test('search by name first, then by what is told; the choice is told in full', () => {
    const chat = opened();
    chat.keys('steps');
    expect(chat.picture).toContain('2 of 5');
    expect(chat.picture.indexOf('maxSteps')).toBeLessThan(chat.picture.indexOf('maxToolCalls'));
    expect(chat.picture).toMatch(
      /What maxSteps is for\.\s+By default\.\s+Allowed: a text\. Counts from the next start on\./,
    );
    chat.keys('<Backspace><Backspace><Backspace><Backspace><Backspace>approval');
    expect(chat.picture).toContain('Counts at once');
    chat.keys('zzz');
    expect(chat.picture).toContain('nothing found');
  });

  test('Esc closes it, in a running turn too, and interrupts nothing', () => {
    const chat = ChatDriver.busy();
    chat.keys('/config<Enter>');
    chat.keys('<Esc>');
    expect([chat.chat.overlay, chat.commands]).toEqual([undefined, []]);
    chat.chat = fillSettings(chat.chat, ROWS);
    expect(chat.chat.overlay).toBeUndefined();
  });
});

describe('one is written', () => {
  test('typed, saved on Enter, and told; Enter on what stands there changes nothing', () => {
    const chat = opened();
    chat.keys('maxSteps<Enter><Enter>');
    expect([stored(chat), chat.picture.includes('maxSteps =')]).toEqual([[], false]);
    chat.keys('<Enter><Backspace><Backspace>30<Enter>');
    expect(stored(chat)).toEqual([{ type: 'StoreSetting', key: 'maxSteps', text: '30' }]);
    chat.keys('9<Enter>');
    expect(stored(chat)).toHaveLength(1);
    const rows = ROWS.map((row) => (row.key === 'maxSteps' ? { ...row, value: '30' } : row));
    answer(chat, { ok: true, rows, words: 'maxSteps is saved' });
    expect(chat.picture).toMatch(/❯ maxSteps +30[\s\S]*maxSteps is saved/);
  });

  test('what is refused stays in the line, with why', () => {
    const chat = opened();
    chat.keys('maxSteps<Enter>x<Enter>');
    answer(chat, { ok: false, words: 'maxSteps is "25x"; allowed: a whole number' });
    expect(chat.picture).toMatch(/maxSteps = 25x[\s\S]*maxSteps is "25x"; allowed: a whole number/);
    chat.keys('<Esc>');
    expect(chat.picture).not.toContain('maxSteps =');
    expect(chat.chat.overlay?.kind).toBe('settings');
  });

  test('emptied it is set no longer; arrows go through what may be written', () => {
    const chat = opened();
    chat.keys('approval<Enter><Up>');
    expect(chat.picture).toContain('approval = deny');
    chat.keys('<Down><Down>');
    expect(chat.picture).toContain('approval = auto');
    chat.keys('<Backspace><Backspace><Backspace><Backspace><Enter>');
    expect(stored(chat)).toEqual([{ type: 'StoreSetting', key: 'approval' }]);
  });

  test('a secret is never shown: neither what stands there nor what is typed or pasted', () => {
    const chat = opened();
    chat.keys('apikey<Enter>');
    expect(chat.picture).toMatch(/apiKey = *$/m);
    chat.keys('sk-new');
    chat.paste('-TEST-0123456789\nmore');
    expect(chat.picture).toContain(`apiKey = ${'•'.repeat(22)}`);
    expect(chat.picture).not.toMatch(/sk-new|TEST/);
    chat.keys('<Enter>');
    expect(stored(chat)).toEqual([{ type: 'StoreSetting', key: 'apiKey', text: 'sk-new-TEST-0123456789' }]);
    expect(chat.intents.some(({ type }) => type === 'Remember')).toBe(false);
    const empty = opened();
    empty.keys('apikey<Enter><Enter>');
    expect(stored(empty)).toEqual([]);
  });

  test('the end of a long value is seen, and each key costs as little as in a short one', () => {
    const chat = opened();
    chat.chat = fillSettings(chat.chat, [settingOf('system', 'be brief '.repeat(5000), 'c', 'config')]);
    chat.keys('<Enter>');
    const began = performance.now();
    chat.keys('and kind');
    expect(chat.picture).toMatch(/system = .*brief and kind$/m);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('a key that no row has yet is taken by its name', () => {
    const chat = opened();
    chat.keys('keys.hold<Enter>alt+h<Enter>');
    expect(stored(chat)).toEqual([{ type: 'StoreSetting', key: 'keys.hold', text: 'alt+h' }]);
  });
});

describe('/config with words', () => {
  test.each([
    ['/config maxSteps', { type: 'TellSetting', key: 'maxSteps' }],
    ['/config get maxSteps', { type: 'TellSetting', key: 'maxSteps' }],
    ['/config maxSteps 30', { type: 'StoreSetting', key: 'maxSteps', text: '30' }],
    ['/config set system be brief and kind', { type: 'StoreSetting', key: 'system', text: 'be brief and kind' }],
    ['/config unset maxSteps', { type: 'StoreSetting', key: 'maxSteps' }],
  ])('%s', (typed, errand) => {
    const chat = ChatDriver.started();
    chat.keys(`${typed}<Enter>`);
    expect(stored(chat)).toEqual([errand]);
    expect(chat.chat.history.at(-1)).toBe(typed);
  });

  test.each(['/config set', '/config unset', '/config set maxSteps'])('%s: how to say it', (typed) => {
    const chat = ChatDriver.started();
    chat.keys(`${typed}<Enter>`);
    expect(stored(chat)).toEqual([]);
    expect(chat.picture).toContain('usage: /config');
  });

  test.each([
    ['/config apiKey sk-TEST-1', '/config apiKey'],
    ['/config set providers.x.apiKey sk-TEST-1', '/config set providers.x.apiKey'],
    ['/config providers.x.headers {"a":"sk-TEST-1"}', '/config providers.x.headers'],
    ['/config mcpServers.x {"env":{"K":"sk-TEST-1"}}', '/config mcpServers.x'],
    ['/config baseUrl https://me:sk-TEST-1@example.org/v1', '/config baseUrl'],
  ])('%s: the secret is not kept, sent or put away', (typed, kept) => {
    for (const key of ['<Enter>', '<Ctrl+C>']) {
      const chat = ChatDriver.started();
      chat.keys(typed);
      expect(draftText(chat.chat.composer)).toBe(kept);
      chat.keys(key);
      expect(chat.chat.history.at(-1)).toBe(kept);
      expect(JSON.stringify(chat.intents.filter(({ type }) => type === 'Remember'))).not.toContain('TEST');
    }
  });

  test('the answer is a line where no list is open', () => {
    const chat = ChatDriver.started();
    answer(chat, { ok: true, words: 'maxSteps is saved' });
    expect(chat.printed.join('')).toContain('maxSteps is saved');
    answer(chat, { ok: false, words: 'maxSteps is "x"' });
    expect(chat.picture).toContain('maxSteps is "x"');
  });
});

test('at every size: within the terminal, the cursor on the line that is written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 120 }),
      fc.integer({ min: 3, max: 40 }),
      fc.boolean(),
      (columns, rows, edits) => {
        const chat = opened({ columns, rows });
        chat.keys(edits ? '<Down><Down><Down><Enter>77' : 'ma');
        const { lines, cursor } = layout(chat.chat, chat.now);
        expect(lines.length).toBeLessThan(rows);
        for (const line of lines) expect(line.length).toBeLessThan(columns);
        if (edits && cursor && cursor.y < lines.length) expect(lines[cursor.y]).toContain('2577');
      },
    ),
    { numRuns: 60, seed: 20261130 },
  );
});
