/**
 * Draws pictures with Ink on a terminal: frames in one synchronized write, lines printed above the region, resizes,
 * the alternate screen for overlays, and pauses in which the terminal belongs to somebody else.
 */
import { type Instance, render } from 'ink';
import type { Screen } from '../view/screen.ts';
import { App, PictureCell } from './app.tsx';
import type { UiClock } from './frame-clock.ts';
import { eraseRegion, type RegionShape, type Rewraps, ScreenOutput, type TerminalOutput } from './screen-output.ts';
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

/** How long the size must stand before the region is drawn again. */
const SETTLE_MS = 30;

export class InkScreen implements ScreenPort {
  readonly #options: InkScreenOptions;
  readonly #output: ScreenOutput;
  readonly #cell: PictureCell;
  readonly #element: React.ReactElement;
  readonly #ink: Instance;
  #write: ((text: string) => void) | undefined;
  #onReady: (() => void) | undefined;
  #overlay = false;
  /** The region on the main screen while an overlay is open. */
  #below: RegionShape | undefined;
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
    if (this.#holds.size > 0) {
      this.#heldAbove += above;
      this.#heldScreen = { screen, overlay };
      return;
    }
    if (overlay !== this.#overlay) {
      this.#switch(screen, above, overlay);
      return;
    }
    const now = this.#cell.get();
    if (above === '' && samePicture(now, screen)) return;
    this.#output.frame(() => {
      if (above !== '') this.#write?.(above);
      this.#show(screen);
    });
  }

  redraw(): void {
    this.#again(this.#cell.get());
  }

  /** A clean screen: what stood there goes up into the scrollback. */
  clear(): void {
    if (this.#holds.size > 0 || this.#overlay) return;
    this.#output.direct(`${this.#erasure('nothing')}${'\n'.repeat(this.#output.size.rows)}\x1b[H`);
    this.#afresh(this.#cell.get());
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

  /** The region is erased, or was never there: drawn from where the cursor stands. */
  #afresh(screen: Screen): void {
    this.#output.mute();
    this.#show(screen);
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
      this.#options.resized(this.#output.size);
      this.#release('resize');
    });
  };

  #release(hold: 'resize' | 'pause'): void {
    if (!this.#holds.delete(hold) || this.#holds.size > 0) return;
    const { screen, overlay } = this.#heldScreen ?? { screen: this.#cell.get(), overlay: this.#overlay };
    const above = this.#heldAbove;
    this.#heldScreen = undefined;
    this.#heldAbove = '';
    if (overlay !== this.#overlay) {
      this.#switch(screen, above, overlay);
      return;
    }
    this.#output.frame(() => {
      if (this.#overlay) this.#output.direct(CLEAN);
      else this.#erase();
      if (above !== '') this.#output.direct(above);
      this.#afresh(screen);
    });
  }
}

/** For the alternate screen, which holds nothing but ours. */
const CLEAN = '\x1b[H\x1b[J';
const EMPTY_SHAPE: RegionShape = { widths: [], cursorLine: 0, cursorColumn: 0 };

const shapeOf = (screen: Screen): RegionShape => ({
  widths: screen.widths,
  cursorLine: screen.cursor?.y ?? screen.lines.length,
  cursorColumn: screen.cursor?.x ?? 0,
});

/** Ink's canvas: one column more than the widest line, so that nothing is ever cut. */
const canvas = (screen: Screen): number => Math.max(2, ...screen.widths, screen.cursor?.x ?? 0) + 1;

function samePicture(a: Screen, b: Screen): boolean {
  return (
    a.lines.length === b.lines.length &&
    a.cursor?.x === b.cursor?.x &&
    a.cursor?.y === b.cursor?.y &&
    a.lines.every((line, i) => line === b.lines[i])
  );
}
