/** The settings as a list to search and to change: what holds, who says so, what each is for. */
import { muted, span, type ViewContext } from './context.ts';
import { windowOf } from './list-keys.ts';
import { sanitizeLine } from './sanitize.ts';
import { isSecretName } from './secret-setting.ts';
import type { Line } from './style.ts';
import { displayWidth, padEnd, truncate } from './width.ts';
import { wrapSpans } from './wrap.ts';

export interface SettingView {
  key: string;
  /** As it may be shown; empty where it is not set. */
  value: string;
  /** Who says so, in a word and in whole. */
  origin: { from: string; name: string };
  help: string;
  /** What may be written. */
  allowed: string;
  /** All that may be written, where that is a list. */
  choices: readonly string[];
  /** What is typed for it is not shown. */
  secret: boolean;
  /** A change counts at once, not from the next start on. */
  atOnce: boolean;
}

export interface SettingsOverlay {
  kind: 'settings';
  /** Undefined while they are read. */
  rows: readonly SettingView[] | undefined;
  query: string;
  /** The chosen row among those that the query finds. */
  index: number;
  note: { text: string; wrong: boolean } | undefined;
  /** One is being written; `saving`: it is on its way. */
  edit?: { key: string; text: string; saving: boolean };
}

export const newSettings = (query = ''): SettingsOverlay => ({
  kind: 'settings',
  rows: undefined,
  query,
  index: 0,
  note: undefined,
});

/** Those that have every word of the query in their name, or else in what is told of them. */
export function foundSettings({ rows = [], query }: Pick<SettingsOverlay, 'rows' | 'query'>): readonly SettingView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const having = (textOf: (row: SettingView) => string) =>
    rows.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)));
  const named = having(({ key }) => key);
  const told = having(({ key, help, value }) => [key, help, value].join('\n'));
  return [...named, ...told.filter((row) => !named.includes(row))];
}

export const chosenSetting = (overlay: SettingsOverlay): SettingView | undefined => {
  const found = foundSettings(overlay);
  return found[Math.min(overlay.index, found.length - 1)];
};

/** The one that is written, also where no row has it yet. */
export const editedSetting = ({ rows = [], edit }: SettingsOverlay): SettingView | undefined =>
  rows.find(({ key }) => key === edit?.key);

export interface SettingsDrawing {
  lines: Line[];
  cursor: { x: number; y: number };
}

/** At most `height` lines. */
export function settingsDrawing(overlay: SettingsOverlay, height: number, ctx: ViewContext): SettingsDrawing {
  const { edit, rows } = overlay;
  const found = foundSettings(overlay);
  const counted =
    rows === undefined ? '' : found.length === rows.length ? `${rows.length}` : `${found.length} of ${rows.length}`;
  const query = sanitizeLine(overlay.query, ctx);
  const head: Line[] = [
    [span('Settings', { bold: true, color: 'heading' }), muted(counted === '' ? '' : `  ${counted}`)],
    [
      span(`${ctx.signs.prompt} `, { color: 'accent', bold: true }),
      query === '' ? muted('Type to search') : span(query),
    ],
  ];
  const field = edit ? fieldLine(overlay, edit, ctx) : undefined;
  const foot = [
    ...(field ? [field] : []),
    ...detail(edit ? editedSetting(overlay) : chosenSetting(overlay), edit !== undefined, ctx).slice(0, 4),
    ...noteLines(overlay, ctx),
    [muted(keysLine(overlay, ctx))],
  ];
  const room = Math.max(1, height - head.length - foot.length - 1);
  const body = found.length > 0 ? rowLines(overlay, found, room, ctx) : [[muted(`  ${empty(overlay, ctx)}`)]];
  const lines = [...head, ...body, [], ...foot];
  const over = Math.max(0, lines.length - Math.max(1, height));
  // the line that is written outlives what is told of it
  const y = field ? head.length + body.length + 1 : 1;
  const x = field ? lineCells(field) : 2 + displayWidth(query);
  const cut = field ? [...lines.slice(0, y + 1), ...lines.slice(y + 1 + over)] : lines;
  return { lines: cut.slice(0, Math.max(1, height)), cursor: { x, y } };
}

const lineCells = (line: Line): number => line.reduce((sum, { text }) => sum + displayWidth(text), 0);

function rowLines(overlay: SettingsOverlay, found: readonly SettingView[], room: number, ctx: ViewContext): Line[] {
  const chosen = Math.min(overlay.index, found.length - 1);
  const { shown, from } = windowOf(found, chosen, room);
  const widest = Math.max(...found.map(({ key }) => displayWidth(key)));
  const column = Math.min(widest, Math.max(14, Math.floor(ctx.width / 3)));
  return shown.map((row, i) => rowLine(row, from + i === chosen, column, ctx));
}

/** Wide enough to stand beside the value. */
const ORIGIN = 11;
/** A row is read across: on a wider screen its end would be lost. */
const WIDEST_ROW = 120;

function rowLine(row: SettingView, chosen: boolean, column: number, ctx: ViewContext): Line {
  const style = chosen ? { bold: true, color: 'accent' as const } : {};
  const key = padEnd(truncate(sanitizeLine(row.key, ctx), column, ctx.signs.ellipsis), column);
  const wide = ctx.width >= 60;
  const room = Math.max(1, Math.min(ctx.width, WIDEST_ROW) - 4 - column - (wide ? ORIGIN + 2 : 0));
  const held = row.secret ? row.value.replaceAll('…', ctx.signs.ellipsis) : row.value;
  const value = truncate(sanitizeLine(held || 'not set', ctx), room, ctx.signs.ellipsis);
  const by = row.value === '' ? '' : row.origin.from;
  return [
    span(`${chosen ? ctx.signs.selected : ' '} `, { color: 'accent' }),
    span(`${key}  `, style),
    row.value === '' ? muted(value) : span(value),
    muted(wide && by !== '' ? `${' '.repeat(Math.max(0, room - displayWidth(value)))}  ${by}` : ''),
  ];
}

/** What is told of the one row: for what it is, what may be written, who says what holds, when a change counts. */
function detail(row: SettingView | undefined, editing: boolean, ctx: ViewContext): Line[] {
  if (!row) return [];
  const when = row.atOnce ? 'Counts at once' : 'Counts from the next start on';
  const by = row.value === '' ? 'Not set' : row.origin.from === 'default' ? 'By default' : `By ${row.origin.name}`;
  const facts = editing
    ? [`Allowed: ${row.allowed}.`, `${when}.`]
    : [row.help, `${by}.`, ...(ctx.width >= 60 ? [`Allowed: ${row.allowed}. ${when}.`] : [])];
  return facts.flatMap((fact) => wrapSpans([muted(sanitizeLine(fact, ctx))], ctx.width));
}

function fieldLine({ rows = [] }: SettingsOverlay, edit: { key: string; text: string }, ctx: ViewContext): Line {
  const lead = `${truncate(sanitizeLine(edit.key, ctx), Math.floor(ctx.width / 2), ctx.signs.ellipsis)} = `;
  const secret = rows.find(({ key }) => key === edit.key)?.secret ?? isSecretName(edit.key);
  const text = secret ? (ctx.ascii ? '*' : '•').repeat([...edit.text].length) : sanitizeLine(edit.text, ctx);
  return [
    span(lead, { bold: true, color: 'accent' }),
    span(tail(text, Math.max(1, ctx.width - displayWidth(lead) - 1))),
  ];
}

/** The end of a text, which is where it is written. */
function tail(text: string, width: number): string {
  // a value may be long: no sign that is seen has more than a few units
  const letters = [...text.slice(-8 * width)];
  while (displayWidth(letters.join('')) > width) letters.shift();
  return letters.join('');
}

function noteLines({ note }: SettingsOverlay, ctx: ViewContext): Line[] {
  if (!note) return [];
  const text = span(sanitizeLine(note.text, ctx), { color: note.wrong ? 'error' : 'success' });
  return wrapSpans([text], ctx.width).slice(0, 3);
}

function keysLine({ edit, rows = [] }: SettingsOverlay, { signs, width }: ViewContext): string {
  const dot = ` ${signs.dot} `;
  if (edit?.saving) return `saving ${signs.ellipsis}`;
  const choices = edit && (rows.find(({ key }) => key === edit.key)?.choices.length ?? 0) > 0;
  const words = edit
    ? ['Enter saves', 'Esc leaves it', ...(choices ? [`${signs.up} ${signs.down} choose`] : [])]
    : ['Enter changes', 'Esc closes', `${signs.up} ${signs.down} choose`];
  const kept: string[] = [];
  for (const word of words) if (displayWidth([...kept, word].join(dot)) <= width) kept.push(word);
  return kept.join(dot);
}

function empty({ rows, query }: SettingsOverlay, { signs }: ViewContext): string {
  if (rows === undefined) return `reading ${signs.ellipsis}`;
  return query.includes('.') ? 'not set: Enter sets it' : 'nothing found';
}
