/** What of the settings the chat itself goes by. */
import type { ChatSettings } from '../view/chat-state.ts';
import { buildKeymap } from '../view/keymap.ts';
import { type Look, themeOf } from '../view/theme.ts';
import { colorsOf } from './chat-theme.ts';
import type { Invocation } from './invocation.ts';
import type { LoadedSettings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

/** Throws a UsageError where keys are bound that cannot be. */
export function chatSettings(
  { settings, choice, configured, choose }: Pick<LoadedSettings, 'settings' | 'choice' | 'configured' | 'choose'>,
  env: Invocation['env'],
): ChatSettings {
  const { ascii, theme, keys, notify, notifyBy, screenReader } = settings;
  const color = settings.color && !screenReader;
  const { keymap, error } = buildKeymap(keys);
  if (!keymap) throw new UsageError(error);
  const look: Look = { choice: color ? theme : 'none', background: 'dark', colors: colorsOf(env) };
  return {
    keymap,
    look,
    calling: { when: notify, by: notifyBy },
    theme: themeOf(look),
    ascii,
    spinner: settings.spinner && !screenReader,
    ...(screenReader && { spoken: true }),
    links: color && !ascii,
    label: choice.model,
    statusBar: settings.statusBar,
    factsOf: remembered((provider, model) => {
      const known = provider === 'demo' ? undefined : choose({ provider, model });
      return known?.ok ? known.choice : {};
    }),
    demo: !configured || choice.provider === 'demo',
  };
}

/** Asked at every frame, found out once. */
function remembered<T>(find: (provider: string, model: string) => T): (provider: string, model: string) => T {
  const known = new Map<string, T>();
  return (provider, model) => {
    const name = `${provider}\n${model}`;
    const found = known.get(name) ?? find(provider, model);
    known.set(name, found);
    return found;
  };
}
