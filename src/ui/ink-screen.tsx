/**
 * Draws pictures with Ink on a terminal: frames in one synchronized write, lines printed above the region, resizes,
 * the alternate screen for overlays, and pauses in which the terminal belongs to somebody else.
 */
import { type Instance, render } from 'ink';
import type { Screen } from '../view/screen.ts';
import { App, PictureCell } from './app.tsx';
import type { UiClock } from './frame-clock.ts';
import { canvas, cursorLine, EMPTY_SHAPE, linesIn, lowered, mayWrap, samePicture, shapeOf } from './picture.ts';
import {
  eraseRegion,
  type RegionShape,
  type Rewraps,
  rowsAbove,
  ScreenOutput,
  type TerminalOutput,
} from './screen-output.ts';
import type { ScreenPort } from './store.ts';

export interface InkScreenOptions {
  stdin: NodeJS.ReadStream;
  stdout: TerminalOutput;
  stderr: NodeJS.WriteStream;
  clock: UiClock;
  /** Overlays stand on the alternate screen. */
  alternate(on: boolean): void;
  rewraps: Rewraps;
  /** The size was settled after a resize. */
  resized(size: { rows: number; columns: number }): void;
}

/**
 * How long the size must stand before the region is drawn again. What is on its way when the terminal changes once more
 * is reckoned for another size, and takes too few rows away or too many: no pause within a drag is as long.
 */
const SETTLE_MS = 120;

export class InkScreen implements ScreenPort {
  readonly #options: InkScreenOptions;
  readonly #output: ScreenOutput;
  readonly #cell: PictureCell;
  /** What is in the cell, without the slack. */
  #plain: Screen;
  readonly #element: React.ReactElement;
  readonly #ink: Instance;
  #write: ((text: string) => void) | undefined;
  #onReady: (() => void) | undefined;
  #overlay = false;
  /** The region on the main screen while an overlay is open. */
  #below: RegionShape | undefined;
  /**
   * Empty rows on top of the region. A terminal that becomes narrower may push what it wraps into its scrollback, from
   * where nothing can be erased, although there is room below the region; so a resize does not lift the region's end.
   */
  #slack = 0;
  /** Why nothing may be drawn now. */
  #holds = new Set<'resize' | 'pause' | 'end'>();
  #heldAbove = '';
  #heldScreen: { screen: Screen; overlay: boolean } | undefined;
  #cancelSettle: (() => void) | undefined;

  constructor(first: Screen, options: InkScreenOptions) {
    this.#options = options;
    this.#output = new ScreenOutput(options.stdout, options.rewraps);
    this.#output.columns = canvas(first);
    this.#cell = new PictureCell(first);
    this.#plain = first;
    this.#output.standing = shapeOf(first);
    const ready = (write: (text: string) => void) => {
      this.#write = write;
      this.#onReady?.();
    };
    this.#element = <App cell={this.#cell} ready={ready} />;
    this.#ink = render(this.#element, {
      stdin: options.stdin,
      stdout: this.#output as unknown as NodeJS.WriteStream,
      stderr: options.stderr,
      exitOnCtrlC: false,
      patchConsole: true,
      // The frame clock owns the rate: Ink draws what it is given, when it is given.
      maxFps: 0,
    });
    options.stdout.on('resize', this.#onResize);
  }

  /** Calls back when lines can be printed above the region; at once where they can. */
  whenReady(callback: () => void): void {
    if (this.#write) callback();
    else this.#onReady = callback;
  }

  draw(screen: Screen, above: string, overlay: boolean): void {
    this.#output.look();
    if (this.#holds.size > 0) {
      this.#heldAbove += above;
      this.#heldScreen = { screen, overlay };
      return;
    }
    if (overlay !== this.#overlay) {
      this.#switch(screen, above, overlay);
      return;
    }
    const taken = above === '' ? cursorLine(screen) - cursorLine(this.#plain) : linesIn(above);
    const placed = this.#placed(screen, Math.min(this.#slack, this.#slack - taken));
    if (above === '' && samePicture(this.#cell.get(), placed)) return;
    this.#output.frame(() => {
      if (above !== '') this.#write?.(above);
      this.#show(placed);
    });
  }

  redraw(): void {
    this.#again(this.#plain);
  }

  /** A clean screen: what stood there goes up into the scrollback. */
  clear(): void {
    if (this.#holds.size > 0 || this.#overlay) return;
    this.#output.direct(`${this.#erasure('nothing')}${'\n'.repeat(this.#output.size.rows)}\x1b[H`);
    this.#afresh(this.#plain);
  }

  /** The terminal is somebody else's until `resume`. */
  pause(): void {
    if (this.#holds.has('pause')) return;
    this.#erase();
    this.#holds.add('pause');
  }
  resume(): void {
    this.#release('pause');
  }

  /** Erases the region and gives the terminal back. `words` are the last ones. */
  end(words: string): void {
    if (this.#holds.has('end')) return;
    this.#cancelSettle?.();
    if (this.#overlay) this.#leaveOverlay();
    this.#erase();
    const above = this.#heldAbove;
    this.#heldAbove = '';
    this.#output.direct(`${above}${words}\x1b[?25h`);
    this.#holds.add('end');
    this.#output.mute();
    this.#options.stdout.off('resize', this.#onResize);
    this.#ink.unmount();
  }

  #show(screen: Screen): void {
    this.#output.columns = canvas(screen);
    this.#cell.set(screen);
    // Flushes React's work, so that the frame holds this picture and no older one.
    this.#ink.rerender(this.#element);
    this.#output.standing = shapeOf(screen);
  }

  /** With so many empty rows on top, where there is room for them. */
  #placed(screen: Screen, slack: number): Screen {
    this.#plain = screen;
    const { rows, columns } = this.#output.size;
    const room = Math.min(slack, rows - 2 - screen.lines.length, mayWrap(screen, columns));
    this.#slack = this.#overlay ? 0 : Math.max(0, room);
    return this.#slack === 0 ? screen : lowered(screen, this.#slack);
  }

  /** The region is erased, or was never there: drawn from where the cursor stands. */
  #afresh(screen: Screen, slack = 0): void {
    this.#output.mute();
    this.#show(this.#placed(screen, slack));
    this.#output.redraw((text) => this.#write?.(text));
  }

  #again(screen: Screen): void {
    if (this.#holds.size > 0) return;
    this.#output.direct(this.#erasure('nothing'));
    this.#afresh(screen);
  }

  #switch(screen: Screen, above: string, overlay: boolean): void {
    if (overlay) {
      this.#below = this.#output.standing;
      this.#overlay = true;
      this.#options.alternate(true);
      this.#output.direct(CLEAN);
      this.#afresh(screen);
      return;
    }
    this.#leaveOverlay();
    this.#afresh(screen);
    if (above !== '') this.draw(screen, above, false);
  }

  /** Back on the main screen, with the region that stands there erased. */
  #leaveOverlay(): void {
    this.#options.alternate(false);
    this.#overlay = false;
    this.#output.standing = this.#below ?? this.#output.standing;
    this.#below = undefined;
    this.#erase();
  }

  #erase(): void {
    if (this.#output.standing === EMPTY_SHAPE) return;
    this.#output.direct(this.#erasure(this.#options.rewraps));
    this.#output.standing = EMPTY_SHAPE;
    this.#output.mute();
  }

  #erasure(rewraps: Rewraps): string {
    return this.#overlay ? CLEAN : eraseRegion(this.#output.standing, this.#output.size.columns, rewraps);
  }

  /** The picture stands, wrapped anew by the terminal, until the size does: how it lies is known only then. */
  readonly #onResize = (): void => {
    this.#holds.add('resize');
    this.#cancelSettle?.();
    this.#cancelSettle = this.#options.clock.after(SETTLE_MS, () => {
      this.#cancelSettle = undefined;
      this.#output.look();
      if (this.#cancelSettle) return;
      this.#options.resized(this.#output.size);
      this.#release('resize');
    });
  };

  #release(hold: 'resize' | 'pause'): void {
    if (!this.#holds.delete(hold) || this.#holds.size > 0) return;
    const { screen, overlay } = this.#heldScreen ?? { screen: this.#plain, overlay: this.#overlay };
    const above = this.#heldAbove;
    this.#heldScreen = undefined;
    this.#heldAbove = '';
    if (overlay !== this.#overlay) {
      this.#switch(screen, above, overlay);
      return;
    }
    const { rewraps } = this.#options;
    const stood = rewraps === 'nothing' ? 0 : rowsAbove(this.#output.standing, this.#output.size.columns, rewraps);
    this.#output.frame(() => {
      if (this.#overlay) this.#output.direct(CLEAN);
      else this.#erase();
      if (above !== '') this.#output.direct(above);
      this.#afresh(screen, stood - cursorLine(screen) - linesIn(above));
    });
  }
}

/** For the alternate screen, which holds nothing but ours. */
const CLEAN = '\x1b[H\x1b[J';
