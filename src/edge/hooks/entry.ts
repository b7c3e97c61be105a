/** The commands under `hooks` of the user's config: what an entry may hold, and one line for what it may not. */
import type { GuardedOperation, Operation } from '../../domain/hook.ts';
import { matcher } from './matcher.ts';

export interface HookEntry {
  /** Without `observe` an operation that can be guarded. */
  on: Operation;
  /** Told of the operation when it has ended; whatever the command does changes nothing. */
  observe?: boolean;
  /** Names of tools: see `matcher`. Default: all. For operations that have a tool. */
  match?: string;
  /** The text of a `command` argument, in the same way: the hook then hears only of calls that have one. */
  matchCommand?: string;
  /** For the shell. */
  run: string;
  /** Default: 30 000. */
  timeoutMs?: number;
}

const GUARDED: readonly Operation[] = ['Turn', 'Step', 'Inference', 'ToolCall'] satisfies GuardedOperation[];
const WITH_TOOL: readonly Operation[] = ['ToolCall', 'ToolExecution', 'GateWait'];
const WITH_INPUT: readonly Operation[] = ['ToolCall', 'ToolExecution'];
const OBSERVED: readonly Operation[] = [...GUARDED, 'ToolExecution', 'GateWait', 'JournalAppend'];
const LONGEST_TIMER = 2_147_483_647;

export const HOOKS_ALLOWED =
  'a list of {"on": an operation, "run": a command, and as they apply "match", "matchCommand", "observe", "timeoutMs"}';

type Read = { ok: true; entries: HookEntry[] } | { ok: false; fault: string };

/** The entries as they stand in the config, or what is wrong with the first bad one: a line that begins with its place. */
export function readHooks(value: unknown): Read {
  if (!Array.isArray(value)) return { ok: false, fault: `hooks must be ${HOOKS_ALLOWED}` };
  for (const [index, entry] of value.entries()) {
    const fault = entryFault(entry);
    if (fault) return { ok: false, fault: `hooks[${index}]${fault}` };
  }
  return { ok: true, entries: value };
}

/** For each key, why its value cannot be; the whole entry is given for what depends on another key. */
const FAULTS: Record<keyof HookEntry, (value: unknown, entry: Record<string, unknown>) => string | undefined> = {
  on: (value, { observe }) => {
    const allowed = observe === true ? OBSERVED : GUARDED;
    if (allowed.includes(value as Operation)) return undefined;
    const more = observe === true ? '' : ', or with "observe": true ToolExecution, GateWait, JournalAppend';
    return `${value === undefined ? 'is missing' : `is ${shown(value)}`}; there are ${allowed.join(', ')}${more}`;
  },
  observe: (value) => unless(value === undefined || typeof value === 'boolean', 'must be true or false'),
  match: (value, { on }) => patternFault(value, on, WITH_TOOL),
  matchCommand: (value, { on }) => patternFault(value, on, WITH_INPUT),
  run: (value) => unless(typeof value === 'string' && value.trim() !== '', 'must be a command for the shell'),
  timeoutMs: (value) =>
    unless(
      value === undefined || (Number.isInteger(value) && (value as number) > 0 && (value as number) <= LONGEST_TIMER),
      `must be a whole number of milliseconds from 1 to ${LONGEST_TIMER}`,
    ),
};

function entryFault(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return ` must be an object like {"on": "ToolCall", "match": "shell", "run": "./check.sh"}`;
  const values = entry as Record<string, unknown>;
  const unknown = Object.keys(values).find((key) => !Object.hasOwn(FAULTS, key));
  if (unknown !== undefined) return ` has ${shown(unknown)}; there are ${Object.keys(FAULTS).join(', ')}`;
  for (const [key, faultOf] of Object.entries(FAULTS)) {
    const fault = faultOf(values[key], values);
    if (fault) return `.${key} ${fault}`;
  }
  return undefined;
}

function patternFault(value: unknown, on: unknown, operations: readonly Operation[]): string | undefined {
  if (value === undefined) return undefined;
  if (!operations.includes(on as Operation)) return `is only for ${operations.join(', ')}`;
  if (typeof value !== 'string' || value.trim() === '')
    return 'must be a name, a pattern with * and ?, several with | between them, or /a regular expression/';
  try {
    matcher(value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** One line for each hook that no tool sets off: a guard whose tool is misspelled guards nothing. */
export function idleHooks(entries: readonly HookEntry[], toolNames: readonly string[]): string[] {
  return entries.flatMap(({ match }, index) => {
    // the tools of servers may come later
    if (match === undefined || match.includes('mcp__') || toolNames.some(matcher(match))) return [];
    return `hooks[${index}].match ${shown(match)} fits no tool, so the hook does nothing; there are ${toolNames.join(', ')}`;
  });
}

const unless = (fits: boolean, fault: string): string | undefined => (fits ? undefined : fault);
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? String(value);
