/** Too much text is cut where it can be seen, head and tail kept (contract: Tools; ToolCallCompleted). */

/** At most about `limit` characters, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = text.slice(0, border(text, half));
  const tail = text.slice(border(text, text.length - half));
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

const border = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
};

const PREVIEW_BYTES = 2048;
const PREVIEW_LINES = 20;
const MARK = '… cut';

/** At most 2 KiB and 20 lines, the mark of the cut included. */
export function preview(text: string): string {
  const lines = text.split('\n', PREVIEW_LINES + 1);
  const kept = lines.slice(0, PREVIEW_LINES).join('\n');
  const bytes = new TextEncoder().encode(kept);
  if (lines.length <= PREVIEW_LINES && bytes.length <= PREVIEW_BYTES) return kept;
  const room = PREVIEW_BYTES - new TextEncoder().encode(`\n${MARK}`).length;
  const head = lines.slice(0, PREVIEW_LINES - 1).join('\n');
  const headBytes = new TextEncoder().encode(head);
  if (headBytes.length <= room) return `${head}\n${MARK}`;
  return `${new TextDecoder().decode(headBytes.subarray(0, room)).replace(/\uFFFD+$/, '')}\n${MARK}`;
}
