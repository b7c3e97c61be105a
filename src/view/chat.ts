/** The chat as one value: what it shows, and where the keys go. Every change is a function from one Chat to the next. */
import type { InputBlock } from '../domain/content.ts';
import type { CommandId } from '../domain/identity.ts';
import {
  CALM,
  type ChatSettings,
  contextOf,
  type Focus,
  type NamedImages,
  NO_IMAGES,
  type Notice,
  type Overlay,
  openGate,
} from './chat-state.ts';
import { completions } from './completion.ts';
import { type ComposerState, emptyComposer, isEmpty } from './composer-state.ts';
import type { Intent } from './intent.ts';
import type { LocalOffer } from './local-offer.ts';
import type { LoopView } from './loop-view.ts';
import type { ScreenSize } from './screen-gate.ts';
import type { PersonShell } from './shell.ts';
import type { Line } from './style.ts';
import { activeLoop, EMPTY_VIEW, type ViewState } from './view-model.ts';

export interface Chat {
  view: ViewState;
  composer: ComposerState;
  /** Texts sent or put away before, the latest last. */
  history: readonly string[];
  focus: Focus;
  overlay: Overlay | undefined;
  notice: Notice | undefined;
  /** Whether the terminal is the one that is looked at; undefined until it tells. */
  focused: boolean | undefined;
  /** The person was called and is not here yet. */
  called: boolean;
  size: ScreenSize;
  settings: ChatSettings;
  /** A command of the person's own that runs. */
  shell: PersonShell | undefined;
  /** A model server that was found on this machine. */
  local: LocalOffer | undefined;
  /** What such commands printed: it goes before the next input. */
  outputs: readonly InputBlock[];
  /** Of the workspace, for completion; when they were last looked for (ms). */
  files: { paths: readonly string[]; askedAt: number };
  /** That the draft names. */
  images: NamedImages;
  /** The list of offers: which is chosen, and for which line it was closed. */
  completion: { index: number; closedFor: string | undefined };
  /** A first press of quit, which waits for the second until then (ms). */
  quitUntil: number;
  /** A first Ctrl+D or /quit with work at hand. */
  leaveUntil: number;
  /** A first Esc on nothing, which waits for the second until then (ms). */
  forkUntil: number;
}

export const newChat = (settings: ChatSettings, size: ScreenSize, history: readonly string[] = []): Chat => ({
  view: EMPTY_VIEW,
  composer: emptyComposer,
  history,
  focus: CALM,
  overlay: undefined,
  notice: undefined,
  focused: undefined,
  called: false,
  size,
  settings,
  shell: undefined,
  local: undefined,
  outputs: [],
  files: { paths: [], askedAt: Number.NEGATIVE_INFINITY },
  images: NO_IMAGES,
  completion: { index: 0, closedFor: undefined },
  quitUntil: 0,
  leaveUntil: 0,
  forkUntil: 0,
});

/** What an action does: the next value, what is to be carried out, what is printed above. */
export interface Step {
  chat: Chat;
  intents: Intent[];
  print: Line[];
}

export const only = (chat: Chat, ...intents: Intent[]): Step => ({ chat, intents, print: [] });

export interface Moment {
  now: number;
  /** A fresh id for the commands that come of it. */
  id: CommandId;
}

export const NOTICE_MS = 6000;

export const noticed = (chat: Chat, text: string, now: number, tone: Notice['tone'] = 'plain'): Chat => ({
  ...chat,
  notice: { text, tone, until: now + NOTICE_MS },
});

export const loopOf = (chat: Chat): LoopView | undefined => activeLoop(chat.view);
export const composerIsEmpty = (chat: Chat): boolean => isEmpty(chat.composer);

/** The prompt's sign and a space. */
export const LEAD = 2;
/** Cells for the text of the draft: the keys ↑ and ↓ go by the same rows as the picture. */
export const composerWidth = (columns: number): number => Math.max(2, columns - 1 - LEAD);

export { completions, contextOf, openGate };
