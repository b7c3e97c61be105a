/** Searching the history: what is typed is looked for, the latest text that has it is shown. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, type Moment, only, type Step } from './chat.ts';
import { CALM } from './chat-state.ts';
import { editComposer } from './composer.ts';
import { searchMatch } from './history-search.ts';
import type { KeyAction } from './keymap.ts';
import { edited } from './update-composer.ts';

export const startSearch = (chat: Chat): Chat => ({ ...chat, focus: { kind: 'search', query: '', skip: 0 } });

export function searchKey(chat: Chat, action: KeyAction | undefined, input: KeyInput, _moment: Moment): Step {
  if (chat.focus.kind !== 'search') return only(chat);
  const { query, skip } = chat.focus;
  const back: Chat = { ...chat, focus: CALM };
  switch (action) {
    case 'interrupt':
    case 'cancel':
      return only(back);
    case 'send': {
      const text = searchMatch(chat);
      return only(text === undefined ? back : edited(back, editComposer(back.composer, { type: 'set', text })));
    }
    case 'search-history':
    case 'up':
    case 'older':
      return only({ ...chat, focus: { kind: 'search', query, skip: skip + 1 } });
    case 'down':
    case 'newer':
      return only({ ...chat, focus: { kind: 'search', query, skip: Math.max(0, skip - 1) } });
    case 'backspace':
      return only({ ...chat, focus: { kind: 'search', query: [...query].slice(0, -1).join(''), skip: 0 } });
    default:
      return only(
        input.text === undefined ? chat : { ...chat, focus: { kind: 'search', query: query + input.text, skip: 0 } },
      );
  }
}
