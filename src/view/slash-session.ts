/** Slash commands that concern the session as a whole, and what is outside of it. */
import { ZERO_USAGE } from '../domain/content.ts';
import { type Chat, loopOf, type Moment, noticed, only, type Step } from './chat.ts';
import { command } from './commands.ts';
import { count, plural } from './context.ts';
import type { Errand } from './errand.ts';
import { chooseLocal } from './local-offer.ts';
import type { SlashName } from './slash-commands.ts';
import { readTokens } from './spending.ts';
import { type Run, refused, told, usage } from './told.ts';
import { openTranscript } from './transcript-overlay.ts';
import { codeBlocks } from './transcript-overlay-copy.ts';
import { copy } from './transcript-overlay-keys.ts';
import { openPicker, openSession } from './update-picker.ts';
import { changeActive } from './view-model.ts';

const errand = (chat: Chat, asked: Errand): Step => only(chat, { type: 'Errand', errand: asked });

export const SESSION_COMMANDS = {
  sessions: (chat) => openPicker(chat, 'sessions'),
  resume: (chat, argument, moment) =>
    argument === ''
      ? openPicker(chat, 'sessions')
      : openSession(chat, { kind: 'session', sessionId: argument }, moment),
  new: (chat, _argument, moment) => openSession(chat, { kind: 'new' }, moment),
  fork: (chat, argument, moment) => {
    if (argument === '') return openPicker(chat, 'steps');
    return /^\d+$/.test(argument)
      ? openSession(chat, { kind: 'fork', at: Number(argument) }, moment)
      : usage(chat, 'fork', moment);
  },
  rename: (chat, argument, moment) =>
    argument === ''
      ? usage(chat, 'rename', moment)
      : only(
          noticed(chat, `named "${argument}"`, moment.now),
          command(moment.id, { type: 'RenameSession', name: argument }),
        ),
  compact: (chat, _argument, moment) => {
    const loop = loopOf(chat);
    if (!loop) return only(chat);
    const settling = { since: moment.now, asked: true };
    const view = changeActive(chat.view, (one) => ({ ...one, settling }));
    const said = loop.turn ? noticed(chat, 'summarised when the turn is over', moment.now) : chat;
    return only({ ...said, view }, command(moment.id, { type: 'Compact', loopId: loop.loopId }));
  },
  transcript: (chat) => openTranscript(chat),
  use: (chat, argument, moment) => chooseLocal(chat, argument, moment),
  copy: (chat, argument, moment) => {
    const answer = loopOf(chat)?.transcript.answer;
    if (answer === undefined) return refused(chat, 'there is no answer to copy yet', moment);
    if (argument === '') return copy(chat, 'the last answer', answer, moment);
    const block = codeBlocks(answer).at(-1);
    if (argument !== 'code') return usage(chat, 'copy', moment);
    return block
      ? copy(chat, 'the last code block', block.code, moment)
      : refused(chat, 'there is no code block in the last answer', moment);
  },
  export: (chat, argument) => errand(chat, { type: 'Export', ...(argument !== '' && { file: argument }) }),
  processes: (chat, argument, moment) => {
    const [word = '', id = ''] = argument.split(/\s+/);
    if (word === '') return errand(chat, { type: 'ListProcesses' });
    return word === 'stop' && id !== '' ? errand(chat, { type: 'StopProcess', id }) : usage(chat, 'processes', moment);
  },
  context: (chat, _argument, moment) => {
    const loop = loopOf(chat);
    return loop
      ? errand(chat, { type: 'TellContext', loopId: loop.loopId })
      : refused(chat, 'there is no session yet', moment);
  },
  status: (chat, _argument, moment) => status(chat, moment),
} as const satisfies Partial<Record<SlashName, Run>>;

function status(chat: Chat, moment: Moment): Step {
  const loop = loopOf(chat);
  const spent = loop?.usage ?? ZERO_USAGE;
  const queue = loop?.queue;
  const lines = [
    `session ${[chat.view.sessionId, chat.view.name && `"${chat.view.name}"`].filter(Boolean).join(' ')} in ${chat.view.cwd || 'this folder'}`,
    `model ${loop?.model ?? chat.settings.label}${loop?.provider ? ` of ${loop.provider}` : ''}, approval ${chat.view.approval}`,
    `tokens ${count(readTokens(spent))} in, ${count(spent.outputTokens)} out`,
    queue && queue.rows.length > 0
      ? `${plural(queue.rows.length, 'input')} queued${queue.paused ? ', paused' : ''}`
      : 'nothing queued',
  ];
  const asked: Errand[] = loop ? [{ type: 'TellServer', provider: loop.provider, model: loop.model }] : [];
  return { ...told(chat, lines, moment.now), intents: asked.map((one) => ({ type: 'Errand', errand: one })) };
}
