/**
 * The stdout that Ink is given. Ink decides by `rows` whether to clear the whole screen, and on a resize it erases as
 * many lines as it last wrote, however many rows the terminal has made of them since. So it is told no height and no
 * resize; whoever owns the screen erases the live region by its own reckoning and has Ink draw it afresh.
 */

/** The part of a terminal's output stream that is used. */
export interface TerminalOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(data: string, done?: () => void): boolean;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
  /** Node's own look at the size: it tells of another one before it returns, not when its signal is heard. */
  _refreshSize?(): void;
}

/** How the live region stands on the terminal. */
export interface RegionShape {
  /** Columns of each of its lines. */
  widths: readonly number[];
  /** The line that the real cursor is on; as many as there are lines where it is hidden. */
  cursorLine: number;
  cursorColumn: number;
}

/** What a terminal wraps anew when its width changes: xterm.js, for one, all lines but the one that the cursor is on. */
export type Rewraps = 'nothing' | 'lines' | 'all';

/**
 * How Ink 6 erases what it drew: down to the region's end, then line by line upwards. On a terminal that has just become
 * lower there may be no way down, and lines of the transcript would be erased instead; so it is replaced by a way up and
 * one erase below. Where Ink should write it in another way, its own bytes go out.
 */
const INK_ERASE = /^(\x1b\[\?25l(?:\x1b\[\d+B)?\x1b\[1G)?(?:\x1b\[2K\x1b\[1A)+\x1b\[2K\x1b\[G/;
const HIDE_CURSOR = '\x1b[?25l';

const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';
/** Marks the place in Ink's own writes behind which everything belongs to the new picture. */
const REDRAW_MARK = '\0redraw';

export class ScreenOutput {
  readonly #target: TerminalOutput;
  readonly #rewraps: Rewraps;
  /** Columns of Ink's canvas: its cost grows with them, so it is as wide as the lines are. */
  columns = 80;
  /** The picture that stands on the terminal now. */
  standing: RegionShape = { widths: [], cursorLine: 0, cursorColumn: 0 };
  readonly rows = undefined;
  #muted = false;
  #held: string[] | undefined;
  #redrawing = false;

  constructor(target: TerminalOutput, rewraps: Rewraps = 'lines') {
    this.#target = target;
    this.#rewraps = rewraps;
  }

  get isTTY(): boolean {
    return this.#target.isTTY === true;
  }

  /** The terminal's size, as it last told it. */
  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.#target;
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Whoever writes what only fits one size looks whether it is still that one. */
  look(): void {
    this.#target._refreshSize?.();
  }

  /** What Ink writes. Muted: dropped. Held: kept for one write. */
  write = (data: string, done?: () => void): boolean => {
    if (this.#redrawing && data === REDRAW_MARK) {
      this.#muted = false;
      return true;
    }
    if (this.#muted) {
      done?.();
      return true;
    }
    if (!this.#held) return this.#target.write(this.#erasedFirst(data), done);
    this.#hold(this.#held, data);
    done?.();
    return true;
  };

  #hold(held: string[], data: string): void {
    if (data === BEGIN_FRAME || data === END_FRAME) return;
    const erase = held.length > 0 ? INK_ERASE.exec(data) : null;
    if (!erase) {
      held.push(this.#erasedFirst(data));
      return;
    }
    // Ink drew the old picture below what was printed, only to erase it again: neither needs to go out.
    held.pop();
    held.push((erase[1] ? HIDE_CURSOR : '') + data.slice(erase[0].length));
  }

  #erasedFirst(data: string): string {
    const erase = INK_ERASE.exec(data);
    if (!erase) return data;
    const own = eraseRegion(this.standing, this.size.columns, this.#rewraps);
    return (erase[1] ? HIDE_CURSOR : '') + own + data.slice(erase[0].length);
  }

  // Ink subscribes to 'resize' and must not hear of it.
  on = (): this => this;
  off = (): this => this;
  removeListener = (): this => this;
  get writable(): boolean {
    return true;
  }
  get writableLength(): number {
    return 0;
  }

  get muted(): boolean {
    return this.#muted;
  }
  mute(): void {
    this.#muted = true;
  }

  /** Everything that Ink writes while `draw` runs goes out as one synchronized frame. */
  frame(draw: () => void): void {
    if (this.#held) {
      draw();
      return;
    }
    const held: string[] = [];
    this.#held = held;
    try {
      draw();
    } finally {
      this.#held = undefined;
      const text = held.join('');
      if (text !== '') this.#target.write(this.isTTY ? BEGIN_FRAME + text + END_FRAME : text);
    }
  }

  /**
   * The live region again from where the cursor stands, without erasing anything. `inkWrite` is Ink's own write above
   * the region: it erases the old picture (dropped here), writes the mark, and draws the new one.
   */
  redraw(inkWrite: (data: string) => void): void {
    this.#muted = true;
    this.#redrawing = true;
    this.frame(() => inkWrite(REDRAW_MARK));
    this.#redrawing = false;
    this.#muted = false;
  }

  /** Past Ink: for what the owner of the screen writes between pictures. */
  direct(data: string): void {
    if (this.#held) this.#held.push(data);
    else this.#target.write(data);
  }
}

/**
 * This line and all below. An erase that begins in the first cell of the screen would make tmux put all that is on it into
 * its history: it begins in the second.
 */
const ERASE_BELOW = '\x1b[K\x1b[C\x1b[J\r';

/**
 * From the cursor to the region's first cell, and all below erased. On a terminal that wraps what it had on its screen
 * anew after a resize, a line that is wider than the terminal takes several rows. Where it is not sure, fewer rows are
 * taken: erasing too little leaves a copy of a row, erasing too much would lose a line of the transcript.
 */
export function eraseRegion(shape: RegionShape, columns: number, rewraps: Rewraps): string {
  const rows = rowsAbove(shape, columns, rewraps);
  return `\r${rows > 0 ? `\x1b[${rows}A` : ''}${ERASE_BELOW}`;
}

/** Rows of the terminal from the region's first to the one that the cursor is on. */
export function rowsAbove(shape: RegionShape, columns: number, rewraps: Rewraps): number {
  const { widths, cursorLine, cursorColumn } = shape;
  const wrapped = (width: number): number => Math.max(1, Math.ceil(width / Math.max(1, columns)));
  let rows = 0;
  for (const width of widths.slice(0, cursorLine)) rows += rewraps === 'nothing' ? 1 : wrapped(width);
  // Behind the last cell of a full row the cursor stays on that row.
  if (rewraps === 'all') rows += wrapped(Math.min(cursorColumn + 1, widths[cursorLine] ?? 0)) - 1;
  return rows;
}
