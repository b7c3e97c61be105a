/** One session as it comes onto the screen: what was said last, what waits, the draft that was not sent. */
import { DraftFile } from '../edge/journal/draft-file.ts';
import { draftPath } from '../edge/journal/session-files.ts';
import type { ModelChoice } from '../edge/settings/endpoint.ts';
import type { Subscription } from '../runtime/session.ts';
import { ownText } from '../view/attachment.ts';
import { type Chat, newChat } from '../view/chat.ts';
import { type ChatSettings, contextOf } from '../view/chat-state.ts';
import { editComposer } from '../view/composer.ts';
import { gutter, hanging, muted, plural, span } from '../view/context.ts';
import { foldDelivery, foldSnapshot } from '../view/fold.ts';
import { newPicker, type PickerItem } from '../view/picker.ts';
import { withLoops, withQueues } from '../view/resumed.ts';
import { sanitizeLine } from '../view/sanitize.ts';
import type { ScreenSize } from '../view/screen-gate.ts';
import type { Line, SemanticColor } from '../view/style.ts';
import { activeLoop } from '../view/view-model.ts';
import { OfferFile } from './chat-offers.ts';
import type { TailWatch } from './chat-tail.ts';
import type { OpenedSession } from './open-session.ts';

/** Lines of an earlier conversation that are printed again. */
const EARLIER_LINES = 200;
export const EVENTS = { enduring: 'all', ephemeral: 'all' } as const;

export interface Stage {
  chat: Chat;
  /** The first lines of the screen. */
  above: readonly Line[];
  /** The last journaled event that `chat` has folded. */
  lastSeq: number;
  /** Absent while a session is only being chosen. */
  live?: Live;
}
export interface Live extends OpenedSession {
  subscription: Subscription;
  draft: DraftFile;
  offers: OfferFile;
}

/** How the chat looks, whatever session it shows. */
export interface Face {
  settings: ChatSettings;
  size: ScreenSize;
  history: readonly string[];
}

/** Nothing but the choice of a session. */
export function pickingStage({ settings, size, history }: Face, items: readonly PickerItem[]): Stage {
  const chat = { ...newChat(settings, size, history), overlay: { ...newPicker('sessions', true), items } };
  return { chat, above: [], lastSeq: 0 };
}

/** A session that begins here. `words`: its first lines. */
export async function newStage(opened: OpenedSession, face: Face, words: readonly string[]): Promise<Stage> {
  const { session } = opened;
  const subscription = session.subscribeEvents(EVENTS);
  void session.begin();
  const chat = foldSnapshot(newChat(face.settings, face.size, face.history), session.snapshot());
  const files = filesOf(opened);
  return { chat, above: worded(words, chat), lastSeq: 0, live: { ...opened, ...files, subscription } };
}

/** A session with a history: its last turns are drawn, what it was left with is offered. */
export async function resumedStage(
  opened: OpenedSession,
  seen: TailWatch,
  how: { forked: boolean; words: readonly string[]; cwd: string },
  face: Face,
): Promise<Stage> {
  const { session } = opened;
  const subscription = session.subscribeEvents(EVENTS);
  await session.begin();
  let chat = withLoops(newChat(face.settings, face.size, face.history), session.snapshot());
  chat = { ...chat, view: { ...chat.view, cwd: seen.cwd } };
  const earlier: Line[] = [];
  let lastSeq = 0;
  let at = 0;
  for await (const { event, journalSeq } of session.readEvents({ after: seen.after })) {
    const dated = Date.parse(event.createdAt);
    // a Turn that was left open ended with its last sign of life, not as it was closed
    const closed = event.type === 'TurnInterrupted' && (chat.view.restoring || dated >= seen.since);
    if (!closed && event.type !== 'RestoreStarted') at = dated;
    const step = foldDelivery(chat, { event, journalSeq }, at);
    chat = step.chat;
    lastSeq = journalSeq;
    for (const line of step.print) earlier.push(line);
  }
  const { draft, offers } = filesOf(opened);
  const returned = seen.offered(await offers.load());
  chat = withQueues(chat, session.snapshot(), { returned, usage: seen.usage, spent: seen.spent });
  const kept = withDraft(chat, await draft.load(), seen.lastText);
  const above = [
    ...worded([...how.words, how.forked ? forkedFrom(seen) : goingOn(opened, seen, how.cwd, chat)], chat),
    ...tailOf(earlier, seen, chat),
    ...worded(demoWords(opened, seen, chat), chat, 'warning'),
    ...worded(kept === chat ? [] : ['the draft that was not sent is in the composer'], chat),
  ];
  return { chat: kept, above, lastSeq, live: { ...opened, subscription, draft, offers } };
}

/** What is kept beside the journal. */
function filesOf({ session, loaded }: OpenedSession): { draft: DraftFile; offers: OfferFile } {
  const path = draftPath(loaded.paths, session.id);
  return { draft: new DraftFile(path), offers: new OfferFile(path) };
}

const forkedFrom = ({ forkedFrom: source }: TailWatch): string =>
  `a fork of session ${source?.sessionId} from record ${source?.at}; that one stays as it is`;

function goingOn({ session }: OpenedSession, { turns, cwd }: TailWatch, here: string, chat: Chat): string {
  const { name } = session.snapshot();
  const model = activeLoop(chat.view)?.model;
  const facts = [
    plural(turns, 'turn'),
    cwd === here ? `begun in ${cwd}` : `begun in ${cwd}, now at work in ${here}`,
    ...(model ? [`model ${model}`] : []),
  ];
  return `session ${name === undefined ? session.id : `"${name}"`}: ${facts.join(', ')}`;
}

function tailOf(earlier: readonly Line[], { turnsBefore }: TailWatch, chat: Chat): Line[] {
  const cut = earlier.length - EARLIER_LINES;
  if (turnsBefore === 0 && cut <= 0) return [...earlier];
  const before = turnsBefore > 0 ? plural(turnsBefore, 'earlier turn') : plural(cut, 'earlier line');
  const { signs } = contextOf(chat, 0);
  return [...worded([`${signs.ellipsis} ${before}: Ctrl+T shows all`], chat), ...earlier.slice(-EARLIER_LINES)];
}

/** Not where it was sent after all: the program ended before it could be taken away. */
function withDraft(chat: Chat, text: string, lastText: string): Chat {
  const queued = chat.view.loops.flatMap(({ queue }) => [...queue.rows, ...queue.returned]);
  if (text === '' || text === lastText || queued.some((row) => ownText(row.blocks) === text)) return chat;
  return { ...chat, composer: editComposer(chat.composer, { type: 'set', text }) };
}

const worded = (words: readonly string[], chat: Chat, color: SemanticColor = 'muted'): Line[] => {
  const ctx = contextOf(chat, 0);
  return words.flatMap((text) => hanging(muted(gutter(ctx)), [span(sanitizeLine(text, ctx), { color })], ctx.width));
};

/** A conversation with a real model, and nothing is set up that reaches it: nobody shall ask the demo by mistake. */
function demoWords({ loaded }: OpenedSession, { realModel }: TailWatch, chat: Chat): string[] {
  if (loaded.configured || realModel === '' || activeLoop(chat.view)?.provider !== 'demo') return [];
  return [
    `nothing is set up that reaches ${realModel}: the demo model would answer now, and it understands nothing`,
    'leave, and start with -c and the same options or key as before; or choose who answers with /provider',
  ];
}

/** How this session is found again from `here`, with its model; nothing where nothing was said in it. */
export function lastWords({ lastSeq, live }: Stage, { view }: Chat, here: string): string {
  const said = lastSeq > 0 || view.loops.some((loop) => loop.endedAt > 0);
  if (!said) return '';
  // what begins elsewhere is not found by its folder
  const how = view.cwd === here ? '-c' : `-r ${live?.session.id}`;
  return `${['harness-chat', how, ...modelOptions(live?.loaded.choice, activeLoop(view))].join(' ')} goes on with this session\n`;
}

/** What the command line said of the model and no other place knows. Another one, chosen since, is in the journal. */
function modelOptions(
  choice: ModelChoice | undefined,
  loop: { provider: string; model: string } | undefined,
): string[] {
  if (!choice || !loop || loop.provider !== choice.provider) return [];
  const { provider, model, baseUrl } = choice.origins;
  const given = (origin: { from: string } | undefined): boolean => origin?.from === 'option';
  if (!given(baseUrl) && !given(provider)) return [];
  // a key may stand in the query of an address
  if (given(baseUrl) && choice.baseUrl?.includes('?')) return [];
  const words: string[] = [];
  if (given(provider)) words.push('-p', choice.provider);
  if (given(baseUrl) && choice.baseUrl !== undefined) words.push('--base-url', choice.baseUrl);
  if (given(model)) words.push('--model', loop.model);
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
}
