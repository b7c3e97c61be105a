/** A command of the person's own (`!command`): it runs for the person, and its output goes before the next input. */
import { attachment } from './attachment.ts';
import { type Chat, contextOf, loopOf, type Moment, only, type Step } from './chat.ts';
import type { ToolCard } from './live.ts';
import { refused } from './told.ts';
import { cardLines, type PrintedCard } from './tool-card.ts';
import { put } from './transcript.ts';
import { changeActive } from './view-model.ts';

export interface PersonShell {
  id: string;
  command: string;
  since: number;
  stopping: boolean;
}

export interface ShellResult {
  output: string;
  /** As in `exit code 1`, `stopped`. */
  ending: string;
  ok: boolean;
  stopped: boolean;
  durationMs: number;
}

export function runShell(chat: Chat, line: string, moment: Moment): Step {
  const command = line.trim();
  if (command === '') return refused(chat, '!COMMAND runs a command in the workspace', moment);
  if (chat.shell) return refused(chat, 'a command is running already: Esc stops it', moment);
  const shell: PersonShell = { id: moment.id, command, since: moment.now, stopping: false };
  return only({ ...chat, shell }, { type: 'Errand', errand: { type: 'RunShell', id: moment.id, command } });
}

export function stopShell(chat: Chat): Step {
  if (!chat.shell || chat.shell.stopping) return only(chat);
  return only({ ...chat, shell: { ...chat.shell, stopping: true } }, { type: 'Errand', errand: { type: 'StopShell' } });
}

/** Who runs a command wants to see what it says. */
const OUTPUT_LINES = 20;

/** Printed as a card, and kept for the next input. */
export function shellDone(chat: Chat, id: string, result: ShellResult, now: number): Step {
  const { shell } = chat;
  if (!shell || shell.id !== id) return only(chat);
  const { output, ending, ok, stopped, durationMs } = result;
  const card: PrintedCard = {
    toolName: '!',
    summary: shell.command,
    state: ok ? 'done' : stopped ? 'stopped' : 'error',
    durationMs,
    preview: output,
    limit: OUTPUT_LINES,
  };
  const block = attachment('output', `of \`${shell.command}\`, ${ending}`, output || '(no output)');
  const next: Chat = { ...chat, shell: undefined, outputs: [...chat.outputs, block] };
  const lines = cardLines(card, contextOf(chat, now));
  const loop = loopOf(chat);
  if (!loop) return { chat: next, intents: [], print: lines };
  const { state, print } = put({ ...loop.transcript, cards: [card] }, 'card', lines);
  return {
    chat: { ...next, view: changeActive(next.view, (one) => ({ ...one, transcript: state })) },
    intents: [],
    print,
  };
}

export const shellCard = ({ id, command, since, stopping }: PersonShell): ToolCard => ({
  toolExecutionId: id,
  toolUseId: id,
  toolName: '!',
  summary: `${command}${stopping ? ' (stopping)' : ''}`,
  state: 'running',
  since,
});
