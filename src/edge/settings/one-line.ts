/** Makes foreign text safe to stand inside one line of ours: nothing in it can move a cursor or break the line. */

const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** White space runs become one space, control and direction characters are shown as `\u{…}`; at most `limit` characters. */
export function oneLine(text: string, limit = 400): string {
  const flat = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(UNPRINTABLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  return flat.length > limit ? `${cutAt(flat, limit - 1)}…` : flat;
}

/** A value in double quotes, as messages name it: escaped, short, without credentials of a URL. */
export function quoteValue(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(hideUserInfo(value)) : (JSON.stringify(value) ?? String(value));
  return oneLine(hideUserInfo(text), 80);
}

/** `http://user:password@host` → `http://***@host`, wherever it stands in the text. */
export function hideUserInfo(text: string): string {
  return text.replace(/\/\/[^/?#\s"']*@/g, '//***@');
}

/** Never leaves half of a surrogate pair behind. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
