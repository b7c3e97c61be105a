/**
 * Everything that can be said with a slash, listed once: parsing, help and completion are derived from this table. An
 * unknown command is never sent to the model (contract: The chat on the screen).
 */

export interface SlashCommand {
  name: string;
  /** What follows it, for help and completion. */
  argument?: string;
  help: string;
  /** Other names that do the same. */
  aliases?: readonly string[];
}

export const SLASH_COMMANDS = [
  { name: 'help', help: 'keys and commands', aliases: ['keys', '?'] },
  { name: 'retry', help: 'ask again from where the conversation stands' },
  {
    name: 'queue',
    help: 'into the queue: choose, edit, move, retract',
    argument: '[text: hold it for a turn of its own]',
  },
  { name: 'hold', help: 'queue a text for a turn of its own', argument: 'TEXT' },
  { name: 'retract', help: 'take queued inputs back: the last one, one by number, or all', argument: '[N | all]' },
  { name: 'fold', help: 'let a queued input fold into the running turn, or wait', argument: 'N' },
  { name: 'move', help: 'move a queued input to another place', argument: 'N M' },
  { name: 'edit', help: 'take a queued or returned input into the composer', argument: '[N]' },
  {
    name: 'send-now',
    help: 'interrupt, and start with a queued input: the last one, or one by number',
    argument: '[N]',
  },
  { name: 'resume-queue', help: 'let a paused queue go on' },
  { name: 'resend', help: 'send all returned inputs, in order' },
  { name: 'drop', help: 'forget returned inputs: one by number, or all', argument: '[N | all]' },
  { name: 'interrupt', help: 'stop the running turn', aliases: ['stop'] },
  { name: 'approve', help: 'answer an open question with yes', argument: '[once | session | always]' },
  { name: 'deny', help: 'answer an open question with no', argument: '[why]' },
  { name: 'answer', help: 'answer a question of the model', argument: 'TEXT' },
  { name: 'model', help: 'choose the model for the next turn', argument: '[NAME [PROVIDER]]' },
  { name: 'provider', help: 'choose who provides the model', argument: '[NAME [MODEL]]' },
  { name: 'use', help: 'use the model server that was found on this machine', argument: '[MODEL]' },
  { name: 'approvals', help: 'show or change what runs without asking', argument: '[ask | auto | deny]' },
  { name: 'loops', help: 'list loops, show one, or start another', argument: '[N | new [AGENT]]' },
  { name: 'compact', help: 'shorten the conversation to a summary' },
  { name: 'rename', help: 'name the session', argument: 'NAME' },
  { name: 'sessions', help: 'choose another session; this one ends as by /quit' },
  { name: 'resume', help: 'the same, or the session of that id', argument: '[ID]' },
  { name: 'new', help: 'begin a new session; this one ends as by /quit' },
  { name: 'fork', help: 'go on from an earlier step in a new session', argument: '[RECORD]' },
  { name: 'transcript', help: 'all of the session: search, jump, copy' },
  { name: 'copy', help: "the last answer, or its last code block, into the terminal's clipboard", argument: '[code]' },
  { name: 'export', help: 'write the session to a file: Markdown, or a page for .html', argument: '[html] [FILE]' },
  { name: 'processes', help: 'list what runs beside the chat, or stop one', argument: '[stop ID]' },
  { name: 'context', help: 'what the next request holds, by part' },
  { name: 'output', help: 'show the last tool output unfolded' },
  { name: 'config', help: 'all settings: search, change', argument: '[KEY [VALUE] | unset KEY]' },
  { name: 'history', help: 'search what was sent before', argument: '[TEXT]' },
  { name: 'editor', help: 'write the next message in $EDITOR', argument: '[TEXT]' },
  { name: 'doctor', help: 'what is set and by whom, what is reachable, what is wrong' },
  {
    name: 'bug',
    help: 'write a report of the program to a file, without what was said',
    argument: '[with-conversation]',
  },
  { name: 'status', help: 'session, model, tokens and queue' },
  { name: 'theme', help: 'show or change the colours', argument: '[auto | dark | light | ansi16 | colorblind | none]' },
  { name: 'redraw', help: 'draw the screen anew' },
  { name: 'suspend', help: 'back to the shell; fg goes on' },
  { name: 'clear', help: 'a clean screen; the conversation stays' },
  { name: 'quit', help: 'leave; the session can be resumed', aliases: ['exit'] },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof SLASH_COMMANDS)[number]['name'];

export type Parsed =
  | { kind: 'text'; text: string }
  | { kind: 'command'; name: SlashName; argument: string }
  /** To be run in the workspace for the person. */
  | { kind: 'shell'; command: string }
  | { kind: 'unknown'; name: string; near: string | undefined };

/**
 * What a submitted draft means. A leading space, or the sign twice, sends it as text; a path such as `/etc/hosts` and
 * several lines are text as well when no command has that name.
 */
export function parseDraft(draft: string): Parsed {
  if (draft.startsWith('!') && !draft.startsWith('!!')) return { kind: 'shell', command: draft.slice(1) };
  if (draft.startsWith('//') || draft.startsWith('!!')) return { kind: 'text', text: draft.slice(1) };
  const found = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(draft);
  if (!found) return { kind: 'text', text: /^ [/!]/.test(draft) ? draft.slice(1) : draft };
  const said = (found[1] ?? '').toLowerCase();
  const command = findCommand(said);
  if (command) return { kind: 'command', name: command.name, argument: (found[2] ?? '').trim() };
  return { kind: 'unknown', name: said, near: nearest(said) };
}

const aliasesOf = (command: SlashCommand): readonly string[] => command.aliases ?? [];

const findCommand = (name: string) =>
  SLASH_COMMANDS.find((command) => command.name === name || aliasesOf(command).includes(name));

/** The commands that begin with what is typed, for completion; `/` alone gives all. */
export function completeSlash(draft: string): readonly (SlashCommand & { name: SlashName })[] {
  const found = /^\/([^\s/]*)$/.exec(draft);
  if (!found) return [];
  const typed = (found[1] ?? '').toLowerCase();
  return SLASH_COMMANDS.filter((command: SlashCommand) =>
    [command.name, ...aliasesOf(command)].some((name) => name.startsWith(typed)),
  );
}

function nearest(name: string): string | undefined {
  if (name === '') return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const command of SLASH_COMMANDS as readonly SlashCommand[])
    for (const candidate of [command.name, ...aliasesOf(command)]) {
      const distance = candidate.startsWith(name) ? 1 : editDistance(name, candidate);
      if (distance <= 2 && (!best || distance < best.distance)) best = { name: candidate, distance };
    }
  return best?.name;
}

/** Levenshtein, for names of a dozen letters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
