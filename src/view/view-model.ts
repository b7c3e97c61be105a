/**
 * What the person should see: a second fold of the session's events. `apply` gives the next state and the lines that
 * became final with the event; they are printed once, above the live region (design: the screen is a second fold).
 */

import type { Usage } from '../domain/content.ts';
import { coordinatesOf, type Delivery, type EventBody } from '../domain/event.ts';
import type { LoopId, SessionId } from '../domain/identity.ts';
import type { HistoryCompacted } from '../domain/runtime-event.ts';
import { count, type Folded, gutter, hanging, muted, span, type ViewContext } from './context.ts';
import { applyLoop, type LoopView, newLoop } from './loop-view.ts';
import { type QueuedEntry, type Receipt, syncQueue } from './queue.ts';
import { sanitizeText } from './sanitize.ts';
import { readTokens, spentOn } from './spending.ts';
import type { Line } from './style.ts';
import { put } from './transcript.ts';

export type Approval = 'ask' | 'auto' | 'deny';

export interface ViewState {
  loops: readonly LoopView[];
  activeLoopId: LoopId | undefined;
  approval: Approval;
  name: string | undefined;
  cwd: string;
  /** That the session began with: a loop has it until a ModelChanged says otherwise. */
  provider: string;
  sessionId: SessionId | undefined;
  phase: 'starting' | 'running' | 'stopping' | 'stopped';
  /** Between RestoreStarted and RestoreDone. */
  restoring: boolean;
}

export const EMPTY_VIEW: ViewState = {
  loops: [],
  activeLoopId: undefined,
  approval: 'ask',
  name: undefined,
  cwd: '',
  provider: '',
  sessionId: undefined,
  phase: 'starting',
  restoring: false,
};

export interface Applied extends Folded<ViewState> {
  /** What became of an input with this event. */
  receipt?: Receipt;
}

/** A loop's backlog keeps this many lines; older ones are in the journal. */
const BACKLOG_LINES = 500;

export const activeLoop = (state: ViewState): LoopView | undefined =>
  state.loops.find((loop) => loop.loopId === state.activeLoopId) ?? state.loops[0];

export function apply(state: ViewState, delivery: Delivery, ctx: ViewContext): Applied {
  const event: EventBody = delivery.event;
  switch (event.type) {
    case 'SessionStarted':
      return quiet({ ...state, cwd: event.cwd, provider: event.provider, phase: 'running' });
    case 'SessionStopped':
      return quiet({ ...state, phase: 'stopped' });
    case 'SessionRenamed':
      return quiet({ ...state, name: event.name });
    case 'RestoreStarted':
      return quiet({ ...state, restoring: true });
    case 'RestoreDone':
      return quiet({ ...state, restoring: false, phase: 'running' });
    case 'RestoreErrored':
      return note(state, [span(`the session could not be restored: ${event.err.message}`, { color: 'error' })], ctx);
    case 'LoopStarted':
      // where the active loop has another provider, ModelChanged follows
      return loopStarted(state, newLoop(event.loopId, event.agentName, event.model, state.provider), ctx);
    case 'ActiveLoopChanged':
      return switchLoop(state, event.activeLoopId, ctx);
    case 'ModelChanged': {
      const changed = inLoop(state, event, delivery, ctx);
      const moved = state.loops.some(({ loopId, provider }) => loopId === event.loopId && provider !== event.provider);
      const named = moved ? `${event.model} of ${event.provider}` : event.model;
      const noted = note(changed.state, [muted(`the model is now ${named}, from the next turn on`)], ctx);
      return { state: noted.state, print: [...changed.print, ...noted.print] };
    }
    case 'HistoryCompacted':
      return note(compacted(state, event), [muted(savedWords(event.usage))], ctx);
    default:
      return inLoop(state, event, delivery, ctx);
  }
}

/** The summary was asked of the loop's own model, and what its next request holds is not measured yet. */
const compacted = (state: ViewState, { loopId, usage }: HistoryCompacted): ViewState => ({
  ...state,
  loops: state.loops.map((loop) => {
    if (loop.loopId !== loopId) return loop;
    const { provider, model } = loop;
    const spent = spentOn(loop.spent, { provider, model }, usage);
    return { ...loop, settling: undefined, lastUsage: undefined, spent };
  }),
});

function savedWords(usage: Usage): string {
  const read = readTokens(usage);
  const saved = read > 0 ? `: ${count(read)} tokens became ${count(usage.outputTokens)}` : '';
  return `the conversation so far was summarised for the model${saved}`;
}

const quiet = (state: ViewState): Applied => ({ state, print: [] });

function loopStarted(state: ViewState, loop: LoopView, ctx: ViewContext): Applied {
  if (state.loops.some((known) => known.loopId === loop.loopId)) return quiet(state);
  const loops = [...state.loops, loop];
  const started = { ...state, loops, activeLoopId: state.activeLoopId ?? loop.loopId, phase: 'running' as const };
  if (loops.length === 1) return quiet(started);
  return note(
    started,
    [muted(`loop ${loops.length} (${loop.agentName}) started: /loops ${loops.length} shows it`)],
    ctx,
  );
}

function inLoop(state: ViewState, event: EventBody, delivery: Delivery, ctx: ViewContext): Applied {
  const { loopId } = coordinatesOf(event);
  const loop = state.loops.find((known) => known.loopId === loopId);
  if (!loop) return quiet(state);
  const facts = { ctx, stopping: state.phase === 'stopping', dropped: (delivery.dropped ?? 0) > 0 };
  const folded = applyLoop(loop, event, facts);
  const shown = activeLoop(state)?.loopId === loop.loopId;
  const backlog =
    shown || folded.print.length === 0 ? loop.backlog : [...loop.backlog, ...folded.print].slice(-BACKLOG_LINES);
  return {
    state: replaceLoop(state, { ...folded.state, backlog }),
    print: shown ? folded.print : [],
    ...(folded.receipt ? { receipt: folded.receipt } : {}),
  };
}

export const replaceLoop = (state: ViewState, loop: LoopView): ViewState => ({
  ...state,
  loops: state.loops.map((known) => (known.loopId === loop.loopId ? loop : known)),
});

export function changeActive(state: ViewState, change: (loop: LoopView) => LoopView): ViewState {
  const loop = activeLoop(state);
  return loop ? replaceLoop(state, change(loop)) : state;
}

/** A line of the program's own, in the transcript. */
export function note(state: ViewState, spans: Line, ctx: ViewContext): Applied {
  const safe = spans.map((one) => ({ ...one, text: sanitizeText(one.text, ctx) }));
  const lines = hanging(span(gutter(ctx)), safe, ctx.width);
  const loop = activeLoop(state);
  if (!loop) return { state, print: lines };
  const folded = put(loop.transcript, 'note', lines);
  return { state: replaceLoop(state, { ...loop, transcript: folded.state }), print: folded.print };
}

function switchLoop(state: ViewState, loopId: LoopId, ctx: ViewContext): Applied {
  const loop = state.loops.find((known) => known.loopId === loopId);
  if (!loop || activeLoop(state)?.loopId === loopId) return quiet({ ...state, activeLoopId: loopId });
  const at = state.loops.indexOf(loop) + 1;
  const switched = note(
    replaceLoop({ ...state, activeLoopId: loopId }, { ...loop, backlog: [] }),
    [muted(`loop ${at} (${loop.agentName})`)],
    ctx,
  );
  return { state: switched.state, print: [...switched.print, ...loop.backlog] };
}

/** What the session says of itself: read once at the start, and after what events do not tell. */
export interface SnapshotView {
  sessionId?: SessionId;
  name?: string;
  activeLoopId: LoopId;
  approval: Approval;
  loops: readonly {
    loopId: LoopId;
    agentName: string;
    model: string;
    provider: string;
    paused: boolean;
    queue: readonly QueuedEntry[];
  }[];
}

export function applySnapshot(state: ViewState, snapshot: SnapshotView): ViewState {
  const loops = snapshot.loops.map((said) => {
    const known = state.loops.find((loop) => loop.loopId === said.loopId);
    const loop = known ?? newLoop(said.loopId, said.agentName, said.model, said.provider);
    const { model, provider } = said;
    return { ...loop, model, provider, queue: syncQueue(loop.queue, said.queue, said.paused) };
  });
  const activeLoopId = state.activeLoopId ?? snapshot.activeLoopId;
  return {
    ...state,
    loops,
    activeLoopId,
    approval: snapshot.approval,
    sessionId: snapshot.sessionId ?? state.sessionId,
    name: snapshot.name ?? state.name,
    phase: state.phase === 'starting' ? 'running' : state.phase,
  };
}
