/**
 * Every key of the chat, listed once: what it is called in the configuration, where it counts, which keys have it by
 * default, what it does (contract: keys of the chat). Help, hints and the check for conflicts are made from this table.
 *
 * Names of editing actions are those of the composer's edits. The first key of a row is the one that hints name, so it is
 * one that every terminal can send.
 */
import { SLASH_COMMANDS, type SlashName } from './slash-commands.ts';

export type KeyContext = 'composer' | 'completion' | 'queue' | 'gate' | 'overlay' | 'anywhere';

export interface KeyBinding {
  readonly action: string;
  readonly context: KeyContext;
  readonly keys: readonly string[];
  readonly help: string;
  /** The action of `anywhere` whose key this one may share: it goes first while its context is open. */
  readonly before?: string;
}

function row<const A extends string>(context: KeyContext, action: A, keys: string, help: string, before?: string) {
  return { action, context, keys: keys.split(' ').filter(Boolean), help, ...(before === undefined ? {} : { before }) };
}

export const keyBindings = [
  row('composer', 'send', 'enter', 'send; while a turn runs: queue, to be folded; on nothing: let the queue go on'),
  row('composer', 'hold', 'tab', 'queue for a turn of its own, while busy or paused'),
  row('composer', 'newline', 'ctrl+j alt+enter shift+enter ctrl+enter', 'new line'),
  row('composer', 'up', 'up', 'up; from the first row the history, on nothing the queue'),
  row('composer', 'down', 'down', 'down; from the last row newer entries of the history'),
  row('composer', 'enter-queue', 'alt+up', 'into the queue'),
  row('composer', 'older', 'ctrl+p', 'older entry of the history'),
  row('composer', 'newer', 'ctrl+n', 'newer entry of the history'),
  row('composer', 'search-history', 'ctrl+r', 'search the history'),
  row('composer', 'edit-outside', 'ctrl+g', 'write the text in $EDITOR'),
  row('composer', 'left', 'left ctrl+b', 'left'),
  row('composer', 'right', 'right ctrl+f', 'right'),
  row('composer', 'word-left', 'alt+b ctrl+left alt+left', 'a word left'),
  row('composer', 'word-right', 'alt+f ctrl+right alt+right', 'a word right'),
  row('composer', 'line-start', 'ctrl+a home', 'start of the line'),
  row('composer', 'line-end', 'ctrl+e end', 'end of the line'),
  row('composer', 'text-start', 'ctrl+home alt+<', 'start of the text'),
  row('composer', 'text-end', 'ctrl+end alt+>', 'end of the text'),
  row('composer', 'backspace', 'backspace shift+backspace', 'erase to the left'),
  row('composer', 'delete', 'delete shift+delete', 'erase to the right'),
  row('composer', 'kill-word-left', 'alt+backspace ctrl+backspace', 'cut a word to the left'),
  row('composer', 'kill-blank-left', 'ctrl+w', 'cut to the left up to a blank'),
  row('composer', 'kill-word-right', 'alt+d ctrl+delete alt+delete', 'cut a word to the right'),
  row('composer', 'kill-to-start', 'ctrl+u', 'cut to the start of the line'),
  row('composer', 'kill-to-end', 'ctrl+k', 'cut to the end of the line'),
  row('composer', 'yank', 'ctrl+y', 'put back what was cut'),
  row('composer', 'yank-earlier', 'alt+y', 'after that: what was cut before it'),
  row('composer', 'undo', 'ctrl+_', 'undo'),
  row('composer', 'redo', 'alt+u ctrl+shift+z', 'redo'),
  row('composer', 'help', '?', 'on nothing: the keys'),

  row('completion', 'completion-take', 'tab', 'take the completion'),
  row('completion', 'completion-previous', 'up ctrl+p', 'the one above'),
  row('completion', 'completion-next', 'down ctrl+n', 'the one below'),
  row('completion', 'completion-close', 'escape', 'close the list', 'interrupt'),

  row('queue', 'queue-previous', 'up', 'the row above'),
  row('queue', 'queue-next', 'down', 'the row below'),
  row('queue', 'queue-retract', 'd delete backspace', 'retract; a returned one: drop'),
  row('queue', 'queue-retract-all', 'D', 'retract all'),
  row('queue', 'queue-edit', 'e enter', 'edit: retract into the composer'),
  row('queue', 'queue-hold', 't', 'fold, or wait for the next turn'),
  row('queue', 'queue-send-now', 'ctrl+s', 'interrupt, and start with this one'),
  row('queue', 'queue-move-up', 'alt+up', 'move up'),
  row('queue', 'queue-move-down', 'alt+down', 'move down'),
  row('queue', 'queue-back', 'escape', 'back to the composer', 'interrupt'),

  row('gate', 'gate-1', '1', 'the first answer'),
  row('gate', 'gate-2', '2', 'the second'),
  row('gate', 'gate-3', '3', 'the third'),
  row('gate', 'gate-4', '4', 'the fourth'),
  row('gate', 'gate-5', '5', 'the fifth'),
  row('gate', 'gate-6', '6', 'the sixth'),
  row('gate', 'gate-7', '7', 'the seventh'),
  row('gate', 'gate-8', '8', 'the eighth'),
  row('gate', 'gate-9', '9', 'the ninth'),
  row('gate', 'gate-previous', 'up', 'mark the answer above'),
  row('gate', 'gate-next', 'down', 'mark the answer below'),
  row('gate', 'gate-choose', 'enter', 'give the marked answer'),

  row('overlay', 'overlay-up', 'up', 'up'),
  row('overlay', 'overlay-down', 'down', 'down'),
  row('overlay', 'overlay-page-up', 'pageup ctrl+b', 'a page up'),
  row('overlay', 'overlay-page-down', 'pagedown ctrl+f', 'a page down'),
  row('overlay', 'overlay-start', 'home', 'to the start'),
  row('overlay', 'overlay-end', 'end', 'to the end'),
  row('overlay', 'overlay-choose', 'enter', 'choose'),
  row('overlay', 'overlay-search', '/', 'transcript: search'),
  row('overlay', 'overlay-next', 'n', 'transcript: the next match'),
  row('overlay', 'overlay-earlier', 'N', 'transcript: the match before'),
  row('overlay', 'overlay-turn-back', '[ ctrl+up', 'transcript: the turn before'),
  row('overlay', 'overlay-turn-next', '] ctrl+down', 'transcript: the next turn'),
  row('overlay', 'overlay-raw', 'r', 'transcript: answers as they were written'),
  row('overlay', 'overlay-copy', 'c', 'transcript: copy the answer'),
  row('overlay', 'overlay-copy-code', 'C', 'transcript: copy a code block'),
  row('overlay', 'overlay-close', 'escape', 'close', 'interrupt'),

  row('anywhere', 'interrupt', 'escape', 'interrupt the turn; idle, on nothing, twice: fork from a step'),
  row('anywhere', 'cancel', 'ctrl+c', 'close; else put the draft into the history; else interrupt; else, twice, quit'),
  row('anywhere', 'delete-or-quit', 'ctrl+d', 'erase to the right; on nothing: quit'),
  row('anywhere', 'unfold', 'ctrl+o', 'unfold tool output'),
  row('anywhere', 'transcript', 'ctrl+t', 'the transcript'),
  row('anywhere', 'redraw', 'ctrl+l', 'draw the screen anew'),
  row('anywhere', 'approval-mode', 'shift+tab', 'approval mode: ask, auto, deny'),
  row('anywhere', 'use-local', 'alt+m', 'use the model server that was found on this machine'),
  row('anywhere', 'suspend', 'ctrl+z', 'suspend'),
] as const satisfies readonly KeyBinding[];

/** Every slash command without its words: it has no key of its own, and can be given one. */
export type CommandAction = `/${SlashName}`;
export const commandBindings = SLASH_COMMANDS.map(({ name, help }) => ({
  action: `/${name}` as const,
  context: 'anywhere' as const,
  keys: [],
  help,
})) satisfies readonly (KeyBinding & { action: CommandAction })[];

export type KeyAction = (typeof keyBindings)[number]['action'] | CommandAction;
