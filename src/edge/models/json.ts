/** Looking into JSON of unknown shape. */

export type JsonRecord = Record<string, unknown>;

export const asRecord = (value: unknown): JsonRecord | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A list, also where it came as an object keyed by its places, or as its only entry. */
export function asList(value: unknown): readonly unknown[] {
  const record = asRecord(value);
  if (!record) return asArray(value);
  const keys = Object.keys(record);
  if (keys.length === 0 || !keys.every((key) => /^\d+$/.test(key))) return [record];
  return keys.map((key) => ({ index: Number(key), ...asRecord(record[key]) }));
}

/** The text where it is one that says something, else ''. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The parsed value, or undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
