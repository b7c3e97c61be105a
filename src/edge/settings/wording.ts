/** How messages about settings are worded: the key, where its value comes from, the value, and what is allowed. */
import { oneLine, quoteValue } from './one-line.ts';
import { describeOrigin, type Origin } from './sources.ts';

/** One line; a secret's value is never repeated. */
export function wrongValue(key: string, origin: Origin, value: unknown, allowed: string, secret = false): string {
  const shown = secret ? 'not usable (not shown)' : quoteValue(value);
  return `${key} (from ${oneLine(describeOrigin(origin))}) is ${shown}; allowed: ${allowed}`;
}

/** At most `most` of the names, and how many more there are. */
export function someOf(names: readonly string[], most = 4): string {
  const shown = names.slice(0, most).map((name) => oneLine(name, 60));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
