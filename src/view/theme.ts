/** From the theme that was asked for, and what the terminal is, to the one that is painted. */
import { THEME_NAMES, type ThemeName } from './palette.ts';

export const THEME_CHOICES = ['auto', ...THEME_NAMES] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export interface Look {
  choice: ThemeChoice;
  /** The terminal's; dark where it does not say. */
  background: 'dark' | 'light';
  /** How many colours it has; 0: none are wanted. */
  colors: 0 | 16 | 256;
}

export function themeOf({ choice, background, colors }: Look): ThemeName {
  if (choice === 'none' || colors === 0) return 'none';
  if (choice === 'colorblind') {
    if (colors === 16) return 'colorblind-16';
    return background === 'light' ? 'colorblind-light' : 'colorblind';
  }
  if (choice === 'ansi16' || colors === 16) return 'ansi16';
  return choice === 'auto' ? background : choice;
}

/** The same settings with another look; the next picture is painted in it. */
export function withLook<S extends { look: Look; theme: ThemeName }>(settings: S, change: Partial<Look>): S {
  const look = { ...settings.look, ...change };
  return { ...settings, look, theme: themeOf(look) };
}
