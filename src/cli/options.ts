/** The options of the whole program; they may stand before or behind the subcommand. */
import { type Command, Option } from 'commander';
import { UsageError } from './usage-error.ts';

export function addOptions(program: Command): void {
  const add = (flags: string, description: string, more: (option: Option) => Option = (option) => option) => {
    const option = new Option(flags, description);
    if (option.required || option.optional) option.argParser((value: string) => checkedText(program, option, value));
    program.addOption(more(option));
  };
  add('-m, --model <name>', 'which model');
  add('-p, --provider <name>', 'openai, demo, groq, ollama and others by name, or one of the config');
  add('--base-url <url>', 'the server, such as http://127.0.0.1:11434/v1');
  add('-c, --continue', 'go on with the session last written in this folder', (o) => o.conflicts(['resume', 'fork']));
  add('-r, --resume [id]', 'go on with a session', (o) => o.conflicts(['continue', 'fork']));
  add('--fork <id[@seq]>', 'a new session that begins with the history of another', (o) =>
    o.conflicts(['continue', 'resume']),
  );
  add('--approval <mode>', 'for tools that change things', (o) => o.choices(['ask', 'auto', 'deny']));
  add('--max-steps <n>', 'tool steps a turn may take (25)');
  add('--max-tool-calls <n>', 'tool calls a turn may take (100)');
  add('--system <text>', 'a system prompt in place of the default one');
  add('-C, --cwd <dir>', 'the workspace');
  add('--theme <name>', 'auto, dark, light, ansi16, colorblind or none');
  add('--no-spinner', 'nothing that moves while the model is waited for');
  add('--no-color', 'no colours');
  add('--ascii', 'plain signs only');
  add('--screen-reader', 'output for a screen reader');
  add('--debug <file>', 'write a log, without keys and content');
  add('--json', 'with exec and sessions: one JSON object a line');
}

function checkedText(program: Command, option: Option, value: string): string {
  const long = option.long ?? option.flags;
  if (option.long !== '--system' && value.trim() === '') throw new UsageError(`${long} needs a value, it is empty`);
  if (program.options.some((known) => known.short === value || known.long === value)) {
    throw new UsageError(`option '${option.flags}' argument missing (before ${value})`);
  }
  return value;
}
