/** Which files belong to a session, by its id (contract: Files). */
import { join } from 'node:path';

/** The folders that sessions need; all of them stand in HARNESS_CHAT_HOME. */
export interface SessionFolders {
  sessions: string;
  drafts: string;
  outputs: string;
}

const JOURNAL = '.jsonl';

export const journalPath = ({ sessions }: SessionFolders, id: string): string => join(sessions, `${id}${JOURNAL}`);
/** Beside the journal: where a copy of the folder goes, its locks go with it. */
export const lockPath = ({ sessions }: SessionFolders, id: string): string => join(sessions, `${id}.lock`);
/** The session's name, so that a list finds it without reading the journal; the journal is what counts. */
export const namePath = ({ sessions }: SessionFolders, id: string): string => join(sessions, `${id}.name`);
export const draftPath = ({ drafts }: SessionFolders, id: string): string => join(drafts, `${id}.json`);
/** Which returned inputs the chat still offers. */
export const offersPath = ({ drafts }: SessionFolders, id: string): string => join(drafts, `${id}.offers.json`);
/** The folder with what a session's tools put out in full. */
export const outputsPath = ({ outputs }: SessionFolders, id: string): string => join(outputs, id);

/** Nothing that could lead out of the folder. */
export const isSessionId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) && text.length <= 128;

/** The session whose journal has this file name, or undefined. */
export function sessionOfFile(name: string): string | undefined {
  if (!name.endsWith(JOURNAL)) return undefined;
  const id = name.slice(0, -JOURNAL.length);
  return isSessionId(id) ? id : undefined;
}
