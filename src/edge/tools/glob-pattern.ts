/** Glob patterns without regular expressions: no pattern is slow. `*`, `?`, `[a-z]`, `{a,b}` and `**`; pure. */

const MAX_BRANCHES = 256;

/** The part before the first wildcard, as a path, and the alternatives behind it. Throws one line for the model. */
export function splitGlob(pattern: string): { base: string; matches: (path: string) => boolean } {
  const segments = pattern.split('/');
  let plain = segments.findIndex((segment) => /[*?[{]/.test(segment));
  if (plain < 0) plain = segments.length - 1;
  const base = segments.slice(0, plain).join('/') || (pattern.startsWith('/') ? '/' : '.');
  const rest = segments.slice(plain).join('/');
  const branches = braces(rest).map((branch) =>
    branch.split('/').filter((segment) => segment !== '' && segment !== '.'),
  );
  if (branches.some((branch) => branch.includes('..')))
    throw new Error('a pattern cannot go up ("..") behind a wildcard');
  return { base, matches: (path) => branches.some((branch) => matchesPath(branch, path.split('/'))) };
}

/** The same for a text that is no path: `*` and `?` take any character. Throws one line where it is too much. */
export function globText(pattern: string): (text: string) => boolean {
  const branches = braces(pattern).map(tokens);
  return (text) => branches.some((branch) => wildcard(branch, [...text], (token) => token === '*', matchesCharacter));
}

/** "a{b,c}" → "ab", "ac". */
function braces(pattern: string): string[] {
  const open = pattern.indexOf('{');
  const close = open < 0 ? -1 : closing(pattern, open);
  if (close < 0) return [pattern];
  const choices = topLevel(pattern.slice(open + 1, close));
  const tails = braces(pattern.slice(close + 1));
  const heads = choices.flatMap((choice) => braces(choice));
  if (heads.length * tails.length > MAX_BRANCHES) throw new Error('the pattern has too many alternatives');
  return heads.flatMap((head) => tails.map((tail) => pattern.slice(0, open) + head + tail));
}

function closing(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === '{') depth++;
    else if (pattern[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function topLevel(choices: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of choices) {
    if (char === '{') depth++;
    else if (char === '}') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** Two positions to go back to are enough: the last star always takes over from the ones before it. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  return wildcard(pattern, path, (segment) => segment === '**', matchesSegment);
}

function matchesSegment(pattern: string, name: string): boolean {
  return wildcard(tokens(pattern), [...name], (token) => token === '*', matchesCharacter);
}

function wildcard<P, T>(
  pattern: readonly P[],
  text: readonly T[],
  isStar: (p: P) => boolean,
  fits: (p: P, t: T) => boolean,
): boolean {
  let p = 0;
  let star = -1;
  let resume = 0;
  for (let t = 0; t < text.length; ) {
    if (p < pattern.length && isStar(pattern[p] as P)) {
      star = p++;
      resume = t;
    } else if (p < pattern.length && fits(pattern[p] as P, text[t] as T)) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (p < pattern.length && isStar(pattern[p] as P)) p++;
  return p === pattern.length;
}

/** Single characters, and classes with their brackets. Two stars within a name are one. */
function tokens(segment: string): string[] {
  return segment.replace(/\*+/g, '*').match(/\[[!^]?\][^\]]*\]|\[[^\]]+\]|[\s\S]/gu) ?? [];
}

function matchesCharacter(token: string, char: string): boolean {
  if (token === '?' || token === char) return true;
  if (token.length < 3 || !token.startsWith('[')) return false;
  const negated = /^\[[!^]/.test(token);
  const members = [...token.slice(negated ? 2 : 1, -1)];
  let found = false;
  for (let at = 0; at < members.length; at++) {
    const last = members[at + 1] === '-' ? members[at + 2] : undefined;
    if (last !== undefined) {
      found ||= char >= (members[at] as string) && char <= last;
      at += 2;
    } else found ||= char === members[at];
  }
  return found !== negated;
}
