import { describe, expect, test } from 'vitest';
import { SCALARS } from '../../src/edge/settings/schema.ts';
import { type Look, THEME_CHOICES, themeOf } from '../../src/view/theme.ts';
import { ChatDriver } from '../support/chat-driver.ts';

const look = (text: string): Look => {
  const [choice, background, colors] = text.split(' ');
  return { choice, background, colors: Number(colors) } as Look;
};

test.each([
  ['auto dark 256', 'dark'],
  ['auto light 256', 'light'],
  ['auto light 16', 'ansi16'],
  ['auto dark 0', 'none'],
  ['dark light 256', 'dark'],
  ['light dark 256', 'light'],
  ['light dark 16', 'ansi16'],
  ['ansi16 dark 256', 'ansi16'],
  ['colorblind dark 256', 'colorblind'],
  ['colorblind light 256', 'colorblind-light'],
  ['colorblind light 16', 'colorblind-16'],
  ['colorblind light 0', 'none'],
  ['none dark 256', 'none'],
])('%s is painted in %s', (text, theme) => {
  expect(themeOf(look(text))).toBe(theme);
});

test('the setting knows the same names', () => {
  expect(SCALARS.theme.schema.safeParse('pink').success).toBe(false);
  for (const name of THEME_CHOICES) expect(SCALARS.theme.schema.safeParse(name).success).toBe(true);
  expect(SCALARS.theme.allowed.split(/, | or /)).toEqual([...THEME_CHOICES]);
});

describe('/theme', () => {
  const started = (): ChatDriver =>
    ChatDriver.started(undefined, { theme: 'light', look: { choice: 'auto', background: 'light', colors: 256 } });

  test('alone says which it is, and what else there is', () => {
    const chat = started();
    chat.keys('/theme<Enter>');
    expect(chat.printed.join(' ').replace(/\s+/g, ' ')).toMatch(
      /theme auto, which is light here; \/theme auto, dark, .* or none/,
    );
    expect(chat.chat.settings.theme).toBe('light');
  });

  test('with a name paints the next picture in it, and says how it is kept', () => {
    const chat = started();
    const before = chat.picture;
    chat.keys('/theme Dark<Enter>');
    expect(chat.picture).not.toBe(before);
    expect(chat.picture).toContain('\x1b[38;5;245m');
    expect(chat.printed.join('\n')).toContain('harness-chat config set theme dark keeps it');
    chat.keys('/theme none<Enter>');
    expect(chat.picture).not.toContain('\x1b');
    chat.keys('/theme colorblind<Enter>');
    expect(chat.chat.settings.theme).toBe('colorblind-light');
  });

  test('with a wrong one changes nothing', () => {
    const chat = started();
    chat.keys('/theme pink<Enter>');
    expect(chat.picture).toContain('usage: /theme [auto | dark');
    expect(chat.chat.settings.theme).toBe('light');
  });
});
