/** What the chat asks of the world outside its session, carried out; the view is told what came of it. */
import type { ProcessEntry } from '../edge/process/processes.ts';
import type { Chat, Step } from '../view/chat.ts';
import { only } from '../view/chat.ts';
import { wholeSeconds } from '../view/context.ts';
import { tellContext } from '../view/context-lines.ts';
import type { Errand } from '../view/errand.ts';
import { summarised, summarising } from '../view/fold-summary.ts';
import { shellDone } from '../view/shell.ts';
import { refused, told } from '../view/told.ts';
import { fillPicker } from '../view/update-picker.ts';
import type { ChatParts } from './chat.ts';
import { exportSession } from './chat-export.ts';
import { workspaceFiles } from './chat-files.ts';
import { sessionItems, stepItems } from './chat-lists.ts';
import { offerModels } from './chat-models.ts';
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

/** Never rejects: what goes wrong is said in one line. */
export async function runErrand(errand: OutsideErrand, place: ErrandPlace): Promise<void> {
  try {
    await carryOut(errand, place);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    place.change((chat, now) => refused(chat, why, { now }));
  }
}

async function carryOut(errand: OutsideErrand, place: ErrandPlace): Promise<void> {
  const { parts, live, change, folded, shell, write } = place;
  switch (errand.type) {
    case 'ListSessions': {
      const items = await sessionItems(parts.paths, parts.cwd, live?.session.id);
      return change((chat) => only(fillPicker(chat, 'sessions', items)));
    }
    case 'ListSteps': {
      const items = live ? await stepItems(live.session) : [];
      return change((chat) => only(fillPicker(chat, 'steps', items)));
    }
    case 'ListModels':
    case 'ListProviders':
    case 'ChooseProvider':
      return live && offerModels(errand, live.loaded, change, parts.newId);
    case 'ReadTranscript':
      return live && readTranscript(live.session, folded, change);
    case 'Export': {
      if (!live) return;
      const path = await exportSession(live, parts.cwd, errand.file);
      return change((chat, now) => told(chat, [`the session is in ${path}`], now));
    }
    case 'ListProcesses': {
      const lines = (live?.processes.list() ?? []).map(processLine);
      const words = lines.length > 0 ? [...lines, '/processes stop ID ends one'] : ['nothing runs beside the chat'];
      return change((chat, now) => told(chat, words, now));
    }
    case 'StopProcess': {
      const stopped = await live?.processes.stop(errand.id);
      return change((chat, now) =>
        told(chat, [stopped ? `${errand.id} is stopped` : `there is no ${errand.id} to stop`], now),
      );
    }
    case 'TellContext': {
      const report = await live?.session.context(errand.loopId);
      return report && change((chat, now) => tellContext(chat, report, now));
    }
    case 'FollowSummary': {
      const over = live?.session.compaction(errand.loopId);
      if (!over) return;
      change((chat, now) => only(summarising(chat, errand.loopId, now)));
      const why = await over;
      return change((chat, now) => only(summarised(chat, errand.loopId, why, now)));
    }
    case 'TellServer': {
      const { provider, model } = errand;
      const chosen = live?.loaded.choose({ provider, model });
      const url = chosen?.ok ? chosen.choice.baseUrl : undefined;
      const words = `server ${url === undefined ? 'none: the demo model is built in' : hostOf(url)}`;
      return change((chat, now) => told(chat, [words], now));
    }
    case 'RunShell': {
      if (!live) return;
      const result = await shell.run(errand.command, live, parts);
      return change((chat, now) => shellDone(chat, errand.id, result, now));
    }
    case 'StopShell':
      return shell.stop();
    case 'ListFiles': {
      const paths = await workspaceFiles(parts.cwd);
      return change((chat) => only({ ...chat, files: { ...chat.files, paths } }));
    }
    case 'ListSettings':
    case 'TellSetting':
    case 'StoreSetting':
    case 'Examine':
    case 'ReportBug': {
      const { aboutProgram } = await import('./chat-program.ts');
      return aboutProgram(errand, place);
    }
    case 'Copy':
      return write(copySequence(errand.text, parts.env));
  }
}

const processLine = ({ id, kind, seconds, command }: ProcessEntry): string =>
  `${id} ${kind}, ${wholeSeconds(seconds * 1000)}: ${command}`;

/** Without a path or a user, in which a secret could stand. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'of an address that cannot be read');
