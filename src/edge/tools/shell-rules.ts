/**
 * Which command lines a rule lets through. A rule is a command line, and covers that very line; a chain of plain
 * commands is covered where each of them is a rule. Whatever the shell would change before it runs anything
 * (substitutions, redirections, globs, escapes, odd spaces) is covered only by a rule that is the whole line.
 */

/** Unquoted characters that mean themselves in every shell. */
const PLAIN = /[A-Za-z0-9_.,/:@%+=-]/;
/** What stands between double quotes and means itself. */
const QUOTED = /[^"$`\\!\n\r\0]/;

/** Commands that change what the ones behind them in a chain mean, or run what they are given. */
const CHANGES_THE_SHELL = new Set(
  (
    '. : alias bg bind break builtin cd command complete continue declare dirs disown enable env eval exec exit export fc fg ' +
    'getopts hash history let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend ' +
    'time trap typeset ulimit umask unalias unset wait ' +
    'if then elif else fi for while until do done case esac in select function coproc'
  ).split(' '),
);

/** Whether the rules, all together, let the command through. */
export function covered(rules: readonly string[], command: string): boolean {
  if (rules.includes(command)) return true;
  const parts = plainParts(command);
  return parts?.every((part) => rules.includes(part) && !changesTheShell(part)) ?? false;
}

function changesTheShell(part: string): boolean {
  const word = part.split(' ', 1)[0] as string;
  return word.includes('=') || CHANGES_THE_SHELL.has(word.replace(/["']/g, ''));
}

/**
 * The commands of a chain (`;`, `&&`, `||`, `&`, new line), or undefined where there is anything else than plain words
 * and quoted ones. A pipe belongs to its command: what is fed to a command may change what it does.
 */
function plainParts(command: string): string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let at = 0;
  while (at < command.length) {
    const char = command[at] as string;
    if (char === "'" || char === '"') {
      const end = quoteEnd(command, at);
      if (end === undefined) return undefined;
      part += command.slice(at, end);
      at = end;
      continue;
    }
    const operator = /^(&&|\|\||[;&\n])/.exec(command.slice(at, at + 2))?.[0];
    if (operator) {
      parts.push(part);
      part = '';
    } else if (char === '|' ? command[at + 1] === '&' : char !== ' ' && !PLAIN.test(char)) {
      return undefined;
    } else part += char;
    at += operator?.length ?? 1;
  }
  // one ";" or line end may close the chain; a last "&" would leave the command running
  if (part !== '' || !/[;\n]$/.test(command)) parts.push(part);
  const trimmed = parts.map((text, index) => trimOnce(text, index > 0, index < parts.length - 1));
  return trimmed.some((text) => text === '' || text.startsWith(' ') || text.endsWith(' ')) ? undefined : trimmed;
}

/** The index behind the closing quote; undefined where the quoted text is not plain. */
function quoteEnd(command: string, start: number): number | undefined {
  const quote = command[start] as string;
  for (let at = start + 1; at < command.length; at++) {
    const char = command[at] as string;
    if (char === quote) return at + 1;
    if (quote === '"' ? !QUOTED.test(char) : /[\n\r\0]/.test(char)) return undefined;
  }
  return undefined;
}

/** Without the one space that people write around an operator. */
function trimOnce(text: string, operatorBefore: boolean, operatorBehind: boolean): string {
  const begun = operatorBefore ? text.replace(/^ /, '') : text;
  return operatorBehind ? begun.replace(/ $/, '') : begun;
}
