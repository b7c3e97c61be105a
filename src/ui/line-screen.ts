/**
 * The screen of a screen reader: lines that are written once, and below them the one that is being typed. Nothing above
 * that line is ever touched, and nothing is written while nothing happens. Written without Ink, which draws regions.
 */
import type { Screen } from '../view/screen.ts';
import { displayWidth } from '../view/width.ts';
import type { TerminalOutput } from './screen-output.ts';
import type { ScreenPort } from './store.ts';

interface Typed {
  text: string;
  width: number;
  /** Columns before the cursor. */
  x: number;
}

const NOTHING: Typed = { text: '', width: 0, x: 0 };
const ERASE_LINE = '\r\x1b[K';

export class LineScreen implements ScreenPort {
  readonly #stdout: TerminalOutput;
  readonly #resized: (size: { rows: number; columns: number }) => void;
  /** As it stands on the terminal. */
  #typed = NOTHING;
  /** Nothing is written while the terminal is somebody else's. */
  #paused = false;
  #held: { screen: Screen; above: string } | undefined;

  constructor(stdout: TerminalOutput, resized: (size: { rows: number; columns: number }) => void) {
    this.#stdout = stdout;
    this.#resized = resized;
    stdout.on('resize', this.#onResize);
  }

  whenReady(callback: () => void): void {
    callback();
  }

  draw(screen: Screen, above: string): void {
    if (this.#paused) {
      this.#held = { screen, above: (this.#held?.above ?? '') + above };
      return;
    }
    const next = typedOf(screen);
    const text = above === '' ? editTyped(this.#typed, next) : this.#erasure() + above + editTyped(NOTHING, next);
    this.#typed = next;
    this.#write(text);
  }

  redraw(): void {
    const { text, width, x } = this.#typed;
    if (!this.#paused) this.#write(`\r${text}\x1b[K${toColumn(width, x)}`);
  }
  /** Nothing stands on the screen that could be in the way. */
  clear(): void {}

  pause(): void {
    if (this.#paused) return;
    this.#write(this.#erasure());
    this.#typed = NOTHING;
    this.#paused = true;
  }
  resume(): void {
    this.#paused = false;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.draw(held.screen, held.above);
  }

  end(words: string): void {
    this.#stdout.off('resize', this.#onResize);
    this.#write(this.#erasure() + (this.#held?.above ?? '') + words);
    this.#paused = true;
  }

  #erasure(): string {
    return this.#typed.width === 0 ? '' : ERASE_LINE;
  }
  #write(text: string): void {
    if (text !== '') this.#stdout.write(text);
  }
  readonly #onResize = (): void => {
    const { rows, columns } = this.#stdout;
    this.#resized({ rows: rows || 24, columns: columns || 80 });
  };
}

const typedOf = (screen: Screen): Typed => {
  const width = screen.widths[0] ?? 0;
  return { text: screen.lines[0] ?? '', width, x: screen.cursor?.x ?? width };
};

/** The fewest bytes from one to the other: a reader says what is written, so what stands already is not written again. */
export function editTyped(from: Typed, to: Typed): string {
  const atEnds = from.x === from.width && to.x === to.width;
  if (from.text === to.text) return toColumn(from.x, to.x);
  if (atEnds && to.text.startsWith(from.text)) {
    const more = to.text.slice(from.text.length);
    if (from.width + displayWidth(more) === to.width) return more;
  }
  if (atEnds && from.text.startsWith(to.text)) return `${'\b'.repeat(from.width - to.width)}\x1b[K`;
  return `\r${to.text}\x1b[K${toColumn(to.width, to.x)}`;
}

function toColumn(from: number, to: number): string {
  if (from === to) return '';
  return to < from ? `\x1b[${from - to}D` : `\x1b[${to - from}C`;
}
