/** One input of the terminal, folded into the chat: which layer takes it, and what it means there. */
import type { KeyInput, TerminalInput } from '../domain/terminal-input.ts';
import { attended } from './attention.ts';
import { type Chat, completions, composerIsEmpty, type Moment, noticed, only, type Step } from './chat.ts';
import { openGate } from './chat-state.ts';
import { changeGate, interrupt } from './commands.ts';
import { fileQuery } from './completion.ts';
import { composerText, editComposer, isPlainEdit } from './composer.ts';
import { touchGate, typeAtGate } from './gate.ts';
import { type KeyAction, type KeyContext, resolveKey } from './keymap.ts';
import { chooseLocal } from './local-offer.ts';
import { isAtWork } from './loop-view.ts';
import { droppedErrand, lookedAt } from './named-images.ts';
import { stopShell } from './shell.ts';
import type { SlashName } from './slash-commands.ts';
import { openTranscript } from './transcript-overlay.ts';
import { pasteIntoSearch } from './transcript-overlay-keys.ts';
import {
  chooseCompletion,
  down,
  edited,
  insert,
  paste,
  plainEdit,
  send,
  tab,
  takeCompletion,
  up,
} from './update-composer.ts';
import { gateKey, leaveWord } from './update-gate.ts';
import { overlayKey } from './update-overlay.ts';
import { openPicker, searchFor } from './update-picker.ts';
import { enterQueue, leaveQueue, type QueueAction, queueAction } from './update-queue.ts';
import { cancel, closeList, quit } from './update-quit.ts';
import { searchKey, startSearch } from './update-search.ts';
import { pasteIntoSettings } from './update-settings.ts';
import { runSlash, setApproval, unfold } from './update-slash.ts';
import { activeLoop } from './view-model.ts';

const JUST_ENDED_MS = 1000;
const TWICE_MS = 1000;

/** Files are looked for when the first `@` is typed, and again after a while. */
const FILES_FRESH_MS = 20_000;

export function update(chat: Chat, input: TerminalInput, moment: Moment): Step {
  const here = input.type === 'key' ? attended(chat, true) : only(chat);
  const step = lookedAt(chat, before(here, taken(here.chat, input, moment)));
  const { files } = step.chat;
  if (!fileQuery(step.chat) || moment.now - files.askedAt < FILES_FRESH_MS) return step;
  const next = { ...step.chat, files: { ...files, askedAt: moment.now } };
  return { ...step, chat: next, intents: [...step.intents, { type: 'Errand', errand: { type: 'ListFiles' } }] };
}

function taken(chat: Chat, input: TerminalInput, moment: Moment): Step {
  switch (input.type) {
    case 'paste':
      if (chat.overlay?.kind === 'picker') return only(searchFor(chat, chat.overlay, input.text));
      if (chat.overlay?.kind === 'settings') return only(pasteIntoSettings(chat, chat.overlay, input.text));
      if (chat.overlay?.kind === 'transcript') return only(pasteIntoSearch(chat, chat.overlay, input.text, moment));
      return pastedIn(touched(leaveQueue(stopSearch(chat)), input.text, moment), input.text);
    case 'key':
      return key({ ...chat, notice: undefined }, input, moment);
    case 'focus':
      return attended(chat, input.focused);
    default:
      return only(chat);
  }
}

const before = (first: Step, step: Step): Step =>
  first.intents.length === 0 ? step : { ...step, intents: [...first.intents, ...step.intents] };

function pastedIn(chat: Chat, text: string): Step {
  const errand = chat.focus.kind === 'composer' ? droppedErrand(text) : undefined;
  return only(paste(chat, text), ...(errand ? [{ type: 'Errand', errand } as const] : []));
}

const stopSearch = (chat: Chat): Chat =>
  chat.focus.kind === 'search' ? { ...chat, focus: { kind: 'composer' } } : chat;

/** A paste counts as typing. */
function touched(chat: Chat, text: string, { now }: Moment): Chat {
  const gate = openGate(chat.view);
  const empty = composerIsEmpty(chat);
  return gate ? changeGate(chat, gate.toolExecutionId, (one) => typeAtGate(touchGate(one, now), text, empty)) : chat;
}

function key(chat: Chat, input: KeyInput, moment: Moment): Step {
  const action = resolveKey(chat.settings.keymap, contextsOf(chat), input);
  if (action !== 'interrupt') chat = { ...chat, forkUntil: 0 };
  if (chat.overlay) return overlayKey(chat, action, input, moment);
  if (chat.focus.kind === 'search') return searchKey(chat, action, input, moment);
  if (chat.focus.kind === 'queue') return inQueue(chat, action, input, moment);
  const gate = chat.focus.kind === 'composer' ? openGate(chat.view) : undefined;
  if (!gate) return typed(chat, action, input, moment);
  const taken = gateKey(chat, gate, action, input, moment);
  if (taken.step) return taken.step;
  const beyond = resolveKey(chat.settings.keymap, ['composer'], input);
  return beyond === 'send' ? only(taken.chat) : typed(taken.chat, beyond, input, moment);
}

/** The layers in which a key is looked up, the topmost first. */
function contextsOf(chat: Chat): KeyContext[] {
  if (chat.overlay?.kind === 'picker' || chat.overlay?.kind === 'settings') return ['overlay', 'composer'];
  if (chat.overlay) return ['overlay', 'gate'];
  if (chat.focus.kind === 'queue') return ['queue'];
  if (chat.focus.kind !== 'composer') return ['composer'];
  if (openGate(chat.view)) return ['gate', 'composer'];
  return completions(chat).length > 0 ? ['completion', 'composer'] : ['composer'];
}

function inQueue(chat: Chat, action: KeyAction | undefined, input: KeyInput, moment: Moment): Step {
  if (action === 'queue-back' || action === 'interrupt') return only(leaveQueue(chat));
  if (action?.startsWith('queue-')) {
    const step = queueAction(chat, action.slice('queue-'.length) as QueueAction, moment);
    if (step) return step;
  }
  if (action !== undefined && isAnywhere(action)) return anywhere(chat, action, moment);
  // Any other printable key goes back and is typed.
  const back = leaveQueue(chat);
  return input.text === undefined
    ? only(chat)
    : typed(back, resolveKey(back.settings.keymap, ['composer'], input), input, moment);
}

const ANYWHERE = new Set<KeyAction>([
  'cancel',
  'unfold',
  'transcript',
  'redraw',
  'approval-mode',
  'suspend',
  'use-local',
  'delete-or-quit',
  'interrupt',
]);

const isAnywhere = (action: KeyAction): boolean => ANYWHERE.has(action) || action.startsWith('/');

function typed(chat: Chat, action: KeyAction | undefined, input: KeyInput, moment: Moment): Step {
  if (action === undefined) return only(input.text === undefined ? chat : insert(chat, input.text));
  if (action === 'help')
    return composerIsEmpty(chat) && chat.focus.kind === 'composer' ? help(chat) : only(insert(chat, input.text ?? '?'));
  if (isAnywhere(action)) return anywhere(chat, action, moment);
  if (isPlainEdit(action) && action !== 'newer') return only(plainEdit(chat, action));
  return composerAction(chat, action, moment);
}

const help = (chat: Chat): Step => only({ ...chat, overlay: { kind: 'help', top: 0 } });

function composerAction(chat: Chat, action: KeyAction, moment: Moment): Step {
  switch (action) {
    case 'send':
      return send(chat, moment);
    case 'hold':
      return tab(chat, moment);
    case 'up':
      return only(up(chat));
    case 'down':
      return only(down(chat));
    case 'enter-queue': {
      const entered = chat.focus.kind === 'composer' ? enterQueue(chat) : chat;
      return only(entered === chat ? up(chat) : entered);
    }
    case 'older':
      return only(edited(chat, editComposer(chat.composer, { type: 'older', history: chat.history })));
    case 'newer':
      return only(plainEdit(chat, 'newer'));
    case 'search-history':
      return only(chat.focus.kind === 'composer' ? startSearch(chat) : chat);
    case 'edit-outside':
      return only(chat, { type: 'EditOutside', text: composerText(chat.composer) });
    case 'completion-take':
      return only(takeCompletion(chat));
    case 'completion-previous':
      return only(chooseCompletion(chat, -1));
    case 'completion-next':
      return only(chooseCompletion(chat, 1));
    case 'completion-close':
      return only(closeList(chat));
    default:
      return only(chat);
  }
}

function anywhere(chat: Chat, action: KeyAction, moment: Moment): Step {
  if (action.startsWith('/')) return runSlash(chat, action.slice(1) as SlashName, '', moment);
  switch (action) {
    case 'interrupt':
      return leaveOrFork(chat, moment);
    case 'cancel':
      return cancel(chat, moment);
    case 'delete-or-quit':
      return composerIsEmpty(chat) && chat.focus.kind === 'composer'
        ? quit(chat, moment)
        : only(plainEdit(chat, 'delete'));
    case 'unfold':
      return unfold(chat, moment);
    case 'transcript':
      return openTranscript(chat);
    case 'redraw':
      return only(chat, { type: 'Redraw' });
    case 'approval-mode': {
      const next = { ask: 'auto', auto: 'deny', deny: 'ask' } as const;
      return setApproval(chat, next[chat.view.approval], moment);
    }
    case 'use-local':
      return chooseLocal(chat, '', moment);
    case 'suspend':
      return only(chat, { type: 'Suspend' });
    default:
      return only(chat);
  }
}

/** Esc with nothing open: interrupts; idle and on nothing, twice: the choice of a Step to fork from. */
function leaveOrFork(chat: Chat, moment: Moment): Step {
  if (chat.focus.kind === 'word') return only(leaveWord(chat));
  if (chat.shell && !chat.shell.stopping) return stopShell(chat);
  const loop = activeLoop(chat.view);
  if (isAtWork(loop, moment.now)) return interrupt(chat, moment);
  // Who presses Esc to stop a Turn that has just ended by itself means the Turn.
  if (!composerIsEmpty(chat) || !loop || moment.now - loop.endedAt < JUST_ENDED_MS)
    return only({ ...chat, forkUntil: 0 });
  if (moment.now < chat.forkUntil) return openPicker({ ...chat, forkUntil: 0 }, 'steps');
  return only(
    noticed({ ...chat, forkUntil: moment.now + TWICE_MS }, 'Esc again: go on from an earlier step', moment.now),
  );
}
