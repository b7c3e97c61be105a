/** What the chat asks of the world outside its session, carried out; the view is told what came of it. */
import type { ProcessEntry } from '../edge/process/processes.ts';
import type { Chat, Step } from '../view/chat.ts';
import { only } from '../view/chat.ts';
import { wholeSeconds } from '../view/context.ts';
import { tellContext } from '../view/context-lines.ts';
import type { Errand } from '../view/errand.ts';
import { summarised, summarising } from '../view/fold-summary.ts';
import { foundImages, lookedAt, nameDropped } from '../view/named-images.ts';
import { shellDone } from '../view/shell.ts';
import { refused, told } from '../view/told.ts';
import { fillPicker } from '../view/update-picker.ts';
import type { ChatParts } from './chat.ts';
import { blindModel } from './chat-attached.ts';
import { workspaceFiles } from './chat-files.ts';
import { droppedImages, lookAtImages } from './chat-images.ts';
import { sessionItems, stepItems } from './chat-lists.ts';
import { offerModels } from './chat-models.ts';
import type { ProgramErrand } from './chat-program.ts';
import type { PersonCommand } from './chat-shell.ts';
import type { Live } from './chat-stage.ts';
import { readTranscript } from './chat-transcript.ts';
import { copySequence } from './clipboard.ts';

export type Change = (step: (chat: Chat, now: number) => Step) => void;

/** Where errands are carried out: the parts of the chat and the session that it shows. */
export interface ErrandPlace {
  parts: ChatParts;
  live: Live | undefined;
  change: Change;
  /** The last journaled event that the chat was given. */
  folded(): number;
  shell: PersonCommand;
  /** To the terminal, past what is drawn. */
  write(text: string): void;
}

export type OutsideErrand = Exclude<Errand, { type: 'Open' }>;

type ErrandType = OutsideErrand['type'];
type Of<T extends ErrandType> = Extract<OutsideErrand, { type: T }>;
type CarryOut<E extends OutsideErrand> = (errand: E, place: ErrandPlace) => unknown;

/** Never rejects: what goes wrong is said in one line. */
export async function runErrand(errand: OutsideErrand, place: ErrandPlace): Promise<void> {
  try {
    await (CARRY_OUT[errand.type] as CarryOut<OutsideErrand>)(errand, place);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    place.change((chat, now) => refused(chat, why, { now }));
  }
}

const tell = ({ change }: ErrandPlace, words: readonly string[]): void => change((chat, now) => told(chat, words, now));

const models: CarryOut<Of<'ListModels' | 'ListProviders' | 'ChooseProvider'>> = (errand, { live, change, parts }) =>
  live && offerModels(errand, live.loaded, change, parts.newId);

const program: CarryOut<ProgramErrand> = async (errand, place) =>
  (await import('./chat-program.ts')).aboutProgram(errand, place);

const CARRY_OUT: { readonly [T in ErrandType]: CarryOut<Of<T>> } = {
  ListSessions: async (_, { parts, live, change }) => {
    const items = await sessionItems(parts.paths, parts.cwd, live?.session.id);
    change((chat) => only(fillPicker(chat, 'sessions', items)));
  },
  ListSteps: async (_, { live, change }) => {
    const items = live ? await stepItems(live.session) : [];
    change((chat) => only(fillPicker(chat, 'steps', items)));
  },
  ListModels: models,
  ListProviders: models,
  ChooseProvider: models,
  ReadTranscript: (_, { live, folded, change }) => live && readTranscript(live.session, folded, change),
  Export: async ({ file }, place) => {
    const { live, parts } = place;
    if (!live) return;
    const { exportSession } = await import('./chat-export.ts');
    tell(place, [`the session is in ${await exportSession(live, parts.cwd, file)}`]);
  },
  ListProcesses: (_, place) => {
    const lines = (place.live?.processes.list() ?? []).map(processLine);
    tell(place, lines.length > 0 ? [...lines, '/processes stop ID ends one'] : ['nothing runs beside the chat']);
  },
  StopProcess: async ({ id }, place) => {
    const stopped = await place.live?.processes.stop(id);
    tell(place, [stopped ? `${id} is stopped` : `there is no ${id} to stop`]);
  },
  TellContext: async ({ loopId }, { live, change }) => {
    const report = await live?.session.context(loopId);
    if (report) change((chat, now) => tellContext(chat, report, now));
  },
  FollowSummary: async ({ loopId }, { live, change }) => {
    const over = live?.session.compaction(loopId);
    if (!over) return;
    change((chat, now) => only(summarising(chat, loopId, now)));
    const why = await over;
    change((chat, now) => only(summarised(chat, loopId, why, now)));
  },
  TellServer: ({ provider, model }, place) => {
    const chosen = place.live?.loaded.choose({ provider, model });
    const url = chosen?.ok ? chosen.choice.baseUrl : undefined;
    tell(place, [`server ${url === undefined ? 'none: the demo model is built in' : hostOf(url)}`]);
  },
  RunShell: async ({ id, command }, { live, parts, shell, change }) => {
    if (!live) return;
    const result = await shell.run(command, live, parts);
    change((chat, now) => shellDone(chat, id, result, now));
  },
  StopShell: (_, { shell }) => shell.stop(),
  ListFiles: async (_, { parts, change }) => {
    const paths = await workspaceFiles(parts.cwd);
    change((chat) => only({ ...chat, files: { ...chat.files, paths } }));
  },
  ListSettings: program,
  TellSetting: program,
  StoreSetting: program,
  Examine: program,
  ReportBug: program,
  LookAtImages: async ({ names }, { parts, live, change }) => {
    const shown = await lookAtImages(names, parts.cwd, !blindModel(live));
    change((chat) => only(foundImages(chat, names, shown)));
  },
  LookAtDropped: async ({ dropped }, { parts, change }) => {
    const images = await droppedImages(dropped, parts.cwd);
    change((chat) => lookedAt(chat, only(nameDropped(chat, dropped, images))));
  },
  Copy: ({ text }, { write, parts }) => write(copySequence(text, parts.env)),
};

const processLine = ({ id, kind, seconds, command }: ProcessEntry): string =>
  `${id} ${kind}, ${wholeSeconds(seconds * 1000)}: ${command}`;

/** Without a path or a user, in which a secret could stand. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'of an address that cannot be read');
