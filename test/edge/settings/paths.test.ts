import { expect, test } from 'vitest';
import { homePaths, type Place } from '../../../src/edge/settings/paths.ts';

const place = (given: Partial<Place>): Place => ({
  env: {},
  platform: 'linux',
  home: '/home/me',
  cwd: '/work',
  ...given,
});

test.each<[Partial<Place>, string, string]>([
  [{}, '/home/me/.config/harness-chat/config.json', '/home/me/.local/share/harness-chat/sessions'],
  [{ env: { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' } }, '/c/harness-chat/config.json', '/d/harness-chat/sessions'],
  [
    { env: { XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '' } },
    '/home/me/.config/harness-chat/config.json',
    '/home/me/.local/share/harness-chat/sessions',
  ],
  [{ env: { HARNESS_CHAT_HOME: '/h', XDG_CONFIG_HOME: '/c' } }, '/h/config.json', '/h/sessions'],
  [{ env: { HARNESS_CHAT_HOME: 'h/../i' } }, '/work/i/config.json', '/work/i/sessions'],
  [
    { env: { HARNESS_CHAT_HOME: '' } },
    '/home/me/.config/harness-chat/config.json',
    '/home/me/.local/share/harness-chat/sessions',
  ],
  [
    { platform: 'darwin' },
    '/home/me/Library/Preferences/harness-chat/config.json',
    '/home/me/Library/Application Support/harness-chat/sessions',
  ],
  [
    { platform: 'win32', home: 'C:\\me', env: { APPDATA: 'C:\\roam' } },
    'C:\\roam\\harness-chat\\Config\\config.json',
    'C:\\me\\AppData\\Local\\harness-chat\\Data\\sessions',
  ],
])('%j', (given, config, sessions) => {
  const paths = homePaths(place(given));
  expect([paths.config, paths.sessions]).toEqual([config, sessions]);
});

test('all else lies beside the sessions', () => {
  expect(homePaths(place({ env: { HARNESS_CHAT_HOME: '/h' } }))).toEqual({
    config: '/h/config.json',
    configFolder: '/h',
    dataFolder: '/h',
    sessions: '/h/sessions',
    history: '/h/history.jsonl',
    drafts: '/h/drafts',
    outputs: '/h/outputs',
    locks: '/h/locks',
  });
});
