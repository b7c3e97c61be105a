/** Words of servers and systems made fit to print: one short line without keys. */

const MASK = '***';
/** Characters that are kept of what a server says. */
const LINE_LIMIT = 300;
const KEY_SHAPES: readonly [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${MASK}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${MASK}`],
  [
    /\b((?:api[-_ ]?key|authorization|access[-_]token|token|password|secret)["']?\s*[=:]\s*["']?)(?!\s*(?:bearer|basic)\b)[^\s"',;&]{6,}/gi,
    `$1${MASK}`,
  ],
  [/\b(?:sk|pk|rk|gsk|xai|hf|tgp|nvapi|key|ghp)[-_][\w-]{8,}/gi, MASK],
  [/\bAIza[\w-]{10,}/g, MASK],
];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A short secret is masked where it stands as a word, so that it does not eat other words. */
function maskSecret(text: string, secret: string): string {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return forms.reduce(
    (line, form) =>
      line.replace(new RegExp(secret.length < 8 ? `(?<!\\w)${escaped(form)}(?!\\w)` : escaped(form), 'g'), MASK),
    text,
  );
}

export function masked(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length > 2).sort((a, b) => b.length - a.length);
  return KEY_SHAPES.reduce((line, [shape, by]) => line.replace(shape, by), known.reduce(maskSecret, text));
}

/** Masked, on one line, without control characters, cut visibly. */
export function oneLine(text: string, secrets: readonly string[], limit = LINE_LIMIT): string {
  // a key may stand across the cut: mask more than is kept
  const line = masked(text.slice(0, limit * 8), secrets)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit).trimEnd()}…` : line;
}
