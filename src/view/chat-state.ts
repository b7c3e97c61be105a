/** All that the chat shows and where the keys go: the view of the session, the composer, what is open above it. */
import type { CommandId, ToolExecutionId } from '../domain/identity.ts';
import type { Calling } from './attention.ts';
import { signsFor, type ViewContext } from './context.ts';
import type { GateView } from './gate.ts';
import type { Highlighter } from './highlight.ts';
import type { Keymap } from './keymap.ts';
import type { ThemeName } from './palette.ts';
import type { Picker } from './picker.ts';
import type { ScreenSize } from './screen-gate.ts';
import type { SettingsOverlay } from './settings-overlay.ts';
import type { ModelFacts } from './spending.ts';
import { SPOKEN_WIDTH } from './spoken.ts';
import type { StatusPart } from './status-bar.ts';
import type { Look } from './theme.ts';
import type { TranscriptOverlay } from './transcript-overlay.ts';
import { activeLoop, type ViewState } from './view-model.ts';

/** Where a key goes when nothing is open above. */
export type Focus =
  | { kind: 'composer' }
  | { kind: 'queue'; commandId: CommandId }
  /** The composer writes the word that goes with an answer to a gate. */
  | { kind: 'word'; toolExecutionId: ToolExecutionId; purpose: 'reason' | 'answer' }
  /** The history is searched: the `skip`th match of the query, the latest first. */
  | { kind: 'search'; query: string; skip: number };

export type Overlay =
  | Picker
  | TranscriptOverlay
  | SettingsOverlay
  | { kind: 'help'; top: number }
  | { kind: 'request'; toolExecutionId: ToolExecutionId; top: number; seen: boolean };

export interface Notice {
  text: string;
  /** Gone after this (ms). */
  until: number;
  tone: 'plain' | 'warning' | 'error';
}

export interface ChatSettings {
  /** What is painted: `look` makes it. */
  theme: ThemeName;
  look: Look;
  ascii: boolean;
  /** A sign turns while the model is waited for. */
  spinner?: boolean;
  /** Which model answers, as the banner says it. */
  label: string;
  /** Draw hyperlinks in what is printed. */
  links: boolean;
  keymap: Keymap;
  /** For a screen reader: nothing is drawn again, each thing that happens is one line. */
  spoken?: boolean;
  calling: Calling;
  /** On the built-in demo model: how to set a real one. */
  demo: boolean;
  /** What the line below the composer tells; absent: all of it. */
  statusBar?: readonly StatusPart[];
  /** What the configuration knows of a model; asked at every frame. */
  factsOf?: (provider: string, model: string) => ModelFacts;
  /** Colours for code, once they are loaded; what was printed before stays as it is. */
  highlight?: Highlighter;
}

/** What the draft names, looked at while it is written. */
export interface NamedImages {
  names: readonly string[];
  /** As in `image photo.png 640×480, 120 kB`: of those that are images. */
  shown: readonly string[];
}
export const NO_IMAGES: NamedImages = { names: [], shown: [] };

export const CALM: Focus = { kind: 'composer' };

export const contextOf = (chat: { size: ScreenSize; settings: ChatSettings }, now: number): ViewContext => ({
  now,
  width: chat.settings.spoken ? SPOKEN_WIDTH : Math.max(1, chat.size.columns - 1),
  signs: signsFor(chat.settings.ascii, chat.settings.spoken),
  ...(chat.settings.spoken && { spoken: true }),
  ascii: chat.settings.ascii,
  spinner: chat.settings.spinner,
  highlight: chat.settings.highlight,
});

/** The question that is open now: the first of the active loop. */
export const openGate = (view: ViewState): GateView | undefined =>
  activeLoop(view)?.gates.find((gate) => !gate.answered);
