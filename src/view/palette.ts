/**
 * The colours of each theme. Those of 256 are given by their number: numbers from 16 on mean the same colour on every
 * terminal that has them, so a terminal of 16 million shows no other ones. Those of sixteen are the person's own.
 */
import type { SemanticColor } from './style.ts';

/** What a person may choose beside `auto`. */
export const THEME_NAMES = ['dark', 'light', 'ansi16', 'colorblind', 'none'] as const;
/** What is painted: `colorblind` knows the background, and terminals that have sixteen colours alone. */
export type ThemeName = (typeof THEME_NAMES)[number] | 'colorblind-light' | 'colorblind-16';

/** SGR parameters per meaning. */
export type Palette = Readonly<Record<SemanticColor, string>>;

/** Faint in the colour of the text: the sixteen have no grey that is seen on every background. */
export const FAINT = '2';

type Numbers = Readonly<Record<SemanticColor, number>>;

const DARK: Numbers = {
  accent: 75,
  heading: 117,
  code: 180,
  error: 203,
  success: 114,
  warning: 221,
  muted: 245,
  link: 75,
  quote: 250,
  keyword: 176,
  string: 150,
  number: 215,
  comment: 245,
  added: 114,
  removed: 203,
};

const LIGHT: Numbers = {
  accent: 25,
  heading: 24,
  code: 94,
  error: 160,
  success: 28,
  warning: 130,
  muted: 243,
  link: 25,
  quote: 240,
  keyword: 90,
  string: 22,
  number: 23,
  comment: 243,
  added: 28,
  removed: 160,
};

// Blue against orange: told apart without telling red from green.
const COLORBLIND: Numbers = {
  ...DARK,
  error: 208,
  success: 75,
  warning: 227,
  string: 117,
  keyword: 183,
  added: 75,
  removed: 208,
};
const COLORBLIND_LIGHT: Numbers = {
  ...LIGHT,
  error: 130,
  success: 26,
  warning: 96,
  string: 24,
  keyword: 90,
  number: 94,
  added: 26,
  removed: 130,
};

const ANSI16: Palette = {
  accent: '36',
  heading: '36',
  code: '33',
  error: '31',
  success: '32',
  warning: '33',
  muted: FAINT,
  link: '34',
  quote: FAINT,
  keyword: '35',
  string: '32',
  number: '33',
  comment: FAINT,
  added: '32',
  removed: '31',
};

const numbered = (numbers: Numbers): Palette =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, `38;5;${number}`])) as Palette;

export const PALETTES: Readonly<Record<ThemeName, Palette | undefined>> = {
  dark: numbered(DARK),
  light: numbered(LIGHT),
  ansi16: ANSI16,
  colorblind: numbered(COLORBLIND),
  'colorblind-light': numbered(COLORBLIND_LIGHT),
  'colorblind-16': { ...ANSI16, error: '33', success: '34', warning: '35', string: '36', added: '34', removed: '33' },
  none: undefined,
};
