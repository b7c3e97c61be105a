/** The one exact replacement that `edit_file` makes; pure. */
import { type LineEnd, lineEndOf } from './file-text.ts';

export type Replacement = { ok: true; text: string } | { ok: false; message: string };

/** Exact, and only where there is one place for it. Line ends are those of the file, whichever the model wrote. */
export function replacedOnce(text: string, oldText: string, newText: string): Replacement {
  if (oldText === '') return fault('old_text is empty: say what stands there now, or use write_file for a whole file');
  if (oldText === newText) return fault('old_text and new_text are the same: nothing would change');
  const end = lineEndOf(text);
  const candidates = [...new Set([oldText, withLineEnds(oldText, '\r\n'), withLineEnds(oldText, '\n')])];
  for (const wanted of candidates) {
    const places = placesOf(text, wanted);
    if (places.length > 1) return fault(manyPlaces(text, places));
    const at = places[0];
    if (at === undefined) continue;
    const replacement = withLineEnds(newText, wanted.includes('\n') ? (wanted.includes('\r\n') ? '\r\n' : '\n') : end);
    return { ok: true, text: text.slice(0, at) + replacement + text.slice(at + wanted.length) };
  }
  return fault(notFound(text, oldText));
}

const fault = (message: string): Replacement => ({ ok: false, message });
const withLineEnds = (text: string, end: LineEnd): string => text.replace(/\r?\n/g, end);

/** Overlapping ones too: each is a place that could be meant. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < 1000; at = text.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}

function manyPlaces(text: string, places: readonly number[]): string {
  const lines = places.slice(0, 5).map((at) => text.slice(0, at).split('\n').length);
  return `old_text stands at ${places.length} places (lines ${lines.join(', ')}${places.length > 5 ? ', …' : ''}): take more of what is around it`;
}

function notFound(text: string, oldText: string): string {
  const squeezed = (s: string): string => s.replace(/\s+/g, ' ').trim();
  const near = squeezed(oldText) !== '' && squeezed(text).includes(squeezed(oldText));
  return near
    ? 'old_text is not in the file with this white space: read it and copy it exactly'
    : 'old_text is not in the file: read it again and copy it exactly, without line numbers';
}
