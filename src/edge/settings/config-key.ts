/** Keys of the configuration as people write them: `maxSteps`, `providers.local.baseUrl`, `rules./home/me/work`. */
import {
  NESTED_FIELDS,
  PROVIDER_FIELDS,
  type ProviderEntry,
  type Row,
  SCALARS,
  type ScalarKey,
  SECTIONS,
  type SectionKey,
} from './schema.ts';

export interface ConfigKey {
  path: string[];
  /** What the whole value at `path` may be; absent inside sections whose entries are checked as a whole. */
  row?: Row;
  /** How its value is written on the command line. */
  form: 'text' | 'json';
  secret: boolean;
}
type Values = Record<string, unknown>;

const FIELD = new RegExp(`^(.+)\\.(${Object.keys(PROVIDER_FIELDS).join('|')})(?:\\.(.+))?$`);

/** undefined: there is no such key. */
export function parseKey(text: string): ConfigKey | undefined {
  if (Object.hasOwn(SCALARS, text)) {
    const row: Row = SCALARS[text as ScalarKey];
    return { path: [text], row, form: 'text', secret: row.secret === true };
  }
  const dot = text.indexOf('.');
  const section = dot < 0 ? text : text.slice(0, dot);
  if (!Object.hasOwn(SECTIONS, section)) return undefined;
  if (dot < 0)
    return { path: [section], row: SECTIONS[section as SectionKey], form: 'json', secret: section === 'providers' };
  const rest = text.slice(dot + 1);
  if (rest === '') return undefined;
  return section === 'providers' ? providerKey(rest) : { path: [section, rest], form: 'json', secret: false };
}

function providerKey(rest: string): ConfigKey | undefined {
  const [, name, field, part] = FIELD.exec(rest) ?? [];
  if (!name || !field)
    return rest.includes('.') ? undefined : { path: ['providers', rest], form: 'json', secret: true };
  const row: Row = PROVIDER_FIELDS[field as keyof ProviderEntry];
  const path = ['providers', name, field];
  const isNested = field === 'price' || field === 'quirks';
  if (part === undefined)
    return { path, row, form: field === 'headers' || isNested ? 'json' : 'text', secret: row.secret === true };
  if (field === 'headers') return { path: [...path, part], form: 'text', secret: true };
  const rows: Record<string, Row> = isNested ? NESTED_FIELDS[field] : {};
  // an amount or a pair is written as JSON, a word or a switch as it is
  return Object.hasOwn(rows, part) ? { path: [...path, part], form: 'json', secret: false } : undefined;
}

export function getAt(values: unknown, path: readonly string[]): unknown {
  let at = values;
  for (const step of path) at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return at;
}

/** A changed copy; what stands in the way of the path and is no object is replaced. */
export function setAt(values: unknown, path: readonly string[], value: unknown): Values {
  const [step, ...rest] = path as [string, ...string[]];
  const object = isObject(values) ? values : {};
  return { ...object, [step]: rest.length === 0 ? value : setAt(object[step], rest, value) };
}

/** A changed copy; objects that become empty go as well. */
export function unsetAt(values: Values, path: readonly string[]): Values {
  const [step, ...rest] = path as [string, ...string[]];
  if (!Object.hasOwn(values, step)) return values;
  const { [step]: at, ...others } = values;
  if (rest.length === 0 || !isObject(at)) return rest.length === 0 ? others : values;
  const left = unsetAt(at, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [step]: left };
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
