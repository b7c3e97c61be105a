/** A setting as the list of settings shows it. */
import type { SettingView } from '../../src/view/settings-overlay.ts';

export const settingOf = (
  key: string,
  value: string,
  name = 'default',
  from = 'default',
  more: Partial<SettingView> = {},
): SettingView => ({
  key,
  value,
  origin: { from, name },
  help: `What ${key} is for.`,
  allowed: 'a text',
  choices: [],
  secret: false,
  atOnce: false,
  ...more,
});
