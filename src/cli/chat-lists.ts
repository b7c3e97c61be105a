/** What a picker of the chat offers. */
import { homedir } from 'node:os';
import { textOf, toolUsesOf } from '../domain/content.ts';
import type { SessionId } from '../domain/identity.ts';
import type { StepDone } from '../domain/turn-event.ts';
import type { SessionFolders } from '../edge/journal/session-files.ts';
import { SessionStore } from '../edge/journal/session-store.ts';
import type { SessionSummary } from '../edge/journal/session-summary.ts';
import type { Session } from '../runtime/session.ts';
import { ownText } from '../view/attachment.ts';
import { bytes, plural } from '../view/context.ts';
import type { PickerItem } from '../view/picker.ts';

/** Sessions in which something was said, those of this folder first, then the last written. */
export async function sessionItems(folders: SessionFolders, cwd: string, open?: SessionId): Promise<PickerItem[]> {
  const { sessions } = await new SessionStore(folders).list();
  const said = sessions.filter(({ id, turns, firstWords }) => id === open || turns > 0 || firstWords !== '');
  const here = said.filter((session) => session.cwd === cwd);
  const elsewhere = said.filter((session) => session.cwd !== cwd);
  return [...here, ...elsewhere].map((session) => sessionItem(session, session.id === open));
}

function sessionItem(
  { id, name, firstWords, turns, cwd, size, lastWritten }: SessionSummary,
  open: boolean,
): PickerItem {
  const facts = [plural(turns, 'turn'), tilde(cwd), bytes(size)];
  const words = firstWords || '(nothing was said yet)';
  return {
    id,
    title: name === undefined ? words : `${name}: ${words}`,
    facts: open ? ['open here', ...facts] : facts,
    at: lastWritten,
  };
}

const tilde = (folder: string): string => {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
};

/** Only so many of the latest Steps are offered. */
const MOST_STEPS = 1000;
const WORDS = 300;

/** The committed Steps, the latest first. The last Step of a finished Turn stands for the Turn's end. */
export async function stepItems(session: Session): Promise<PickerItem[]> {
  let items: PickerItem[] = [];
  let asked = '';
  let turn = 0;
  let step = 0;
  let open = false;
  for await (const { event, journalSeq } of session.readEvents()) {
    if (event.type === 'TurnStarted') {
      [asked, turn, step, open] = [firstWords(ownText(event.message.blocks)), event.turnIndex, 0, false];
    } else if (event.type === 'TurnFoldedInto') asked = firstWords(ownText(event.message.blocks));
    else if (event.type === 'StepDone') {
      step += 1;
      open = true;
      const facts = [`turn ${turn}, step ${step}`, answerOf(event)];
      items.push({ id: String(journalSeq), title: asked || '(retry)', facts });
      if (items.length > 2 * MOST_STEPS) items = items.slice(-MOST_STEPS);
    } else if (event.type === 'TurnDone' && open) {
      const last = items.pop();
      if (last) items.push({ ...last, id: String(journalSeq) });
    }
  }
  return items.slice(-MOST_STEPS).reverse();
}

function answerOf({ messages: [message] }: StepDone): string {
  const said = firstWords(textOf(message));
  const calls = toolUsesOf(message).map(({ name }) => name);
  return [said, calls.length > 0 ? `calls ${calls.join(', ')}` : ''].filter(Boolean).join(' ') || '(no text)';
}

const firstWords = (text: string): string => text.slice(0, WORDS).replace(/\s+/g, ' ').trim();
