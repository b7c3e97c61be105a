/** The open block of a Markdown text and what stands around it: the values that markdown-frame.ts folds lines into. */
import type { LinkTargets } from './markdown-inline.ts';
import type { DrawOptions } from './markdown-leaf.ts';
import type { FenceStart } from './markdown-lines.ts';
import type { Line } from './style.ts';

/** A source line: `lazy` goes on with the paragraph that is open; `rest` is more of a line too long for one piece. */
export type SourceLine = { text: string; mode: 'line' | 'lazy' | 'rest' };

export type Paragraph = {
  kind: 'paragraph';
  text: string;
  /** Its last line, to know a table by its second one. */
  last: string;
  /** Header and delimiter, once it is known to be a table. */
  table?: string;
  /** Blocks are no longer looked for: nested too deep, or amid a line. */
  plain: boolean;
};
export type Verbatim =
  /** `open`: a comment or text of several lines that the last line left open, for its colours. */
  | ({ kind: 'fence'; open: string } & FenceStart)
  | { kind: 'indented' }
  | { kind: 'html'; end: string }
  | { kind: 'formula'; end: string };
export type Container = ItemBlock | { kind: 'quote'; inner: Frame };
export type ItemBlock = {
  kind: 'item';
  inner: Frame;
  offset: number;
  marker: string;
  numbered: boolean;
  started: boolean;
};
type Block = Paragraph | Verbatim | Container;

export type Frame = {
  readonly open?: Block;
  /** An empty line stands before what the open block prints first. */
  readonly gap: boolean;
  /** An empty line came after the last content. */
  readonly blank: boolean;
  readonly printed: boolean;
  /** The last block wants an empty line behind it. */
  readonly roomy: boolean;
  /** The list that the last block was an item of. */
  readonly list?: { sign: string; next: number };
};

export type FrameContext = {
  width: number;
  depth: number;
  options: DrawOptions;
  /** Shared by all frames of a document; replaced when a definition is met. */
  shared: { links: LinkTargets };
  /** Drawing what may still change: of a long block its end is enough. */
  preview: boolean;
};

export type Step = { frame: Frame; lines: Line[] };

export const EMPTY_FRAME: Frame = { gap: false, blank: false, printed: false, roomy: false };

export function still(frame: Frame): Step {
  return { frame, lines: [] };
}

/** Prints lines of the block that is or was open. */
export function print(frame: Frame, lines: Line[]): Step {
  if (lines.length === 0) return still(frame);
  return { frame: { ...frame, printed: true, gap: false }, lines: frame.gap ? [[], ...lines] : lines };
}
