/** Paths of files as a terminal types them when files are dropped onto it, or as a person copies them. */

export interface Dropped {
  /** As it was pasted. */
  text: string;
  paths: readonly string[];
}

const MOST_PATHS = 20;
const LONGEST = 4096;
/** One word of a shell: quoted parts, escaped characters, and others. */
const WORD = /(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\[^\n]|[^\s'"\\])+/gy;
const BEGINS = /^(?:\/|~\/|\.{1,2}\/|file:\/\/|[A-Za-z]:[\\/])/;

/** Undefined for what is no list of paths. A `file:` address is a path as well. */
export function droppedPaths(pasted: string): Dropped | undefined {
  if (pasted.length > LONGEST) return undefined;
  // an escaped blank at the end is part of a name
  const text = pasted.trimStart().replace(/(?<!\\)\s+$/, '');
  if (text === '' || !/^['"]?(?:[/.~]|file:|[A-Za-z]:)/.test(text)) return undefined;
  // Windows has no escapes: its separator is the sign of one
  const words = /^"?[A-Za-z]:\\/.test(text) ? [text.replace(/^"(.*)"$/, '$1')] : wordsOf(text);
  const paths = words?.map(pathIn);
  if (!paths || paths.length > MOST_PATHS) return undefined;
  // what a mention cannot say
  return paths.every((path): path is string => path !== undefined && !/["\n]/.test(path))
    ? { text: pasted, paths }
    : undefined;
}

function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const found = WORD.exec(text)?.[0];
    if (found === undefined) return undefined;
    words.push(
      found.replace(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
        (_, plain, quoted, escaped) => plain ?? quoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped,
      ),
    );
    at += found.length;
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  }
  return words;
}

function pathIn(word: string): string | undefined {
  if (!BEGINS.test(word)) return undefined;
  if (!word.startsWith('file://')) return word;
  const path = /^file:\/\/(?:localhost)?(\/.*)$/.exec(word)?.[1];
  try {
    // file:///C:/x is C:/x
    return path === undefined ? undefined : decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:\/)/, '');
  } catch {
    return undefined;
  }
}
