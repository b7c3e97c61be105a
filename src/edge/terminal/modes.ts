/** What the program switches on in the terminal, and how every bit of it is switched off again. */

export type TerminalMode = 'bracketed-paste' | 'focus' | 'kitty' | 'hidden-cursor' | 'alternate-screen' | 'title';

interface Switch {
  readonly on: string;
  readonly off: string;
}

const switches: Readonly<Record<TerminalMode, Switch>> = {
  'bracketed-paste': { on: '\x1b[?2004h', off: '\x1b[?2004l' },
  focus: { on: '\x1b[?1004h', off: '\x1b[?1004l' },
  // a level of our own on the terminal's stack: the shell's stays as it was
  kitty: { on: '\x1b[>1u', off: '\x1b[<u' },
  'hidden-cursor': { on: '\x1b[?25l', off: '\x1b[?25h' },
  // left empty: tmux shows on the main screen what stood there, where the window grew meanwhile
  'alternate-screen': { on: '\x1b[?1049h', off: '\x1b[H\x1b[J\x1b[?1049l' },
  // the title that was there is put aside, and taken back
  title: { on: '\x1b[22;2t', off: '\x1b[23;2t' },
};

/** Questions to the terminal; the decoder gives the answers as `reply`. Every terminal answers the last, so it goes last. */
export const queries = {
  kitty: '\x1b[?u',
  background: '\x1b]11;?\x1b\\',
  deviceAttributes: '\x1b[c',
} as const;

/**
 * The modes that this program has switched on. `write` must be synchronous where `restore` is called from an exit handler.
 *
 * In the kitty protocol each screen has a keyboard stack of its own: what is pushed on one is popped on that one, whatever
 * came in between, or the level of the shell would be lost.
 */
export class TerminalModes {
  readonly #write: (text: string) => void;
  /** In the order in which they were switched on. */
  #on: readonly TerminalMode[] = [];
  #kittyPushed = { main: false, alternate: false };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** What is on, to be switched on again after a suspension. */
  get active(): readonly TerminalMode[] {
    return this.#on;
  }

  isOn(mode: TerminalMode): boolean {
    return this.#on.includes(mode);
  }

  /** Nothing is written where the mode is on already. */
  turnOn(mode: TerminalMode): void {
    if (this.isOn(mode)) return;
    this.#on = [...this.#on, mode];
    this.#write((mode === 'kitty' ? '' : switches[mode].on) + this.#settleKitty());
  }

  /** Nothing is written where the mode is off already. */
  turnOff(mode: TerminalMode): void {
    if (this.isOn(mode)) this.#write(this.#undo(mode));
  }

  /** Switches off what is on, the last first, in one write. A second call writes nothing. */
  restore(): void {
    const text = [...this.#on].reverse().map((mode) => this.#undo(mode));
    if (text.length > 0) this.#write(text.join(''));
  }

  #undo(mode: TerminalMode): string {
    const leaves = mode === 'alternate-screen' && this.#kittyPushed.alternate;
    if (leaves) this.#kittyPushed.alternate = false;
    this.#on = this.#on.filter((other) => other !== mode);
    return (leaves ? switches.kitty.off : '') + (mode === 'kitty' ? '' : switches[mode].off) + this.#settleKitty();
  }

  /** Brings the keyboard stack of the screen that is shown to what is wanted. */
  #settleKitty(): string {
    const screen = this.isOn('alternate-screen') ? 'alternate' : 'main';
    const wanted = this.isOn('kitty');
    if (this.#kittyPushed[screen] === wanted) return '';
    this.#kittyPushed[screen] = wanted;
    return wanted ? switches.kitty.on : switches.kitty.off;
  }
}
