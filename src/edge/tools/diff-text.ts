/** What a change would do to a text, as hunks of a unified diff. */
import { structuredPatch } from 'diff';

/** Between very different texts a shortest diff takes for ever. */
const MAX_MS = 300;
const MAX_CHARS = 200_000;
const NO_NEWLINE = '\\ No newline at end of file';

/** Hunks without file names; empty where nothing changes. */
export function diffText(before: string, after: string): string {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: MAX_MS });
  const text = patch ? patch.hunks.map(hunkText).join('\n') : roughDiff(before, after);
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS)}\n[… ${text.length - MAX_CHARS} more characters of this diff are not shown]`;
}

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number];

const hunkText = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string =>
  [`@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`, ...lines].join('\n');

/** An empty range stands behind the line that it names. */
const rangeOf = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

/** All lines between the first and the last that differ. */
function roughDiff(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let from = 0;
  while (from < Math.min(old.length, now.length) && old[from] === now[from]) from++;
  let same = 0;
  while (same < Math.min(old.length, now.length) - from && old.at(-1 - same) === now.at(-1 - same)) same++;
  const gone = old.slice(from, old.length - same);
  const come = now.slice(from, now.length - same);
  const head = `@@ -${rangeOf(from + 1, gone.length)} +${rangeOf(from + 1, come.length)} @@`;
  return [head, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)].join('\n');
}

/** "+3 -1" */
export function countsOf(diff: string): string {
  const lines = diff.split('\n').filter((line) => line !== NO_NEWLINE);
  return `+${lines.filter((line) => line.startsWith('+')).length} -${lines.filter((line) => line.startsWith('-')).length}`;
}
