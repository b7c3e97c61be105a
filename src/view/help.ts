/** The help: keys from the keymap, commands from their table. Nothing is written twice. */
import { muted, span, type ViewContext } from './context.ts';
import { type KeyContext, type Keymap, keyHelp } from './keymap.ts';
import { SLASH_COMMANDS, type SlashCommand } from './slash-commands.ts';
import type { Line } from './style.ts';
import { padEnd } from './width.ts';
import { wrapSpans } from './wrap.ts';

interface Section {
  context: KeyContext;
  title: string;
}
/** What is new to everybody comes first, how a line is edited later. */
const FIRST: readonly Section[] = [
  { context: 'anywhere', title: 'Anywhere' },
  { context: 'queue', title: 'In the queue and the returned inputs' },
];
const LATER: readonly Section[] = [
  { context: 'composer', title: 'While writing' },
  { context: 'overlay', title: 'In the transcript, in lists and in this help' },
];

const BRIEFLY =
  'Type while a turn runs: Enter queues, and the input folds into the turn after its next tools. Esc interrupts; what is queued waits. / lists the commands (all at the end of this page), @ attaches a file, ! runs a command of your own.';

export function helpLines(keymap: Keymap, ctx: ViewContext): Line[] {
  const lines: Line[] = [[span('Keys and commands', { bold: true, color: 'heading' })]];
  lines.push(...wrapSpans([muted(BRIEFLY)], ctx.width));
  for (const section of FIRST) lines.push(...keysOf(section, keymap, ctx));
  lines.push([], [span('Questions', { bold: true, color: 'heading' })]);
  lines.push(
    ...entry(
      '1 to 9',
      'answer; letters always go to the draft, and so does all that is typed before the question can be read',
      ctx,
    ),
  );
  lines.push(...entry(`${ctx.signs.up} ${ctx.signs.down} Enter`, 'mark an answer and give it', ctx));
  for (const section of LATER) lines.push(...keysOf(section, keymap, ctx));
  lines.push([], [span('Commands', { bold: true, color: 'heading' })]);
  for (const command of SLASH_COMMANDS as readonly SlashCommand[])
    lines.push(...entry(`/${command.name}${command.argument ? ` ${command.argument}` : ''}`, command.help, ctx));
  lines.push(
    ...entry('keys./NAME', 'in the configuration: a key of its own for a command, such as keys./status f2', ctx),
  );
  lines.push(...entry('// or a space', 'before a slash sends it as text', ctx));
  return lines;
}

const keysOf = ({ context, title }: Section, keymap: Keymap, ctx: ViewContext): Line[] => [
  [],
  [span(title, { bold: true, color: 'heading' })],
  ...keyHelp(keymap, context, ctx.ascii).flatMap(({ keys, help, slash }) =>
    entry(keys, slash ? `${help} (${slash})` : help, ctx),
  ),
];

const KEYS_WIDTH = 24;

function entry(keys: string, help: string, ctx: ViewContext): Line[] {
  // columns say nothing where lines are read out
  if (ctx.spoken) return [[span(`${keys}: ${help}`)]];
  const wide = ctx.width >= 60;
  const column = wide ? KEYS_WIDTH : 2;
  const head = `  ${keys} `;
  if (wide && head.length <= KEYS_WIDTH + 2)
    return wrapSpans([span(padEnd(head, column + 2), { color: 'accent' }), span(help)], ctx.width, {
      indent: column + 2,
    });
  return [
    ...wrapSpans([span(head, { color: 'accent' })], ctx.width),
    ...wrapSpans([span(' '.repeat(column + 2)), span(help)], ctx.width, { indent: column + 2 }),
  ];
}
