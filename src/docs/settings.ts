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
  type ScalarKey,
  SECTION_KEYS,
  SECTIONS,
  type SectionKey,
  type Settings,
} from '../edge/settings/schema.ts';
import { code, GENERATED, page, table } from './table.ts';

const PURPOSE: Record<ScalarKey | SectionKey, string> = {
  model: 'the model',
  provider: 'who serves it',
  baseUrl: 'the server',
  apiKey: 'its key; better in the environment',
  approval: 'what happens to calls of tools that change things',
  system: 'a system prompt in place of the default one',
  maxSteps: 'tool steps a turn may take',
  maxToolCalls: 'tool calls a turn may take',
  inboxLimit: 'inputs that may wait in a queue',
  afterInterrupt: 'whether the queue waits after an interrupt, or starts at once',
  stallTimeoutMs: 'how long a stream may stand still',
  toolTimeoutMs: 'how long a tool may run',
  theme: 'colours',
  notify: 'a notice when a turn ends, fails or asks',
  notifyBy: 'how that is given',
  statusBar: 'the parts of the line below the composer, in their order',
  color: 'colours at all',
  ascii: 'plain signs only',
  screenReader: 'output for a screen reader',
  providers: 'providers of your own, by name',
  rules: 'what was allowed with "always", by workspace',
  mcpServers: 'servers that bring tools',
  hooks: 'commands that guard or observe',
  keys: 'keys for actions',
};

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
      SCALAR_KEYS.map((key) => [code(key), PURPOSE[key], SCALARS[key].allowed, defaultOf(key), code(envName(key))]),
    ),
    '`OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL` are read as well; `NO_COLOR` is obeyed; `HARNESS_CHAT_HOME` moves the config and the sessions together.',
    '## Sections',
    table(
      ['key', 'is', 'value'],
      SECTION_KEYS.map((key) => [code(key), PURPOSE[key], SECTIONS[key].allowed]),
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
