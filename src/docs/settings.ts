/** The document of the settings and of the providers that are known by name. */
import { PROVIDERS } from '../edge/models/providers.ts';
import {
  DEFAULTS,
  envName,
  NESTED_FIELDS,
  PROVIDER_FIELDS,
  type Row,
  SCALAR_KEYS,
  SCALARS,
  SECTION_KEYS,
  SECTIONS,
  type Settings,
} from '../edge/settings/schema.ts';
import { SETTING_HELP } from '../edge/settings/setting-help.ts';
import { code, GENERATED, page, table } from './table.ts';

const defaultOf = (key: string): string => {
  const value = DEFAULTS[key as keyof Settings];
  return value === undefined ? '' : code(JSON.stringify(value));
};

export function settingsPage(): string {
  const rows = (fields: Record<string, Row>, under = '') =>
    Object.entries(fields).map(([name, { allowed, secret }]) => [
      code(`${under}${name}`),
      `${allowed}${secret ? ' (never shown)' : ''}`,
    ]);
  return page(
    '# Settings',
    GENERATED,
    `Strongest first: options of the command line, the environment, a \`.env\` in the workspace (model, base URL and key only), the
config file, defaults. \`harness-chat config path\` says where the file is, \`config list\` what holds and where it comes from.
Where the table has no default, nothing is set.`,
    table(
      ['key', 'is', 'value', 'default', 'in the environment'],
      SCALAR_KEYS.map((key) => [
        code(key),
        SETTING_HELP[key],
        SCALARS[key].allowed,
        defaultOf(key),
        code(envName(key)),
      ]),
    ),
    '`OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL` are read as well; `NO_COLOR` is obeyed; `HARNESS_CHAT_HOME` moves the config and the sessions together.',
    '## Sections',
    table(
      ['key', 'is', 'value'],
      SECTION_KEYS.map((key) => [code(key), SETTING_HELP[key], SECTIONS[key].allowed]),
    ),
    '## A provider of your own',
    'Under `providers.<name>`:',
    table(
      ['key', 'value'],
      [
        ...rows(PROVIDER_FIELDS),
        ...Object.entries(NESTED_FIELDS).flatMap(([name, fields]) => rows(fields, `${name}.`)),
      ],
    ),
    '## Providers that are known by name',
    'An entry of the same name under `providers` changes what it names and keeps the rest.',
    table(
      ['name', 'server', 'key', 'default model'],
      PROVIDERS.map(({ name, baseUrl, keyVariable, defaultModel, local }) => [
        code(name),
        baseUrl,
        local ? 'none needed' : code(keyVariable),
        code(defaultModel ?? ''),
      ]),
    ),
  );
}
