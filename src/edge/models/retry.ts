/** When a failed request is made again, and after which wait (contract: Provider). Pure. */

/** Requests of one Step at most: the first and four more. */
export const MAX_ATTEMPTS = 5;
/** The longest wait that a server may ask for. */
const WAIT_LIMIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const JITTER = 0.2;

type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type Wait = { ms: number } | { tooLongMs: number };

const single = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).trim();
const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);
/** A date parser guesses at anything: only what looks like an HTTP date is one. */
const isDate = (text: string): boolean => /^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text);

/** The wait that the headers name, in ms; undefined where they name none that makes sense. */
export function namedWait(headers: Headers, now: number): number | undefined {
  const exact = single(headers['retry-after-ms']);
  if (isNumber(exact) && Number(exact) > 0) return Number(exact);
  const hint = single(headers['retry-after']);
  const ms = isNumber(hint) ? Number(hint) * 1000 : isDate(hint) ? Date.parse(hint) - now : Number.NaN;
  return ms > 0 ? ms : undefined;
}

/** The wait after the failed request number `attempt`, counted from 1. `random` in [0, 1). */
export function waitAfter(attempt: number, headers: Headers, now: number, random: () => number): Wait {
  const named = namedWait(headers, now);
  if (named === undefined)
    return { ms: Math.round(FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 - JITTER + 2 * JITTER * random())) };
  return named > WAIT_LIMIT_MS ? { tooLongMs: named } : { ms: Math.ceil(named) };
}

const UNITS: readonly [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** In words of the largest unit that is full, e.g. "2 days (172800 s)". */
export function waitInWords(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? UNITS[3]!;
  const count = Math.round((ms / size) * 10) / 10;
  return `${count} ${unit}${count === 1 ? '' : 's'} (${Math.ceil(ms / 1000)} s)`;
}
