/** What the terminal says of its colours: how many it has, and what its background is. */
import type { Look } from '../view/theme.ts';

/** `color`: as terminals answer, `rgb:ffff/ffff/ffff` with one to four digits each; undefined where it is something else. */
export function backgroundOf(color: string): Look['background'] | undefined {
  const parts = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(color);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts
    .slice(1, 4)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}

/** What FORCE_COLOR means where it is a number, as other programs read it. */
const FORCED: Readonly<Record<string, Look['colors']>> = { 0: 0, false: 0, 1: 16, 2: 256, 3: 256 };
/** Terminals whose name does not say that they have 256 colours. */
const MANY = /256color|direct|kitty|alacritty|ghostty|wezterm|foot|contour|rio|iterm/i;

/** Colours of the terminal, by its environment. */
export function colorsOf(env: Readonly<Record<string, string | undefined>>): Look['colors'] {
  const { FORCE_COLOR, TERM = '', COLORTERM = '', TERM_PROGRAM, WT_SESSION } = env;
  const forced = FORCE_COLOR === undefined ? undefined : FORCED[FORCE_COLOR];
  if (forced !== undefined) return forced;
  if (TERM === 'dumb') return 0;
  if (MANY.test(TERM)) return 256;
  // it passes on what its outer terminal has, but not those colours
  if (TERM === 'linux' || (TERM.startsWith('screen') && !env.TMUX)) return 16;
  return /truecolor|24bit/i.test(COLORTERM) || TERM_PROGRAM || WT_SESSION ? 256 : 16;
}
