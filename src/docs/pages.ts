/** The generated documents by file name; each lies beside this file. */
import { commandLinePage, programToRead } from './command-line.ts';
import { commandsPage } from './commands.ts';
import { eventsPage } from './events.ts';
import { keysPage } from './keys.ts';
import { settingsPage } from './settings.ts';

export const PAGES: Readonly<Record<string, () => string>> = {
  'command-line.md': () => commandLinePage(programToRead()),
  'commands.md': commandsPage,
  'events.md': eventsPage,
  'keys.md': keysPage,
  'settings.md': settingsPage,
};
