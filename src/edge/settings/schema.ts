/** Every key of the configuration: what it may hold, what it is when nobody says, how it is spelled elsewhere. */
import * as z from 'zod';
import { HOOKS_ALLOWED, type HookEntry } from '../hooks/entry.ts';
import type { ProviderQuirks } from '../models/providers.ts';

/** A timer takes no more milliseconds than this. */
const LONGEST_TIMER = 2_147_483_647;

/** How a value is written as text: in the environment, as an option, after `config set`. */
type Kind = 'text' | 'integer' | 'boolean';
interface Row {
  kind: Kind;
  schema: z.ZodType;
  allowed: string;
  /** Masked wherever it is shown. */
  secret?: true;
  /** All that may be written, where that is a list. */
  choices?: readonly string[];
}

const line = z.string().regex(/^[^\u0000-\u001f\u007f]+$/);
const row = (schema: z.ZodType, allowed: string, kind: Kind = 'text'): Row => ({ kind, schema, allowed });
const oneOf = (...choices: string[]): Row => ({ ...row(z.enum(choices), listed(choices)), choices });
const integer = (most: number): Row => row(z.int().min(1).max(most), `a whole number from 1 to ${most}`, 'integer');
const flag: Row = { ...row(z.boolean(), 'true or false', 'boolean'), choices: ['true', 'false'] };
/** As it is said of other switches. */
function offOrOn(value: unknown): unknown {
  const text = String(value);
  return text === 'true' ? 'on' : text === 'false' ? 'off' : value;
}
const parts = (...names: string[]): Row =>
  row(z.preprocess(listOf, z.array(z.enum(names))), `a list of ${names.join(', ')}; off for none of it`);
const amount = row(z.number().min(0), 'a number from 0');
const object = (allowed: string): Row => row(z.looseObject({}), allowed);

export const baseUrlSchema = z.string().refine(isBaseUrl);
export const BASE_URL_ALLOWED = 'an http:// or https:// address without ? and #, such as http://127.0.0.1:11434/v1';
/** What a header can carry. */
const headerValue = z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]+$/);
const keySchema = z.string().regex(/^[\u0021-\u007e]+$/);
const KEY_ALLOWED = 'a key of printable ASCII characters without spaces';

export const SCALARS = {
  model: row(line, 'the name of a model'),
  provider: row(line, 'openai, demo, another ready one such as groq or ollama, or a name under providers'),
  baseUrl: row(baseUrlSchema, BASE_URL_ALLOWED),
  apiKey: { ...row(keySchema, KEY_ALLOWED), secret: true },
  approval: oneOf('ask', 'auto', 'deny'),
  system: row(z.string(), 'a text'),
  maxSteps: integer(100_000),
  maxToolCalls: integer(100_000),
  inboxLimit: integer(100_000),
  afterInterrupt: oneOf('pause', 'start'),
  stallTimeoutMs: integer(LONGEST_TIMER),
  toolTimeoutMs: integer(LONGEST_TIMER),
  theme: oneOf('auto', 'dark', 'light', 'ansi16', 'colorblind', 'none'),
  notify: {
    ...oneOf('off', 'on', 'unfocused'),
    schema: z.preprocess(offOrOn, z.enum(['off', 'on', 'unfocused'])),
  },
  notifyBy: oneOf('bell', 'osc9', 'title'),
  statusBar: parts('model', 'tokens', 'context', 'cost', 'approval', 'loop'),
  spinner: flag,
  color: flag,
  ascii: flag,
  screenReader: flag,
} satisfies Record<string, Row>;
export type ScalarKey = keyof typeof SCALARS;
export const SCALAR_KEYS = Object.keys(SCALARS) as ScalarKey[];

/** US dollars (or what the person counts in) for a million tokens. */
export interface Price {
  input?: number;
  output?: number;
  cacheRead?: number;
}
export interface ProviderEntry {
  baseUrl?: string;
  apiKey?: string;
  /** The variable of the environment that holds this provider's key. */
  apiKeyEnv?: string;
  /** A command line that prints the key. */
  apiKeyCommand?: string;
  /** The model where none is chosen. */
  model?: string;
  headers?: Record<string, string>;
  /** Tokens that `model` can read. */
  window?: number;
  /** What `model` costs. */
  price?: Price;
  quirks?: ProviderQuirks;
}
export const PROVIDER_FIELDS = {
  baseUrl: row(baseUrlSchema, BASE_URL_ALLOWED),
  apiKey: { ...row(keySchema, KEY_ALLOWED), secret: true },
  apiKeyEnv: row(z.string().regex(/^[A-Za-z_]\w*$/), 'the name of a variable of the environment'),
  // it may hold what must not be seen
  apiKeyCommand: { ...row(line, 'a command line that prints the key'), secret: true },
  model: row(line, 'the name of a model'),
  headers: {
    ...row(
      z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), headerValue),
      'an object of header names and their texts',
    ),
    secret: true,
  },
  window: integer(1_000_000_000),
  price: object('an object of input, output and cacheRead, each in money for a million tokens'),
  quirks: object('an object of switches'),
} satisfies Record<keyof ProviderEntry, Row>;

/** The fields of those fields that have some: each is checked by itself, so that a mistake is named. */
export const NESTED_FIELDS: { price: Record<keyof Price, Row>; quirks: Record<keyof ProviderQuirks, Row> } = {
  price: { input: amount, output: amount, cacheRead: amount },
  quirks: {
    joinUsers: flag,
    bridgeToolToUser: flag,
    includeUsage: flag,
    tools: flag,
    parallelToolCalls: flag,
    maxTokens: row(
      z.strictObject({ field: z.enum(['max_tokens', 'max_completion_tokens']), value: z.int().min(1) }),
      'an object of field (max_tokens or max_completion_tokens) and value, a whole number from 1',
    ),
    toolImages: oneOf('message', 'note'),
    images: flag,
    emptyContent: oneOf('null', 'empty', 'absent'),
    thinking: oneOf('omit', 'reasoning_content', 'reasoning'),
    system: oneOf('system', 'developer', 'user'),
    callIds: oneOf('any', 'max40', 'nine'),
    callFields: row(z.array(z.string().min(1)), 'a list of the names of fields'),
    skipThoughtSignature: flag,
  },
};

/** A rule of `rules`: calls of the tool that it covers need no question. */
const rule = z.object({ toolName: z.string().min(1), covers: z.string() });

export const SECTIONS = {
  providers: row(z.record(z.string().min(1), z.looseObject({})), 'an object of named providers'),
  rules: row(
    z.record(z.string(), z.array(rule)),
    'an object of workspaces, each with a list of {"toolName", "covers"}',
  ),
  mcpServers: row(z.record(z.string().min(1), z.looseObject({})), 'an object of named servers'),
  hooks: row(z.unknown(), HOOKS_ALLOWED),
  keys: row(
    z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    'an object of actions, each with a key or a list of keys',
  ),
} satisfies Record<string, Row>;
export type SectionKey = keyof typeof SECTIONS;
export const SECTION_KEYS = Object.keys(SECTIONS) as SectionKey[];

/** What holds when every source has been heard. `model`, `provider`, `baseUrl` and the key are the ModelChoice's. */
export interface Settings {
  approval: 'ask' | 'auto' | 'deny';
  system?: string;
  maxSteps: number;
  maxToolCalls: number;
  inboxLimit: number;
  afterInterrupt: 'pause' | 'start';
  stallTimeoutMs: number;
  toolTimeoutMs: number;
  theme: 'auto' | 'dark' | 'light' | 'ansi16' | 'colorblind' | 'none';
  notify: 'off' | 'on' | 'unfocused';
  notifyBy: 'bell' | 'osc9' | 'title';
  /** The parts of the line below the composer, in their order. */
  statusBar: ('model' | 'tokens' | 'context' | 'cost' | 'approval' | 'loop')[];
  spinner: boolean;
  color: boolean;
  ascii: boolean;
  screenReader: boolean;
  providers: Record<string, ProviderEntry>;
  rules: Record<string, { toolName: string; covers: string }[]>;
  mcpServers: Record<string, Record<string, unknown>>;
  hooks: HookEntry[];
  keys: Record<string, string | string[]>;
}
export const DEFAULTS: Settings = {
  approval: 'ask',
  maxSteps: 25,
  maxToolCalls: 100,
  inboxLimit: 64,
  afterInterrupt: 'pause',
  stallTimeoutMs: 60_000,
  toolTimeoutMs: 120_000,
  theme: 'auto',
  notify: 'unfocused',
  notifyBy: 'bell',
  statusBar: ['model', 'approval', 'loop', 'context', 'tokens', 'cost'],
  spinner: true,
  color: true,
  ascii: false,
  screenReader: false,
  providers: {},
  rules: {},
  mcpServers: {},
  hooks: [],
  keys: {},
};

/** `inboxLimit` → `HARNESS_CHAT_INBOX_LIMIT`. */
export const envName = (key: string): string =>
  `HARNESS_CHAT_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

export type Checked = { ok: true; value: unknown } | { ok: false; allowed: string };

/** Checks a value that is already of its JSON type. */
export function checkValue(target: Row, value: unknown): Checked {
  const parsed = target.schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, allowed: target.allowed };
}

/** Checks a value that was written as text. */
export function checkText(target: Row, text: string): Checked {
  return checkValue(target, fromText(target.kind, text));
}
export type { Row };

function fromText(kind: Kind, text: string): unknown {
  if (kind === 'text') return text;
  const trimmed = text.trim();
  if (kind === 'integer') return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
  if (/^(?:true|1|yes|on)$/i.test(trimmed)) return true;
  if (/^(?:false|0|no|off)$/i.test(trimmed)) return false;
  return text;
}

/** `model, cost` → its words, each once. */
function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const words = value.toLowerCase().split(/[\s,;"'[\]]+/);
  return [...new Set(words)].filter((word) => word !== '' && word !== 'off' && word !== 'none');
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\s?#]/.test(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

function listed(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
