/** One segmenter for all of the view, made at the first text that needs it: that costs what twenty files cost to load. */
let segmenter: Intl.Segmenter | undefined;

export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
