/**
 * When the person is called back: a turn is over and nothing follows by itself, it failed, or it waits for an answer.
 * A call says what happened and nothing of the conversation: others may read it over a shoulder.
 */
import { coordinatesOf, type EventBody } from '../domain/event.ts';
import { type Chat, only, type Step } from './chat.ts';

export type Attention = 'done' | 'failed' | 'asks';

export interface Calling {
  when: 'off' | 'on' | 'unfocused';
  /** What every terminal knows is a bell; each makes of it what the person set there. */
  by: 'bell' | 'osc9' | 'title';
}

/** `after` has folded the event. A terminal that does not tell its focus counts as looked at. */
export function attentionFor(after: Chat, event: EventBody): Attention | undefined {
  const { when } = after.settings.calling;
  if (when === 'off' || (when === 'unfocused' && after.focused !== false)) return undefined;
  if (after.view.phase === 'stopping' || after.view.phase === 'stopped') return undefined;
  switch (event.type) {
    case 'TurnFailed':
      return 'failed';
    case 'PermissionRequested':
    case 'UserInputRequested':
      return 'asks';
    case 'TurnDone':
      return goesOn(after, event) ? undefined : 'done';
    default:
      return undefined;
  }
}

function goesOn({ view }: Chat, event: EventBody): boolean {
  const { loopId } = coordinatesOf(event);
  const queue = view.loops.find((loop) => loop.loopId === loopId)?.queue;
  return queue !== undefined && queue.rows.length > 0 && !queue.paused;
}

/** The chat with what an event calls for. */
export function calledBy(step: Step, event: EventBody): Step {
  const what = attentionFor(step.chat, event);
  if (!what) return step;
  return { ...step, chat: { ...step.chat, called: true }, intents: [...step.intents, { type: 'Call', what }] };
}

/** The person is here, or went: what called them is taken back once they are. */
export function attended(chat: Chat, focused: boolean): Step {
  if (chat.focused === focused && !chat.called) return only(chat);
  return chat.called && focused
    ? only({ ...chat, focused, called: false }, { type: 'Call', what: undefined })
    : only({ ...chat, focused });
}

const WORDS: Readonly<Record<Attention, string>> = {
  done: 'the turn is done',
  failed: 'the turn failed',
  asks: 'a question waits',
};

/** As it is written to the terminal; a title is set over the one that is there. */
export function callSequence(what: Attention, by: Calling['by']): string {
  if (by === 'bell') return '\x07';
  return `\x1b]${by === 'osc9' ? 9 : 2};harness-chat: ${WORDS[what]}\x07`;
}
