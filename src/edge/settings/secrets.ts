/** What may never be printed whole: keys, passwords of base URLs, values of headers. */

/** A secret shorter than this also occurs by chance in ordinary text: masking it everywhere would destroy the text. */
const SHORTEST = 4;

/** `sk-…abcd`: enough to tell two keys apart, too little to use one. */
export function maskKey(secret: string): string {
  if (secret.length < 16) return '…';
  const prefix = /^[a-z]{2,4}-/i.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.slice(-4)}`;
}

/** Replaces every occurrence, the longest first, since one secret may begin with another. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length >= SHORTEST && masked.includes(secret)) masked = masked.split(secret).join(maskKey(secret));
  }
  return masked;
}

/**
 * The credentials of a base URL taken out of it: the plain URL, the Basic header that says the same, and all spellings
 * under which they could show up in a text.
 */
export function splitUserInfo(baseUrl: string): { baseUrl: string; authorization?: string; secrets: string[] } {
  const url = new URL(baseUrl);
  if (url.username === '' && url.password === '') return { baseUrl, secrets: [] };
  const [user, password] = [decode(url.username), decode(url.password)];
  const basic = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  const secrets = [basic, password, url.password].filter((secret) => secret !== '');
  url.username = '';
  url.password = '';
  return { baseUrl: url.href, authorization: `Basic ${basic}`, secrets };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
