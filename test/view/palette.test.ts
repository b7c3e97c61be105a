/** The colours can be read, and told apart by people who see red and green alike. */
import { describe, expect, test } from 'vitest';
import { PALETTES, type Palette, type ThemeName } from '../../src/view/palette.ts';
import type { SemanticColor } from '../../src/view/style.ts';

type Rgb = readonly [number, number, number];

/** One of xterm's 256 from 16 on: a cube of six steps, then greys. */
function rgbOf(number: number): Rgb {
  if (number >= 232) return Array(3).fill(8 + (number - 232) * 10) as unknown as Rgb;
  const step = (n: number): number => [0, 95, 135, 175, 215, 255][n % 6] ?? 0;
  const n = number - 16;
  return [step(Math.floor(n / 36)), step(Math.floor(n / 6)), step(n)];
}

const linear = (channel: number): number =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
const gamma = (light: number): number => {
  const x = Math.min(1, Math.max(0, light));
  return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
};
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** WCAG 2: from 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** What eyes without one kind of cone see (Machado et al. 2009, severity 1). */
const EYES: Record<string, readonly Rgb[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};
const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const seen = (color: Rgb, eyes: readonly Rgb[]): Rgb => {
  const light = color.map(linear) as unknown as Rgb;
  return eyes.map((row) => gamma(dot(row, light))) as unknown as Rgb;
};

/** CIE L*a*b*; a distance of 2 is just seen side by side. */
function lab(color: Rgb): Rgb {
  const light = color.map(linear) as unknown as Rgb;
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f(dot([0.4124, 0.3576, 0.1805], light) / 0.95047);
  const y = f(dot([0.2126, 0.7152, 0.0722], light));
  const z = f(dot([0.0193, 0.1192, 0.9505], light) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a: Rgb, b: Rgb): number => Math.hypot(...lab(a).map((value, i) => value - (lab(b)[i] ?? 0)));

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Backgrounds that are in use beside pure black and white. */
const ON: [ThemeName, readonly Rgb[]][] = [
  ['dark', [BLACK, [30, 30, 30]]],
  ['colorblind', [BLACK, [30, 30, 30]]],
  ['light', [WHITE]],
  ['colorblind-light', [WHITE]],
];
const QUIET: readonly SemanticColor[] = ['muted', 'comment'];

const colorsOf = (theme: ThemeName): [SemanticColor, Rgb][] =>
  Object.entries(PALETTES[theme] as Palette).map(([name, code]) => [
    name as SemanticColor,
    rgbOf(Number(/^38;5;(\d+)$/.exec(code)?.[1])),
  ]);

test('the measure is right', () => {
  expect(contrast(BLACK, WHITE)).toBeCloseTo(21, 5);
  expect(contrast([118, 118, 118], WHITE)).toBeCloseTo(4.54, 2);
  expect(rgbOf(208)).toEqual([255, 135, 0]);
  expect(rgbOf(245)).toEqual([138, 138, 138]);
  // what the themes for everybody else do not promise: red and green
  const [error, success] = [rgbOf(160), rgbOf(28)];
  expect(distance(seen(error, EYES.usual ?? []), seen(success, EYES.usual ?? []))).toBeGreaterThan(80);
});

describe.each(ON)('theme %s', (theme, backgrounds) => {
  test.each(colorsOf(theme))('%s can be read', (name, color) => {
    const least = QUIET.includes(name) ? 3 : 4.5;
    for (const background of backgrounds) expect(contrast(color, background)).toBeGreaterThanOrEqual(least);
  });
});

const PAIRS: [SemanticColor, SemanticColor][] = [
  ['error', 'success'],
  ['added', 'removed'],
  ['error', 'warning'],
  ['warning', 'success'],
  ['error', 'accent'],
  ['warning', 'accent'],
];
describe.each(['colorblind', 'colorblind-light'] as const)('theme %s, seen with', (theme) => {
  const colors = new Map(colorsOf(theme));
  const of = (name: SemanticColor): Rgb => colors.get(name) ?? BLACK;
  test.each(Object.entries(EYES))('%s', (_name, eyes) => {
    for (const [a, b] of PAIRS)
      expect(distance(seen(of(a), eyes), seen(of(b), eyes)), `${a} and ${b}`).toBeGreaterThan(25);
  });
});

test('the terminal’s own colours are its own: no number is fixed, and no grey that a scheme may hide', () => {
  for (const theme of ['ansi16', 'colorblind-16'] as const)
    for (const code of Object.values(PALETTES[theme] ?? {})) expect(code).toMatch(/^(?:2|3[1-7])$/);
});
