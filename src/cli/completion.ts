/** Shell completion, derived from the command line itself: nothing is listed twice. */
import type { Command, Option } from 'commander';
import { UsageError } from './usage-error.ts';

interface Word {
  name: string;
  about: string;
}
interface Level {
  /** The commands that lead here, such as `config get`; empty for the first level. */
  path: string;
  commands: Word[];
}

export function completionScript(program: Command, shell: string): string {
  const levels = levelsOf(program);
  const options = program.options.filter((option) => !option.hidden);
  if (shell === 'bash') return bash(levels, options);
  if (shell === 'zsh') return zsh(levels, options);
  if (shell === 'fish') return fish(levels, options);
  throw new UsageError(`there is no completion for '${shell}'; allowed: bash, zsh, fish`);
}

function levelsOf(program: Command): Level[] {
  const words = (command: Command): Word[] =>
    command.commands
      .filter((sub) => sub.name() !== 'chat')
      .map((sub) => ({ name: sub.name(), about: sub.description() }));
  const groups = program.commands.filter((command) => command.commands.length > 0);
  return [
    { path: '', commands: words(program) },
    ...groups.map((group) => ({ path: group.name(), commands: words(group) })),
    { path: 'completion', commands: ['bash', 'zsh', 'fish'].map((name) => ({ name, about: `for ${name}` })) },
  ];
}

const flagsOf = (option: Option) => [option.short, option.long].filter((flag) => flag !== undefined);
const takesFile = (option: Option) => /<(?:dir|file)>/.test(option.flags);
/** For single quotes of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bash(levels: Level[], options: Option[]): string {
  const cases = levels.filter(({ path }) => path !== '');
  const values = options.filter((option) => option.argChoices);
  const files = options.filter(takesFile).flatMap(flagsOf).join('|');
  return `# bash completion of harness-chat: source <(harness-chat completion bash)
_harness_chat() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words
  COMPREPLY=()
  case $previous in
${values.map((option) => `    ${flagsOf(option).join('|')}) COMPREPLY=($(compgen -W ${quoted(option.argChoices?.join(' ') ?? '')} -- "$current")); return ;;`).join('\n')}
    ${files}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case $current in
    -*) words=${quoted([...options.flatMap(flagsOf), '--help'].join(' '))} ;;
    *)
      case \${COMP_WORDS[1]} in
${cases.map(({ path, commands }) => `        ${path}) words=${quoted(commands.map(({ name }) => name).join(' '))} ;;`).join('\n')}
        *) words=${quoted((levels[0]?.commands ?? []).map(({ name }) => name).join(' '))} ;;
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _harness_chat harness-chat
`;
}

function zsh(levels: Level[], options: Option[]): string {
  const describe = ({ name, about }: Word) => quoted(`${name}:${about.replaceAll(':', '\\:')}`);
  const one = (option: Option) => {
    const about = option.description.replace(/[[\]:]/g, '\\$&');
    const action = option.argChoices ? `(${option.argChoices.join(' ')})` : takesFile(option) ? '_files' : '';
    const value = /<|\[/.test(option.flags) ? `:value:${action}` : '';
    return flagsOf(option).map((flag) => `    ${quoted(`${flag}[${about}]${value}`)} \\`);
  };
  return `#compdef harness-chat
# zsh completion of harness-chat: harness-chat completion zsh > a file _harness-chat in a folder of $fpath
_harness_chat() {
  local -a words
  _arguments -s \\
${options.flatMap(one).join('\n')}
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      words=(${(levels[0]?.commands ?? []).map(describe).join(' ')})
      _describe command words ;;
    rest)
      case $words[1] in
${levels
  .filter(({ path }) => path !== '')
  .map(
    ({ path, commands }) => `        ${path}) words=(${commands.map(describe).join(' ')}); _describe command words ;;`,
  )
  .join('\n')}
        *) _files ;;
      esac ;;
  esac
}
compdef _harness_chat harness-chat
`;
}

function fish(levels: Level[], options: Option[]): string {
  const lines = levels.flatMap(({ path, commands }) => {
    const when = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path}`;
    return commands.map(({ name, about }) => `complete -c harness-chat -f -n '${when}' -a ${name} -d ${quoted(about)}`);
  });
  const flags = options.map((option) => {
    const short = option.short ? ` -s ${option.short.slice(1)}` : '';
    const long = option.long ? ` -l ${option.long.slice(2)}` : '';
    const choices = option.argChoices ? ` -x -a ${quoted(option.argChoices.join(' '))}` : '';
    const value = choices || (takesFile(option) ? ' -r' : option.flags.includes('<') ? ' -x' : '');
    return `complete -c harness-chat${short}${long}${value} -d ${quoted(option.description)}`;
  });
  return `# fish completion of harness-chat: harness-chat completion fish | source\n${[...lines, ...flags].join('\n')}\n`;
}
