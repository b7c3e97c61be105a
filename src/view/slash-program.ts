/** Slash commands that concern the program itself: its settings, its health, what to say of it to others. */
import { only } from './chat.ts';
import { composerText } from './composer-state.ts';
import type { Errand } from './errand.ts';
import type { SlashName } from './slash-commands.ts';
import { type Run, usage } from './told.ts';
import { openSettings } from './update-settings.ts';

const asks = (chat: Parameters<Run>[0], errand: Errand) => only(chat, { type: 'Errand', errand });

export const PROGRAM_COMMANDS = {
  config: (chat, argument, moment) => {
    if (argument === '') return openSettings(chat);
    const [, verb, rest = ''] = /^(?:(set|get|unset)(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
    const [, key = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    if (key === '' || (verb === 'set' && text === '')) return usage(chat, 'config', moment);
    if (verb === 'unset') return asks(chat, { type: 'StoreSetting', key });
    return verb === 'get' || text === ''
      ? asks(chat, { type: 'TellSetting', key })
      : asks(chat, { type: 'StoreSetting', key, text });
  },
  history: (chat, argument) => only({ ...chat, focus: { kind: 'search', query: argument, skip: 0 } }),
  redraw: (chat) => only(chat, { type: 'Redraw' }),
  suspend: (chat) => only(chat, { type: 'Suspend' }),
  // on a key of its own it finds a draft: what the editor gives back stands in its place
  editor: (chat, argument) => only(chat, { type: 'EditOutside', text: argument || composerText(chat.composer) }),
  doctor: (chat) => asks(chat, { type: 'Examine' }),
  bug: (chat, argument, moment) =>
    argument === '' || argument === 'with-conversation'
      ? asks(chat, { type: 'ReportBug', conversation: argument !== '' })
      : usage(chat, 'bug', moment),
} as const satisfies Partial<Record<SlashName, Run>>;
