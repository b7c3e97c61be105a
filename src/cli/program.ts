/** The command line: what may be said, in which one line a mistake is answered, and which subcommand it starts. */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { hideUserInfo, oneLine } from '../edge/settings/one-line.ts';
import { homePaths } from '../edge/settings/paths.ts';
import {
  type Commands,
  type ConfigCommand,
  EXIT,
  type Host,
  type Invocation,
  type SessionsCommand,
} from './invocation.ts';
import { addOptions } from './options.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Runs one command line to its end; the answer is the exit code. Never rejects. */
export async function run(args: readonly string[], host: Host, commands: Commands): Promise<number> {
  let code: number = EXIT.done;
  const program = createProgram(host, commands, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const { line, code: failed } = explain(error, args);
    host.streams.stderr.write(`harness-chat: ${line}\n`);
    return failed;
  }
}

/** Which options mean something where; the others are refused rather than ignored. */
export const EVERYWHERE = ['cwd', 'color', 'ascii', 'screenReader', 'debug'];
const MODEL = ['model', 'provider', 'baseUrl'];
const TURNS = [...MODEL, 'continue', 'resume', 'fork', 'approval', 'maxSteps', 'maxToolCalls', 'system'];
export const APPLICABLE: Record<keyof Commands, string[]> = {
  chat: [...TURNS, 'theme', 'spinner'],
  exec: [...TURNS, 'json'],
  stdio: [...TURNS, 'json'],
  sessions: ['json'],
  audit: ['json'],
  config: [...MODEL, 'json'],
  doctor: MODEL,
};

/** The whole command line as commander holds it; help and shell completion are derived from it. */
export function createProgram(host: Host, commands: Commands, done: (code: number) => void): Command {
  const program = new Command('harness-chat')
    .description('A chat in the terminal with a language model that uses tools: type while it works.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .usage('[options] [command]')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void host.streams.stdout.write(text), writeErr: () => {} })
    .configureHelp({ showGlobalOptions: true, subcommandTerm })
    .addHelpText('after', AFTER_HELP);
  addOptions(program);
  const start = async (name: keyof Commands, run: (invocation: Invocation) => Promise<number>) => {
    refuseOthers(program, name);
    done(await run(invocationOf(program, host)));
  };
  const add = (name: string, description: string) => program.command(name).description(description);
  program
    .command('chat', { isDefault: true, hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      if (words[0] !== undefined) throw new UsageError(unknownCommand(program, words[0]));
      return start('chat', (invocation) => {
        if (!host.isTerminal()) throw new UsageError(host.env.TERM === 'dumb' ? DUMB_TERMINAL : NO_TERMINAL);
        return commands.chat(invocation);
      });
    });
  add('exec', 'answer one prompt on standard output; "-" or a pipe: the prompt from standard input')
    .argument('[prompt...]')
    .action((words: string[]) => start('exec', (invocation) => commands.exec(invocation, words)));
  add('stdio', 'JSON commands in, JSON deliveries out, one a line').action(() => start('stdio', commands.stdio));
  addSessions(add('sessions', 'the conversations that are kept'), (sub, ids, flags) =>
    start('sessions', (invocation) => commands.sessions(invocation, sub, ids, flags)),
  );
  add('audit', 'prove that the journal of a session is sound')
    .argument('<session>')
    .action((session: string) => start('audit', (invocation) => commands.audit(invocation, session)));
  addConfig(add('config', 'the settings that are kept'), (sub, words) =>
    start('config', (invocation) => commands.config(invocation, sub, words)),
  );
  add('doctor', 'what is set, what is reachable, what is wrong').action(() => start('doctor', commands.doctor));
  add('completion', 'print a completion script: bash, zsh or fish')
    .argument('<shell>')
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion.ts');
      host.streams.stdout.write(completionScript(program, shell));
    });
  return program;
}

const AFTER_HELP = `
With no command the chat opens. Settings: options, environment (OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL,
HARNESS_CHAT_*), .env of the workspace (model, base URL, key), config file, defaults.
Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 130 interrupted.`;

const DUMB_TERMINAL =
  'TERM=dumb: the chat needs a terminal that can move its cursor; set TERM (such as TERM=xterm-256color), or use "harness-chat exec"';
const NO_TERMINAL = 'the chat needs a terminal for input and output; without one use: harness-chat exec "your prompt"';

/** A group is shown by its name alone: its argument only catches what is no command of it. */
function subcommandTerm(command: Command): string {
  if (command.commands.length > 0) return `${command.name()} ${command.commands.map((sub) => sub.name()).join('|')}`;
  const words = command.registeredArguments.map((word) => (word.required ? `<${word.name()}>` : `[${word.name()}]`));
  return [command.name(), ...words].join(' ');
}

type Start<Sub> = (sub: Sub, words: string[]) => Promise<void>;
type StartSessions = (sub: SessionsCommand, words: string[], flags: Record<string, unknown>) => Promise<void>;

function addSessions(group: Command, start: StartSessions): void {
  const add = (name: SessionsCommand, argument: string, description: string) => {
    const command = group.command(name).description(description).argument(argument);
    command.action((ids: string | string[] | undefined) => start(name, [ids ?? []].flat(), {}));
  };
  group
    .command('list')
    .description('the sessions of this folder, the newest first')
    .option('-a, --all', 'those of every folder')
    .action((flags: { all?: boolean }) => start('list', [], flags));
  add('show', '<session>', 'print a session');
  group
    .command('export')
    .description('print a session as a Markdown document')
    .argument('<session>')
    .option('--html', 'as one HTML page')
    .action((id: string, flags: { html?: boolean }) => start('export', [id], flags));
  add('remove', '<sessions...>', 'delete sessions');
  add('path', '[session]', 'print where sessions are kept');
  needsSubcommand(group);
}

function addConfig(group: Command, start: Start<ConfigCommand>): void {
  group
    .command('path')
    .description('print where the config is')
    .action(() => start('path', []));
  group
    .command('list')
    .description('every key with its value and where it comes from')
    .action(() => start('list', []));
  const key = (name: ConfigCommand, description: string) =>
    group.command(name).description(description).argument('<key>');
  key('get', 'print the value of a key').action((name: string) => start('get', [name]));
  key('set', 'set a key; "-" reads the value from standard input')
    .argument('<value>')
    .action((name: string, value: string) => start('set', [name, value]));
  key('unset', 'remove a key').action((name: string) => start('unset', [name]));
  needsSubcommand(group);
}

/** Without this commander answers a missing or unknown subcommand with the whole help. */
function needsSubcommand(group: Command): void {
  const names = group.commands.map((command) => command.name()).join(', ');
  group.usage('<command> [options]');
  group.argument('[words...]').action(([word]: string[]) => {
    const problem =
      word === undefined ? `${group.name()} needs a command` : `unknown command '${group.name()} ${word}'`;
    throw new UsageError(`${problem}; there are: ${names}`);
  });
}

function refuseOthers(program: Command, name: keyof Commands): void {
  const allowed = [...EVERYWHERE, ...APPLICABLE[name]];
  for (const option of program.options) {
    const attribute = option.attributeName();
    if (program.getOptionValueSource(attribute) !== 'cli' || allowed.includes(attribute)) continue;
    throw new UsageError(`${option.long} does not go with ${name === 'chat' ? 'the chat' : name}`);
  }
}

function unknownCommand(program: Command, word: string): string {
  const names = program.commands.map((command) => command.name()).filter((name) => name !== 'chat');
  return `unknown command '${word}'; there are: ${names.join(', ')} (one prompt: harness-chat exec "…")`;
}

function invocationOf(program: Command, host: Host): Invocation {
  const { cwd, fork, debug, color, spinner, json, ...options } = program.opts();
  const current = currentFolder(host, cwd);
  return {
    options: {
      ...options,
      ...(color === false ? { color: false } : {}),
      ...(spinner === false ? { spinner: false } : {}),
      ...(fork === undefined ? {} : { fork: parseFork(fork) }),
      ...(debug === undefined ? {} : { debug: resolve(current, debug) }),
      json: json === true,
    },
    cwd: workspace(cwd === undefined ? current : resolve(current, cwd)),
    paths: homePaths({ env: host.env, platform: host.platform, home: host.home, cwd: current }),
    env: host.env,
    streams: host.streams,
    readerGone: host.readerGone,
  };
}

function currentFolder(host: Host, given: string | undefined): string {
  try {
    return host.currentFolder();
  } catch {
    if (given?.startsWith('/')) return given;
    throw new UsageError('the current folder is gone: change to another one, or give --cwd DIR');
  }
}

function workspace(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--cwd: there is no folder '${path}' that can be used (${code ?? 'unknown error'})`);
  }
  throw new UsageError(`--cwd: '${path}' is no folder`);
}

function parseFork(text: string): { sessionId: string; seq?: number } {
  const [, sessionId, seq] = /^([^@]+)(?:@([1-9]\d{0,14}))?$/.exec(text) ?? [];
  if (!sessionId) throw new UsageError(`--fork is '${text}'; allowed: ID or ID@SEQ with a sequence number from 1`);
  return seq === undefined ? { sessionId } : { sessionId, seq: Number(seq) };
}

/** One line and the exit code for whatever went wrong. */
function explain(error: unknown, args: readonly string[]): { line: string; code: number } {
  if (error instanceof CommanderError) {
    const said = error.code === 'commander.help' ? 'unknown command; see harness-chat --help' : error.message;
    const inPrompt = error.code === 'commander.unknownOption' && args.includes('exec');
    const sessionless = error.code === 'commander.missingArgument' && /'sessions?'/.test(said);
    const hint = inPrompt
      ? ' (a prompt that begins with a dash goes behind --)'
      : sessionless
        ? ' ("harness-chat sessions list" names them)'
        : '';
    return { line: oneLine(hideUserInfo(said.replace(/^error: /, ''))) + hint, code: EXIT.usage };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { line: oneLine(hideUserInfo(message), 1000), code: EXIT.usage };
  return { line: `an internal error ended the program: ${oneLine(hideUserInfo(message))}`, code: EXIT.failed };
}
