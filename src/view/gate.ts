/**
 * Questions that a tool call waits on. Answered by digits, never letters; what is typed before the person can have seen
 * the question goes to the draft (contract: The chat on the screen, Gates).
 */
import type { EventBody } from '../domain/event.ts';
import type { LoopId, ToolExecutionId } from '../domain/identity.ts';
import type { PermissionRequest } from '../domain/runtime-event.ts';

export const GATE_GRACE_MS = 350;

export interface GateView {
  toolExecutionId: ToolExecutionId;
  loopId: LoopId;
  /** A permission, or a question to the person. */
  ask: { kind: 'permission'; request: PermissionRequest } | { kind: 'question'; question: string; choices: string[] };
  /** Since when no key was pressed. */
  quietSince: number;
  /** It was quiet for the grace time since it appeared: the person can have seen it. */
  armed: boolean;
  /** Keys that went to the draft since then: from the second on they make a word, and a digit goes on with it. */
  typed: number;
  /** The row that ↑ or ↓ marked; none at first. */
  marked?: number;
  /** An answer was given and its event is awaited. */
  answered?: boolean;
}

export type GateChoice =
  | { kind: 'once' | 'session' | 'always' | 'no' | 'reason' | 'view' | 'words' | 'decline' }
  | { kind: 'choice'; text: string };

export interface GateRow {
  /** What answers it; a row beyond the ninth is reached by arrows alone. */
  digit: string | undefined;
  label: string;
  choice: GateChoice;
}

/** Opens, closes: the gates of one loop in the order of their calls. */
export function applyGates(gates: readonly GateView[], event: EventBody, now: number): readonly GateView[] {
  switch (event.type) {
    case 'PermissionRequested':
      return [...gates, opened(event, { kind: 'permission', request: event.request }, now)];
    case 'UserInputRequested': {
      const { question, choices } = event;
      return [...gates, opened(event, { kind: 'question', question, choices }, now)];
    }
    case 'PermissionDecided':
    case 'ToolCallCompleted':
      return closedGate(gates, event.toolExecutionId, now);
    case 'StepDone':
    case 'TurnDone':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return gates.length === 0 ? gates : [];
    default:
      return gates;
  }
}

/** The one behind it appears only now: its grace time begins. */
function closedGate(gates: readonly GateView[], id: ToolExecutionId, now: number): readonly GateView[] {
  const [first, ...behind] = gates.filter((gate) => gate.toolExecutionId !== id);
  if (!first || gates[0]?.toolExecutionId !== id) return first ? [first, ...behind] : [];
  return [appeared(first, now), ...behind];
}

const opened = (
  event: { toolExecutionId: ToolExecutionId; loopId: LoopId },
  ask: GateView['ask'],
  now: number,
): GateView => ({
  toolExecutionId: event.toolExecutionId,
  loopId: event.loopId,
  ask,
  quietSince: now,
  armed: false,
  typed: 0,
});

/** Its grace time begins. */
export const appeared = (gate: GateView, now: number): GateView => ({
  ...gate,
  quietSince: now,
  armed: false,
  typed: 0,
});

const isQuiet = (gate: GateView, now: number): boolean => now - gate.quietSince >= GATE_GRACE_MS;

/** A key was pressed at `now`: the gate is armed by the quiet before it, and the quiet begins anew. */
export const touchGate = (gate: GateView, now: number): GateView => ({
  ...gate,
  quietSince: now,
  armed: gate.armed || isQuiet(gate, now),
});

/** `text` goes to the draft; `fresh`: nothing stood there before. */
export const typeAtGate = (gate: GateView, text: string, fresh: boolean): GateView => ({
  ...gate,
  marked: undefined,
  typed: gate.armed ? (fresh ? 0 : gate.typed) + text.length : 0,
});

/**
 * Whether a digit answers now: once it was quiet for the grace time, unless the person is writing. A digit that goes on
 * with a word or a sentence is text.
 */
export const digitAnswers = (gate: GateView, draftIsEmpty: boolean, now: number): boolean =>
  (gate.armed || isQuiet(gate, now)) && !isWriting(gate, draftIsEmpty);

export const isWriting = (gate: GateView, draftIsEmpty: boolean): boolean => !draftIsEmpty && gate.typed > 1;

/**
 * How much of a question the screen can hold: all of it, the request with short answers, or not even all of the request,
 * which then offers only `no` and `view` (contract: The chat on the screen).
 */
export type GateRoom = 'whole' | 'request' | 'scarce';

export function gateRows(gate: GateView, room: GateRoom): GateRow[] {
  if (gate.ask.kind === 'question') return questionRows(gate.ask.choices, room);
  const { scopes } = gate.ask.request;
  const covers = (scope: string) => scopes.find((offer) => offer.scope === scope)?.covers;
  const rows: GateRow[] = [];
  if (room !== 'scarce') rows.push({ digit: '1', label: 'yes, once', choice: { kind: 'once' } });
  // What a grant would cover is always written beside it.
  const session = room === 'whole' ? covers('session') : undefined;
  const always = room === 'whole' ? covers('always') : undefined;
  if (session !== undefined)
    rows.push({ digit: '2', label: `yes, for this session: ${session}`, choice: { kind: 'session' } });
  if (always !== undefined) rows.push({ digit: '3', label: `yes, always here: ${always}`, choice: { kind: 'always' } });
  rows.push({ digit: '4', label: 'no', choice: { kind: 'no' } });
  if (room === 'whole') rows.push({ digit: '5', label: 'no, and say why', choice: { kind: 'reason' } });
  else rows.push({ digit: '6', label: 'view', choice: { kind: 'view' } });
  return rows;
}

function questionRows(choices: readonly string[], room: GateRoom): GateRow[] {
  if (room !== 'whole') {
    const digit = (n: number) => (n <= 9 ? String(n) : undefined);
    return [
      { digit: digit(choices.length + 2), label: 'no answer', choice: { kind: 'decline' } },
      { digit: digit(choices.length + 3), label: 'view', choice: { kind: 'view' } },
    ];
  }
  const rows: Omit<GateRow, 'digit'>[] = [
    ...choices.map((text) => ({ label: text, choice: { kind: 'choice', text } as const })),
    { label: 'answer in your own words', choice: { kind: 'words' } },
    { label: 'do not answer', choice: { kind: 'decline' } },
  ];
  return rows.map((row, i) => ({ ...row, digit: i < 9 ? String(i + 1) : undefined }));
}

export const rowOfDigit = (rows: readonly GateRow[], digit: string): GateRow | undefined =>
  rows.find((row) => row.digit === digit);

/** ↑ and ↓ over the rows and over "none". */
export function markRow(gate: GateView, rows: readonly GateRow[], step: 1 | -1): GateView {
  const at = gate.marked ?? (step === 1 ? -1 : rows.length);
  const next = at + step;
  return { ...gate, marked: next < 0 || next >= rows.length ? undefined : next };
}
