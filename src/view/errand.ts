/** What the chat asks of the world outside its session, as values; what comes of it is told by functions of the view. */
import type { LoopId, SessionId } from '../domain/identity.ts';
import type { Dropped } from './dropped-path.ts';

/** Which session is to stand in this terminal next. */
export type Opening =
  /** By its id, or how that begins. */
  | { kind: 'session'; sessionId: SessionId }
  | { kind: 'new' }
  /** Of the present session, up to that record; default: its last finished Step. */
  | { kind: 'fork'; at?: number };

export type Errand =
  | { type: 'ListSessions' }
  | { type: 'ListSteps' }
  /** What a provider's server offers; `model` is the one in use there. */
  | { type: 'ListModels'; provider: string; model?: string }
  | { type: 'ListProviders'; provider: string }
  /** A provider by its name alone: which model it begins with is not known here. */
  | { type: 'ChooseProvider'; provider: string }
  | { type: 'Open'; opening: Opening }
  /** The journal, from its beginning, into the transcript that is open. */
  | { type: 'ReadTranscript' }
  /** The session as Markdown, into a file of the workspace. */
  | { type: 'Export'; file?: string }
  | { type: 'ListProcesses' }
  | { type: 'StopProcess'; id: string }
  /** What the next request of the loop will hold. */
  | { type: 'TellContext'; loopId: LoopId }
  /** Whether a summary of that loop is being made, and when it is over. */
  | { type: 'FollowSummary'; loopId: LoopId }
  /** Where the requests for that model go. */
  | { type: 'TellServer'; provider: string; model: string }
  /** A command of the person's own; `StopShell` ends it. */
  | { type: 'RunShell'; id: string; command: string }
  | { type: 'StopShell' }
  /** The files of the workspace, for completion. */
  | { type: 'ListFiles' }
  /** All settings, into the list that is open. */
  | { type: 'ListSettings' }
  | { type: 'TellSetting'; key: string }
  /** Without a text it is set no longer. */
  | { type: 'StoreSetting'; key: string; text?: string }
  /** What is set and by whom, what is reachable, what is wrong. */
  | { type: 'Examine' }
  /** A file to send to those who make the program; `conversation`: with what was said. */
  | { type: 'ReportBug'; conversation: boolean }
  /** Which of the files that the draft names are images. */
  | { type: 'LookAtImages'; names: readonly string[] }
  /** Whether what was pasted are images that were dropped onto the terminal. */
  | { type: 'LookAtDropped'; dropped: Dropped }
  /** Into the terminal's clipboard. */
  | { type: 'Copy'; text: string };
