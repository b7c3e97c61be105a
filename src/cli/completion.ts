/** Shell completion, derived from the command line itself: nothing is listed twice. */
import type { Command, Option } from 'commander';
import { PROVIDERS } from '../edge/models/providers.ts';
import { SCALAR_KEYS, SECTION_KEYS } from '../edge/settings/schema.ts';
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
const takesValue = (option: Option) => option.required || option.optional;
/** For single quotes of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** What an option takes, where that is neither a file nor one of its own words. */
const TAKES: Readonly<Record<string, 'session' | 'provider'>> = {
  '--resume': 'session',
  '--fork': 'session',
  '--provider': 'provider',
};
const takes = (option: Option, what: 'session' | 'provider') => TAKES[option.long ?? ''] === what;
const PROVIDER_NAMES = [...new Set(['openai', 'demo', ...PROVIDERS.map(({ name }) => name)])].join(' ');

/** What follows a command of a group: the id of a session, or a key of the configuration. */
const OF_SESSIONS = ['show', 'export', 'remove', 'path'];
const OF_KEYS = ['get', 'set', 'unset'];
const KEYS = [...SCALAR_KEYS, ...SECTION_KEYS.map((section) => `${section}.`)].join(' ');
/** Ids stand first in a row of the list. */
const LIST = 'sessions list --all 2>/dev/null | cut -d " " -f 1';

const namesOf = (words: readonly Word[] = []) => words.map(({ name }) => name).join(' ');

function bash([first, ...groups]: Level[], options: Option[]): string {
  const flags = (fits: (option: Option) => unknown) => options.filter(fits).flatMap(flagsOf).join('|');
  const offer = (words: string) => `COMPREPLY=($(compgen -W ${words} -- "$current")); return`;
  const said = (group: string, commands: string[]) => commands.map((name) => `'${group} ${name} '`).join('|');
  return `# bash completion of harness-chat: source <(harness-chat completion bash)
_harness_chat_sessions() { harness-chat ${LIST}; }
_harness_chat() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words= said= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${flags(takesValue)}) ((i++)) ;;
      -*) ;;
      *) said+="\${COMP_WORDS[i]} " ;;
    esac
  done
  case $previous in
${options
  .filter(({ argChoices }) => argChoices)
  .map((option) => `    ${flagsOf(option).join('|')}) ${offer(quoted(option.argChoices?.join(' ') ?? ''))} ;;`)
  .join('\n')}
    ${flags((option) => takes(option, 'provider'))}) ${offer(quoted(PROVIDER_NAMES))} ;;
    ${flags((option) => takes(option, 'session'))})
      if [[ $current != -* ]]; then ${offer('"$(_harness_chat_sessions)"')}; fi ;;
    ${flags(takesFile)}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case $current in
    -*) words=${quoted([...options.flatMap(flagsOf), '--help'].join(' '))} ;;
    *)
      case $said in
        '') words=${quoted(namesOf(first?.commands))} ;;
${groups.map(({ path, commands }) => `        '${path} ') words=${quoted(namesOf(commands))} ;;`).join('\n')}
        'audit '|${said('sessions', OF_SESSIONS)}) words=$(_harness_chat_sessions) ;;
        ${said('config', OF_KEYS)}) words=${quoted(KEYS)} ;;
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${COMPREPLY[0]} == *. ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _harness_chat harness-chat
`;
}

function zsh([first, ...groups]: Level[], options: Option[]): string {
  const described = (words: readonly Word[] = []) =>
    words.map(({ name, about }) => quoted(`${name}:${about.replaceAll(':', '\\:')}`)).join(' ');
  const action = (option: Option): string => {
    if (option.argChoices) return `(${option.argChoices.join(' ')})`;
    if (takes(option, 'session')) return '_harness_chat_sessions';
    if (takes(option, 'provider')) return `(${PROVIDER_NAMES})`;
    return takesFile(option) ? '_files' : '';
  };
  const one = (option: Option) => {
    const about = option.description.replace(/[[\]:]/g, '\\$&');
    const value = takesValue(option) ? `${option.optional ? '::' : ':'}value:${action(option)}` : '';
    return flagsOf(option).map((flag) => `    ${quoted(`${flag}[${about}]${value}`)} \\`);
  };
  const third: Readonly<Record<string, string>> = {
    sessions: `(${OF_SESSIONS.join('|')})) _harness_chat_sessions ;;`,
    config: `(${OF_KEYS.join('|')})) offers=(${KEYS}); compadd -S '' -a offers ;;`,
  };
  return `#compdef harness-chat
# zsh completion of harness-chat: harness-chat completion zsh > a file _harness-chat in a folder of $fpath
_harness_chat_sessions() {
  local -a ids
  ids=(\${(f)"$(harness-chat ${LIST})"})
  compadd -a ids
}
_harness_chat() {
  local curcontext=$curcontext state line
  local -a offers
  _arguments -C -s \\
${options.flatMap(one).join('\n')}
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      offers=(${described(first?.commands)})
      _describe command offers ;;
    rest)
      if [[ $PREFIX == -* ]]; then offers=(${options.flatMap(flagsOf).join(' ')} --help); compadd -a offers; return; fi
      if [[ $words[1] == audit ]]; then _harness_chat_sessions; return; fi
      if (( CURRENT > 2 )); then
        case "$words[1] $words[2]" in
${Object.entries(third)
  .map(([group, then]) => `          ${group}\\ ${then}`)
  .join('\n')}
        esac
        return
      fi
      case $words[1] in
${groups.map(({ path, commands }) => `        ${path}) offers=(${described(commands)}); _describe command offers ;;`).join('\n')}
        *) _files ;;
      esac ;;
  esac
}
compdef _harness_chat harness-chat
`;
}

function fish(levels: Level[], options: Option[]): string {
  const lines = levels.flatMap(({ path, commands }) => {
    const within = `__fish_seen_subcommand_from ${path}; and not __fish_seen_subcommand_from ${namesOf(commands)}`;
    const when = path === '' ? '__fish_use_subcommand' : within;
    return commands.map(({ name, about }) => `complete -c harness-chat -f -n '${when}' -a ${name} -d ${quoted(about)}`);
  });
  const then = (group: string, commands: string[], offers: string) =>
    `complete -c harness-chat -f -n '__fish_seen_subcommand_from ${group}; and __fish_seen_subcommand_from ${commands.join(' ')}' -a ${quoted(offers)}`;
  const ids = '(__harness_chat_sessions)';
  const value = (option: Option): string => {
    if (option.argChoices) return ` -x -a ${quoted(option.argChoices.join(' '))}`;
    if (takes(option, 'session')) return ` -x -a ${quoted(ids)}`;
    if (takes(option, 'provider')) return ` -x -a ${quoted(PROVIDER_NAMES)}`;
    if (takesFile(option)) return ' -r';
    return option.required ? ' -x' : '';
  };
  const flags = options.map((option) => {
    const short = option.short ? ` -s ${option.short.slice(1)}` : '';
    const long = option.long ? ` -l ${option.long.slice(2)}` : '';
    return `complete -c harness-chat${short}${long}${value(option)} -d ${quoted(option.description)}`;
  });
  return `# fish completion of harness-chat: harness-chat completion fish | source
function __harness_chat_sessions
  harness-chat ${LIST}
end
${[
  ...lines,
  `complete -c harness-chat -f -n '__fish_seen_subcommand_from audit' -a ${quoted(ids)}`,
  then('sessions', OF_SESSIONS, ids),
  then('config', OF_KEYS, KEYS),
  ...flags,
].join('\n')}
`;
}
