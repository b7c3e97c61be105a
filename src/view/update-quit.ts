/** Leaving: Ctrl+C twice, Ctrl+D or /quit; with work at hand these two say so first. */
import {
  type Chat,
  completions,
  composerIsEmpty,
  loopOf,
  type Moment,
  noticed,
  only,
  openGate,
  type Step,
} from './chat.ts';
import { interrupt } from './commands.ts';
import { completionLine } from './completion.ts';
import { composerText, editComposer } from './composer.ts';
import { plural } from './context.ts';
import { hintFor } from './keymap.ts';
import { isBusy } from './loop-view.ts';
import { withoutSecret } from './secret-setting.ts';
import { stopShell } from './shell.ts';
import { leaveWord } from './update-gate.ts';
import { leaveQueue, listedRows } from './update-queue.ts';

const TWICE_MS = 2000;
const SURE_MS = 10_000;

/** Ctrl+D on an empty composer, `/quit`. */
export function quit(chat: Chat, { now }: Moment): Step {
  const work = workAtHand(chat);
  if (work === undefined || now < chat.leaveUntil) return only(leaving(chat), { type: 'Quit' });
  const said = noticed({ ...chat, leaveUntil: now + SURE_MS }, `${work}: once more to leave`, now, 'warning');
  return only(said);
}

/**
 * The session is being shut down: what runs is stopping, what comes back is returned for that reason. An overlay closes,
 * so that its last words are printed.
 */
export const leaving = (chat: Chat): Chat => {
  const loops = chat.view.loops.map((loop) => (loop.turn ? { ...loop, turn: { ...loop.turn, stopping: true } } : loop));
  return { ...chat, overlay: undefined, view: { ...chat.view, loops, phase: 'stopping' } };
};

/** What would be stopped or returned if the session ended now; undefined where there is nothing. */
export function workAtHand(chat: Chat): string | undefined {
  const running = chat.view.loops.filter((loop) => isBusy(loop)).length;
  const queued = chat.view.loops.reduce((sum, loop) => sum + loop.queue.rows.length, 0);
  const words = [
    chat.shell ? 'a command is running' : '',
    running > 0 ? `${running === 1 ? 'a turn is' : `${running} turns are`} running` : '',
    queued > 0 ? `${plural(queued, 'input is', 'inputs are')} queued` : '',
  ].filter((word) => word !== '');
  return words.length > 0 ? words.join(', ') : undefined;
}

/** Ctrl+C: closes what is open, else puts the draft into the history, else interrupts, else twice within 2 s leaves. */
export function cancel(chat: Chat, moment: Moment): Step {
  if (chat.overlay) return only({ ...chat, overlay: undefined });
  if (chat.focus.kind === 'queue') return only(leaveQueue(chat));
  if (chat.focus.kind === 'word') return only(leaveWord(chat));
  if (completions(chat).length > 0) return only(closeList(chat));
  if (!composerIsEmpty(chat)) return putAway(chat, moment);
  if (chat.shell && !chat.shell.stopping) return stopShell(chat);
  const loop = loopOf(chat);
  // a loop that is only about to come to rest is left to do so
  if (isBusy(loop) ? !loop?.turn?.stopping : loop?.settling?.asked) return interrupt(chat, moment);
  if (moment.now < chat.quitUntil) return only(leaving(chat), { type: 'Quit' });
  const until = moment.now + TWICE_MS;
  return only({ ...chat, quitUntil: until, notice: { text: 'Ctrl+C again leaves', until, tone: 'plain' } });
}

export const closeList = (chat: Chat): Chat => ({
  ...chat,
  completion: { index: 0, closedFor: completionLine(chat) },
});

/** Gone from the composer, not from the world. */
function putAway(chat: Chat, { now }: Moment): Step {
  const text = withoutSecret(composerText(chat.composer));
  const composer = editComposer(chat.composer, { type: chat.composer.aside.length > 0 ? 'sent' : 'clear' });
  const next = { ...chat, composer, history: [...chat.history, text] };
  return only(noticed(next, `the draft is in the history${wayBack(next)}`, now), { type: 'Remember', text });
}

/** The key that has it next: ↑ may go elsewhere. */
function wayBack(chat: Chat): string {
  const elsewhere = !composerIsEmpty(chat) || listedRows(chat).length > 0 || openGate(chat.view) !== undefined;
  const { keymap, ascii } = chat.settings;
  const key = hintFor(keymap, elsewhere ? 'older' : 'up', ascii);
  return key === undefined ? '' : `: ${key} brings it back`;
}
