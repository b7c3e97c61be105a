/** Which tools, or which command lines, a hook is for; pure. */
import { globText } from '../tools/glob-pattern.ts';

/** An expression of the user's own could take for ever on a longer text. */
const LONGEST_FOR_EXPRESSION = 20_000;

/**
 * `shell`, `mcp_*`, `write_file|edit_file`: the whole text, with `*`, `?`, `[a-z]`, `{a,b}`, and `|` between several;
 * `/^git push/i`: a regular expression, found anywhere in it. Throws one line where the pattern is none.
 */
export function matcher(pattern: string): (text: string) => boolean {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? [];
  if (source === undefined) {
    const globs = pattern.split('|').map((each) => globText(each.trim()));
    return (text) => globs.some((fits) => fits(text));
  }
  let expression: RegExp;
  try {
    expression = new RegExp(source, flags);
  } catch (error) {
    throw new Error(`is no regular expression: ${(error as Error).message}`);
  }
  // what is too long to be looked at is the hook's to judge
  return (text) => text.length > LONGEST_FOR_EXPRESSION || expression.test(text);
}
