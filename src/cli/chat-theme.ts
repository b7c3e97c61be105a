/** The theme that fits the terminal's background. */
import type { ThemeName } from '../view/style.ts';

/** `color`: as terminals answer, `rgb:ffff/ffff/ffff` with one to four digits each; undefined where it is something else. */
export function themeFor(color: string): ThemeName | undefined {
  const parts = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(color);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts
    .slice(1, 4)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
