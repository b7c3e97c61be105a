/** The document of the command line, from commander's own program. */
import type { Command } from 'commander';
import { EXIT, type Host } from '../cli/invocation.ts';
import { APPLICABLE, createProgram, EVERYWHERE } from '../cli/program.ts';
import { code, GENERATED, page, table } from './table.ts';

const CODES: Record<keyof typeof EXIT, string> = {
  done: 'done',
  failed: 'the turn failed, or a session is in use, damaged or not sound',
  usage: 'wrong usage or configuration; one line on standard error says which',
  hangup: 'after SIGHUP',
  interrupted: 'interrupted',
  readerGone: 'the reader of standard output went away',
  terminated: 'after SIGTERM',
};

export function commandLinePage(program: Command): string {
  const options = program.options.map((option) => {
    const name = option.attributeName();
    const where = Object.entries(APPLICABLE).flatMap(([command, names]) => (names.includes(name) ? [command] : []));
    const everywhere = EVERYWHERE.includes(name) || name === 'version';
    const choices = option.argChoices ? `: ${option.argChoices.join(', ')}` : '';
    return [code(option.flags), option.description + choices, everywhere ? 'everywhere' : where.join(', ')];
  });
  return page(
    '# The command line',
    GENERATED,
    'Without a command the chat opens. Options may stand before or behind the command.',
    table(
      ['command', 'does'],
      program.commands.flatMap((command) => rowsOf(command)),
    ),
    '## Options',
    table(['option', 'is', 'goes with'], options),
    '## Exit codes',
    table(
      ['code', 'means'],
      Object.entries(EXIT).map(([name, value]) => [String(value), CODES[name as keyof typeof EXIT]]),
    ),
    `Standard output carries the answer or the JSON and nothing else; everything else goes to standard error.`,
  );
}

function rowsOf(command: Command, before = ''): string[][] {
  const name = `${before}${command.name()}`;
  if (name === 'chat') return [];
  if (command.commands.length > 0) return command.commands.flatMap((sub) => rowsOf(sub, `${name} `));
  const words = command.registeredArguments.map((word) => {
    const named = `${word.name()}${word.variadic ? '…' : ''}`;
    return word.required ? `<${named}>` : `[${named}]`;
  });
  const flags = command.options.map(({ flags, description }) => `; ${code(flags)}: ${description}`);
  return [[code([name, ...words].join(' ')), command.description() + flags.join('')]];
}

/** The program as it is, with nothing behind it. */
export function programToRead(): Command {
  return createProgram({} as Host, {} as Parameters<typeof createProgram>[1], () => {});
}
