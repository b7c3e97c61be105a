/**
 * Foreign text in an exported page. What could reorder or hide text is shown as in the chat (sanitize.ts), then all that
 * HTML would read is escaped: the result stands between tags and within double quotes alike.
 */
import { sanitizeLine, sanitizeTabbed } from './sanitize.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (safe: string): string => safe.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** Several lines. Tabs stay: a page can show them. */
export const pageText = (text: string): string => escapeHtml(sanitizeTabbed(text));

/** One line. */
export const pageLine = (text: string): string => escapeHtml(sanitizeLine(text));

const FOLLOWED = new Set(['http:', 'https:', 'mailto:']);

/** The address as a browser would read it, where a page may lead there. Anything else is only shown. */
export function pageAddress(href: string): string | undefined {
  const trimmed = href.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  return FOLLOWED.has(url.protocol) ? url.href : undefined;
}

/** What is too long to stand open. `html` is safe already, `label` is not. */
export const folded = (label: string, html: string, kind: string): string =>
  `<details class="${kind}"><summary>${pageLine(label)}</summary>${html}</details>\n`;

const MOST_LINES = 60;
const MOST_CHARACTERS = 8_000;

/** Text as it was written, folded where it is huge. */
export function preformatted(text: string): string {
  const html = `<pre>${pageText(text)}</pre>\n`;
  const lines = text.split('\n');
  if (lines.length <= MOST_LINES && text.length <= MOST_CHARACTERS) return html;
  const begins = [...(lines.find((line) => line.trim() !== '') ?? '').slice(0, 200)].slice(0, 80).join('');
  const size = lines.length > 1 ? `${lines.length} lines` : `${text.length} characters`;
  return folded(`${size}: ${begins} …`, html, 'long');
}
