/** Keys of the composer: what is sent, held, completed, edited. */

import { mentionsIn, withoutDoubleSigns } from './attachment.ts';
import {
  type Chat,
  completions,
  composerIsEmpty,
  composerWidth,
  loopOf,
  type Moment,
  noticed,
  only,
  type Step,
} from './chat.ts';
import { openGate } from './chat-state.ts';
import { goOn, submit, textBlocks } from './commands.ts';
import { completionLine } from './completion.ts';
import { composerText, editComposer, type PlainEdit, pressEnter } from './composer.ts';
import { isAtWork } from './loop-view.ts';
import { withoutSecret } from './secret-setting.ts';
import { runShell } from './shell.ts';
import { type Parsed, parseDraft } from './slash-commands.ts';
import { giveWord, leaveWord } from './update-gate.ts';
import { enterQueue } from './update-queue.ts';
import { runSlash } from './update-slash.ts';

export const edited = (chat: Chat, composer: Chat['composer']): Chat => {
  if (composer === chat.composer) return chat;
  const next = { ...chat, composer };
  const same = completionLine(next) === completionLine(chat);
  return { ...next, completion: same ? chat.completion : { index: 0, closedFor: undefined } };
};

export const plainEdit = (chat: Chat, type: PlainEdit): Chat => edited(chat, editComposer(chat.composer, { type }));

export const insert = (chat: Chat, text: string): Chat =>
  edited(chat, editComposer(chat.composer, { type: 'insert', text }));

export const paste = (chat: Chat, text: string): Chat =>
  edited(chat, editComposer(chat.composer, { type: 'paste', text }));

/** Enter: sends, queues while busy, goes on where nothing is written. */
export function send(chat: Chat, moment: Moment): Step {
  const pressed = pressEnter(chat.composer);
  if (pressed.kind === 'newline') return only(edited(chat, pressed.state));
  if (chat.focus.kind === 'word') return sendWord(chat, pressed.text, moment);
  if (composerIsEmpty(chat)) return goOn(chat, moment);
  const list = completions(chat);
  const typed = parseDraft(pressed.text);
  const chosen = list[0]?.kind === 'file' && chat.completion.index > 0;
  if (list.length > 0 && (typed.kind === 'unknown' || chosen)) return only(takeCompletion(chat));
  return sendText(chat, pressed.text, false, moment);
}

function sendWord(chat: Chat, text: string, moment: Moment): Step {
  const gate = openGate(chat.view);
  const waiting = chat.focus.kind === 'word' && gate?.toolExecutionId === chat.focus.toolExecutionId;
  return waiting ? giveWord(chat, gate, text, moment) : only(leaveWord(chat));
}

/** Tab, where no completion is open: with text while busy or paused, queues for a Turn of its own; else nothing. */
export function tab(chat: Chat, moment: Moment): Step {
  if (chat.focus.kind === 'word') return only(chat);
  const loop = loopOf(chat);
  if (composerIsEmpty(chat) || !(isAtWork(loop, moment.now) || loop?.queue.paused)) return only(chat);
  return sendText(chat, composerText(chat.composer), true, moment);
}

function sendText(chat: Chat, text: string, noFold: boolean, moment: Moment): Step {
  const parsed = parseDraft(text);
  if (parsed.kind === 'unknown') {
    const near = parsed.near === undefined ? '/help lists all.' : `did you mean /${parsed.near}?`;
    return only(
      noticed(chat, `no command /${parsed.name}; ${near} A leading space sends it as text.`, moment.now, 'warning'),
    );
  }
  if (parsed.kind === 'text' && parsed.text.trim() === '')
    return only(noticed(chat, 'only white space: nothing was sent', moment.now));
  const kept = withoutSecret(text);
  const remembered = { ...plainEdit(chat, 'sent'), history: [...chat.history, kept] };
  const step = carriedOut(remembered, parsed, noFold, moment);
  return { ...step, intents: [{ type: 'Remember', text: kept }, ...step.intents] };
}

function carriedOut(chat: Chat, parsed: Exclude<Parsed, { kind: 'unknown' }>, noFold: boolean, moment: Moment): Step {
  switch (parsed.kind) {
    case 'command':
      return runSlash(chat, parsed.name, parsed.argument, moment);
    case 'shell':
      return runShell(chat, parsed.command, moment);
    case 'text':
      return submitText(chat, parsed.text, noFold, moment);
  }
}

/** What the person wrote, behind the output of commands of their own, with the files that it names. */
function submitText(chat: Chat, text: string, noFold: boolean, { id }: Moment): Step {
  const blocks = [...chat.outputs, ...textBlocks(withoutDoubleSigns(text))];
  return submit({ ...chat, outputs: [] }, blocks, noFold, id, mentionsIn(text));
}

export function takeCompletion(chat: Chat): Chat {
  const list = completions(chat);
  const chosen = list[Math.min(chat.completion.index, list.length - 1)];
  if (!chosen) return chat;
  const { from, text } = chosen;
  const next = { ...chat, composer: editComposer(chat.composer, { type: 'complete', from, text }) };
  return { ...next, completion: { index: 0, closedFor: completionLine(next) } };
}

export function up(chat: Chat): Chat {
  if (composerIsEmpty(chat) && chat.focus.kind === 'composer' && !isWalking(chat)) {
    const entered = enterQueue(chat);
    if (entered !== chat) return entered;
  }
  const width = composerWidth(chat.size.columns);
  return edited(
    chat,
    editComposer(chat.composer, { type: 'up', width, history: chat.focus.kind === 'word' ? [] : chat.history }),
  );
}

export function down(chat: Chat): Chat {
  return edited(chat, editComposer(chat.composer, { type: 'down', width: composerWidth(chat.size.columns) }));
}

const isWalking = (chat: Chat): boolean =>
  chat.composer.browsing !== undefined && chat.composer.browsing.index < chat.composer.browsing.items.length;

export function chooseCompletion(chat: Chat, step: 1 | -1): Chat {
  const size = completions(chat).length;
  const index = (Math.min(chat.completion.index, size - 1) + step + size) % size;
  return { ...chat, completion: { ...chat.completion, index } };
}

/** What the person's editor gave back. */
export const takeEdited = (chat: Chat, text: string): Chat =>
  edited(chat, editComposer(chat.composer, { type: 'set', text: text.replace(/\n$/, '') }));
