/** Which call a fragment of `tool_calls` belongs to. Servers leave out, repeat and reuse index, id and name. */
import type { Chunk } from '../../domain/content.ts';
import { asList, asRecord, asText, type JsonRecord, parseJson } from './json.ts';

/** A fragment as it came, made even: '' where nothing was given. */
interface Fragment {
  index: number | undefined;
  id: string;
  name: string;
  json: string;
  /** What else goes back with it. */
  extra: JsonRecord | undefined;
}
interface Call {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  /** All arguments so far. */
  readonly json: string;
  /** Whether they end as an object would: spares looking at all of them for each fragment. */
  readonly closed: boolean;
  /** Its place among the calls that were shown; -1 until its name is known. */
  readonly place: number;
  readonly extra: JsonRecord | undefined;
  /** An empty object that came first and is not shown yet: with some servers it stands for arguments still to come. */
  readonly held: string;
}
export interface CallState {
  readonly calls: readonly Call[];
  /** The call now streaming: position in `calls`. */
  readonly current: number;
  readonly shown: number;
  /** Fields of a call that are kept, beside those that every call has. */
  readonly kept: readonly string[];
}

export const noCalls = (kept: readonly string[] = []): CallState => ({ calls: [], current: -1, shown: 0, kept });
/** The index that the older `function_call` goes under. */
const LEGACY_INDEX = -1;
const EMPTY_OBJECT = /^\s*\{\s*\}\s*$/;
const NAMELESS = 'unnamed_tool';

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function extraOf(entry: JsonRecord, kept: readonly string[]): JsonRecord | undefined {
  const there = kept.filter((name) => Object.hasOwn(entry, name) && entry[name] !== null);
  return there.length === 0 ? undefined : Object.fromEntries(there.map((name) => [name, entry[name]]));
}

function fragmentOf(value: unknown, kept: readonly string[], legacy = false): Fragment {
  const entry = asRecord(value) ?? {};
  const call = legacy ? entry : (asRecord(entry.function) ?? entry);
  const index = typeof entry.index === 'string' && entry.index !== '' ? Number(entry.index) : entry.index;
  return {
    index: legacy ? LEGACY_INDEX : Number.isInteger(index) ? (index as number) : undefined,
    id: typeof entry.id === 'string' || typeof entry.id === 'number' ? String(entry.id) : '',
    name: asText(call.name).trim(),
    json: argumentsText(call.arguments ?? call.parameters ?? call.input),
    extra: extraOf(entry, kept),
  };
}

const isWhole = (call: Call): boolean => call.closed && asRecord(parseJson(call.json)) !== undefined;

/** Whether a fragment that names `call` must be another one: its arguments cannot go on, or it has another name. */
function isAnother(call: Call, fragment: Fragment): boolean {
  if (fragment.name === '' || call.name === '') return false;
  const differs = fragment.name !== call.name;
  if (call.held !== '' && !differs && fragment.id !== '' && fragment.id === call.id) return false;
  if (differs && fragment.index === undefined && fragment.id === '') return true;
  return (differs || fragment.json.trim() !== '') && isWhole(call);
}

/** The position of the fragment's call, or -1 where it begins a new one. */
function locate({ calls, current }: CallState, fragment: Fragment, besideAnother: boolean): number {
  const { index, id, name } = fragment;
  const last = (fits: (call: Call) => boolean) => calls.findLastIndex(fits);
  if (index !== undefined) {
    const at = last((call) => call.index === index);
    if (at >= 0) {
      const had = calls[at]!.id;
      return id === '' || had === '' || had === id ? at : last((call) => call.index === index && call.id === id);
    }
    const begunWithout = last((call) => call.index === undefined && call.id === id && id !== '');
    if (begunWithout >= 0) return begunWithout;
    return id === '' && name === '' && current >= 0 && calls[current]!.index === undefined ? current : -1;
  }
  if (id !== '') {
    const at = last((call) => call.id === id);
    return at < 0 && name === '' && current >= 0 && calls[current]!.id === '' ? current : at;
  }
  return besideAnother && name !== '' ? -1 : current;
}

/** A server that sends the whole call once more at its end. */
const isRepeat = (call: Call, fragment: Fragment): boolean =>
  fragment.id !== '' && fragment.id === call.id && fragment.json === call.json && isWhole(call);

const both = (before: JsonRecord | undefined, more: JsonRecord | undefined): JsonRecord | undefined =>
  more ? { ...before, ...more } : before;

function take(state: CallState, fragment: Fragment, besideAnother: boolean, out: Chunk[]): CallState {
  let at = locate(state, fragment, besideAnother);
  const found = state.calls[at];
  if (found && isRepeat(found, fragment)) {
    const calls = state.calls.with(at, { ...found, extra: both(found.extra, fragment.extra) });
    return { ...state, calls, current: at };
  }
  if (!found || isAnother(found, fragment)) at = state.calls.length;
  const before = state.calls[at] ?? {
    index: undefined,
    id: '',
    name: '',
    json: '',
    closed: false,
    place: -1,
    extra: undefined,
    held: '',
  };
  const name = before.name || fragment.name;
  const shows = name !== '' && before.place < 0;
  const { json: piece } = fragment;
  const blank = piece.trim() === '';
  const opens = before.json === '' && EMPTY_OBJECT.test(piece);
  const held = opens ? piece : blank && before.held !== '' ? before.held + piece : '';
  const replaces = before.held !== '' && piece.trimStart().startsWith('{');
  const call: Call = {
    index: before.index ?? fragment.index,
    id: before.id || fragment.id,
    name,
    json: replaces ? piece : before.json + piece,
    closed: blank ? before.closed : piece.trimEnd().endsWith('}'),
    place: shows ? state.shown : before.place,
    extra: both(before.extra, fragment.extra),
    held,
  };
  const more = shows || replaces ? call.json : before.held + piece;
  const inputJson = held === '' ? more : '';
  if (call.place >= 0 && (shows || inputJson !== '' || call.id !== before.id))
    out.push({ type: 'tool_use', index: call.place, id: call.id, name, inputJson });
  const calls = state.calls.slice();
  calls[at] = call;
  return { ...state, calls, current: at, shown: state.shown + (shows ? 1 : 0) };
}

/** Takes the fragments of one delta, adds what may be shown of them to `out`. */
export function takeFragments(state: CallState, delta: Record<string, unknown>, out: Chunk[]): CallState {
  let next = state;
  asList(delta.tool_calls).forEach((entry, n) => {
    if (asRecord(entry)) next = take(next, fragmentOf(entry, state.kept), n > 0, out);
  });
  if (asRecord(delta.function_call)) next = take(next, fragmentOf(delta.function_call, state.kept, true), false, out);
  return next;
}

/** What was held back, and the calls that never got a name, as far as anything came of them. */
export function flushCalls(state: CallState, out: Chunk[]): CallState {
  let { shown } = state;
  for (const call of state.calls) {
    const { place, id, name, held } = call;
    if (place >= 0 && held !== '') out.push({ type: 'tool_use', index: place, id, name, inputJson: held });
    if (call.place >= 0 || call.json.trim() === '') continue;
    out.push({ type: 'tool_use', index: shown++, id: call.id, name: NAMELESS, inputJson: call.json });
  }
  return { ...state, shown };
}

/** What goes back with each call, by its place among those that were shown. */
export const extras = ({ calls }: CallState): { index: number; fields: JsonRecord }[] =>
  calls.flatMap(({ place, extra }) => (place >= 0 && extra ? [{ index: place, fields: extra }] : []));
