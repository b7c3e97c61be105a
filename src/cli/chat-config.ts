/** Settings in the chat: listed, told, changed in the config file, and taken at once where they can be. */
import { parseKey } from '../edge/settings/config-key.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { SCALAR_KEYS, SCALARS, type ScalarKey, type SectionKey } from '../edge/settings/schema.ts';
import { maskSecrets } from '../edge/settings/secrets.ts';
import { SETTING_HELP } from '../edge/settings/setting-help.ts';
import { describeOrigin } from '../edge/settings/sources.ts';
import { type Chat, only, type Step } from '../view/chat.ts';
import type { ChatSettings } from '../view/chat-state.ts';
import type { Errand } from '../view/errand.ts';
import type { SettingView } from '../view/settings-overlay.ts';
import { withLook } from '../view/theme.ts';
import { told } from '../view/told.ts';
import { fillSettings, settingStored } from '../view/update-settings.ts';
import type { Change } from './chat-errands.ts';
import { chatSettings } from './chat-settings.ts';
import type { Invocation } from './invocation.ts';
import { readSettings } from './load-settings.ts';
import { dropSetting, effective, knownKey, masked, type Read, storeSetting } from './setting-values.ts';
import { UsageError } from './usage-error.ts';

type ConfigErrand = Extract<Errand, { type: 'ListSettings' | 'TellSetting' | 'StoreSetting' }>;

export async function changeConfig(errand: ConfigErrand, invocation: Invocation, change: Change): Promise<void> {
  if (errand.type === 'StoreSetting') return store(errand, invocation, change);
  const read = await readSettings(invocation);
  const rows = settingRows(read);
  // the file may have been changed by another hand since the start: a broken one has just been set aside
  const wrong = [...read.problems, ...read.warnings];
  if (errand.type === 'ListSettings') return change((chat) => only(fillSettings(chat, rows, wrong)));
  const { key } = errand;
  const row = rows.find((one) => one.key === key);
  // throws where there is no such key
  knownKey(key);
  const by = row && row.value !== '' ? ` = ${row.value}  (${row.origin.name})` : ' is not set';
  change((chat, now) =>
    told(chat, [`${key}${by}`, ...(row ? [`${row.help} Allowed: ${row.allowed}.`] : []), ...wrong], now),
  );
}

async function store(
  { key, text }: Extract<ConfigErrand, { type: 'StoreSetting' }>,
  invocation: Invocation,
  change: Change,
): Promise<void> {
  try {
    const { config } = invocation.paths;
    const warnings = text === undefined ? await dropSetting(config, key) : await storeSetting(config, key, text);
    const read = await readSettings(invocation);
    const rows = settingRows(read);
    const said = text === undefined ? (warnings ? 'is no longer set' : 'was not set') : 'is saved';
    const words = [`${oneLine(key)} ${said}${standing(key, read)}`, ...(warnings ?? [])].join('; ');
    change((chat, now) => {
      const taken = takeUp(key, read, invocation, chat);
      const step = settingStored(taken.chat, { ok: true, rows, words }, { now });
      return { ...step, intents: [...taken.intents, ...step.intents] };
    });
  } catch (error) {
    const words = error instanceof UsageError ? error.message : `it could not be saved: ${(error as Error).message}`;
    change((chat, now) => settingStored(chat, { ok: false, words: oneLine(words) }, { now }));
  }
}

/** Where something stronger than the file says what holds, or what else there is to know. */
function standing(key: string, read: Read): string {
  const entry = effective(read).find((one) => one.key === key);
  const from = entry?.origin.from;
  if (entry && (from === 'option' || from === 'environment' || from === '.env'))
    return `, but ${oneLine(describeOrigin(entry.origin))} goes before it`;
  return isAtOnce(key) ? '' : ', from the next start on';
}

/** What of the chat's own settings a key is about; `approval` is the session's. */
const AT_ONCE: Readonly<Record<string, readonly (keyof ChatSettings)[]>> = {
  approval: [],
  theme: ['look'],
  color: ['look', 'links'],
  ascii: ['ascii', 'links'],
  spinner: ['spinner'],
  statusBar: ['statusBar'],
  notify: ['calling'],
  notifyBy: ['calling'],
  keys: ['keymap'],
  providers: ['factsOf'],
};
const isAtOnce = (key: string): boolean => {
  const [section = ''] = key.split('.');
  // its window is the session's as well, which goes by what it was started with
  return section === 'providers' ? /\.price\b/.test(key) : Object.hasOwn(AT_ONCE, section);
};

function takeUp(key: string, read: Read, { env }: Invocation, chat: Chat): Step {
  const { choice, settings } = read;
  if (!isAtOnce(key) || !choice) return only(chat);
  if (key === 'approval') {
    // what the person chose in the course of the session stays where the file does not decide
    if (read.origins.approval.from !== 'config') return only(chat);
    const next = { ...chat, view: { ...chat.view, approval: settings.approval } };
    return only(next, { type: 'SetApproval', mode: settings.approval });
  }
  const fresh = chatSettings({ ...read, choice }, env);
  const fields = AT_ONCE[key.split('.')[0] ?? ''] ?? [];
  const taken = Object.fromEntries(fields.map((field) => [field, fresh[field]]));
  // what the terminal has said of its background stays true
  const look = { ...fresh.look, background: chat.settings.look.background };
  const next = { ...chat.settings, ...taken, look: chat.settings.look };
  return only({ ...chat, settings: fields.includes('look') ? withLook(next, look) : next });
}

/** Every key that may be set by one word, set or not, then what the sections hold. */
export function settingRows(read: Read): SettingView[] {
  const entries = effective(read);
  const unset = SCALAR_KEYS.filter((key) => !entries.some((entry) => entry.key === key));
  const scalars = SCALAR_KEYS.map(
    (key) => entries.find((entry) => entry.key === key) ?? { key, value: undefined, origin: undefined },
  );
  const rest = entries.slice(SCALAR_KEYS.length - unset.length);
  return [...scalars, ...rest].map(({ key, value, origin }): SettingView => {
    const row = Object.hasOwn(SCALARS, key) ? SCALARS[key as ScalarKey] : parseKey(key)?.row;
    const from = origin ?? { from: 'default', name: '' };
    const text = value === undefined ? '' : shown(key, value, masked);
    return {
      key,
      value: maskSecrets(text, read.secrets),
      origin: { from: from.from, name: oneLine(describeOrigin(from)) },
      help: SETTING_HELP[key.split('.')[0] as ScalarKey | SectionKey],
      allowed: row?.allowed ?? 'JSON, or a text',
      choices: row && 'choices' in row ? (row.choices ?? []) : [],
      // what stands there in part only is written anew
      secret: parseKey(key)?.secret === true || text !== shown(key, value ?? '', (_key, whole) => whole),
      atOnce: isAtOnce(key),
    };
  });
}

/** As it would be written: a list of words without brackets. */
function shown(key: string, value: unknown, as: typeof masked): string {
  const safe = as(key, value);
  if (typeof safe === 'string') return safe;
  if (key === 'statusBar' && Array.isArray(safe)) return safe.length === 0 ? 'off' : safe.join(', ');
  return JSON.stringify(safe);
}
