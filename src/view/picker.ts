/** A list to choose from by typing: sessions, Steps to fork from, models, or who provides them. */
import { muted, plural, span, type ViewContext } from './context.ts';
import { windowOf } from './list-keys.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Line, Style } from './style.ts';
import { displayWidth, truncate } from './width.ts';
import { wrapSpans } from './wrap.ts';

export interface PickerItem {
  id: string;
  title: string;
  /** What else there is to know, the most telling first. */
  facts: readonly string[];
  /** When it was last touched (ms since the epoch). */
  at?: number;
  /** It is the one in use. */
  present?: boolean;
  /** Why it cannot be chosen, in one line. */
  refusal?: string;
  /** Of a provider: the model that it begins with. */
  model?: string;
}

export type PickerPurpose = 'sessions' | 'steps' | 'models' | 'providers';

export interface Picker {
  kind: 'picker';
  purpose: PickerPurpose;
  /** Whose models. */
  of?: string;
  query: string;
  /** The chosen row among those that the query finds. */
  index: number;
  /** Undefined while they are looked for. */
  items: readonly PickerItem[] | undefined;
  /** `sure`: a second Enter is needed. `opening`: the choice is made. */
  state: 'choosing' | 'sure' | 'opening';
  /** One line: why it could not be opened, or what Enter will do. */
  note: string;
  /** Nothing stands below: closing it leaves the program. */
  alone: boolean;
}

export const newPicker = (purpose: PickerPurpose, alone = false): Picker => ({
  kind: 'picker',
  purpose,
  query: '',
  index: 0,
  items: undefined,
  state: 'choosing',
  note: '',
  alone,
});

/** Those that have every word of the query somewhere, in their order; but one of that very name first, then what begins so. */
export function foundItems({ items = [], query }: Pick<Picker, 'items' | 'query'>): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const found = items.filter(({ id, title, facts }) => {
    const text = [title, ...facts, id].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (words.length !== 1) return found;
  // who writes a whole name means it, whatever else has it as a part
  const [word = ''] = words;
  const rank = ({ id }: PickerItem): number =>
    id.toLowerCase() === word ? 0 : id.toLowerCase().startsWith(word) ? 1 : 2;
  return [...found].sort((a, b) => rank(a) - rank(b));
}

export function chosenItem(picker: Picker): PickerItem | undefined {
  const found = foundItems(picker);
  return found[Math.min(picker.index, found.length - 1)] ?? byHand(picker);
}

/** A model that no list names is taken by the name that was typed. */
function byHand({ purpose, items, query }: Picker): PickerItem | undefined {
  const name = query.trim();
  return purpose === 'models' && items !== undefined && name !== '' ? { id: name, title: name, facts: [] } : undefined;
}

const WORDS = {
  sessions: { title: 'Sessions', choose: 'Enter opens', none: 'there is no session yet' },
  steps: { title: 'Fork: from which step?', choose: 'Enter forks there', none: 'there is no finished step yet' },
  models: { title: 'Models', choose: 'Enter takes it', none: 'no model is listed: type a name' },
  providers: { title: 'Providers', choose: 'Enter takes it', none: 'there is no provider' },
} as const;

/** Lines of one row: its title, its facts; those of a short list stand beside it. */
const ROW = { sessions: 2, steps: 2, models: 1, providers: 1 } as const;

export interface PickerDrawing {
  lines: Line[];
  cursor: { x: number; y: number };
}

/** At most `height` lines. */
export function pickerDrawing(picker: Picker, height: number, ctx: ViewContext): PickerDrawing {
  const words = WORDS[picker.purpose];
  const found = foundItems(picker);
  const total = picker.items?.length ?? 0;
  const counted = picker.items === undefined ? '' : found.length === total ? `${total}` : `${found.length} of ${total}`;
  const query = sanitizeLine(picker.query, ctx);
  const head: Line[] = [
    [
      span(picker.of === undefined ? words.title : `${words.title} of ${sanitizeLine(picker.of, ctx)}`, {
        bold: true,
        color: 'heading',
      }),
      muted(counted === '' ? '' : `  ${counted}`),
    ],
    [
      span(`${ctx.signs.prompt} `, { color: 'accent', bold: true }),
      query === '' ? muted('Type to search') : span(query),
    ],
  ];
  const foot: Line[] = [];
  if (picker.state === 'opening') foot.push([muted(`${ctx.signs.running} opening ${ctx.signs.ellipsis}`)]);
  else if (picker.note !== '')
    foot.push(
      ...wrapSpans([span(sanitizeLine(picker.note, ctx), { color: 'warning' })], ctx.width).slice(
        0,
        noteRoom(picker, found, height),
      ),
    );
  foot.push([muted(keysLine(words.choose, picker.alone ? 'Esc leaves' : 'Esc closes', ctx))]);
  const room = Math.max(1, Math.floor((height - head.length - foot.length - 1) / ROW[picker.purpose]));
  const none = (): Line[] => [
    [muted(`  ${truncate(empty(picker, words.none, ctx), ctx.width - 2, ctx.signs.ellipsis)}`)],
  ];
  const rows = found.length > 0 ? rowLines(picker, found, room, ctx) : none();
  const lines = [...head, ...rows, [], ...foot].slice(0, Math.max(1, height));
  return { lines, cursor: { x: 2 + displayWidth(query), y: 1 } };
}

/** What fits of it; how to choose is found without being told. */
function keysLine(choose: string, leave: string, { signs, width }: ViewContext): string {
  const short = [choose, leave].join(` ${signs.dot} `);
  const whole = [`${signs.up} ${signs.down} choose`, short].join(` ${signs.dot} `);
  return displayWidth(whole) <= width ? whole : short;
}

/** What a note may take: all that is left where there is nothing to choose. */
const noteRoom = (picker: Picker, found: readonly PickerItem[], height: number): number =>
  found.length > 0 || picker.items === undefined ? 2 : Math.max(2, height - 5);

function empty(picker: Picker, none: string, ctx: ViewContext): string {
  if (picker.items === undefined)
    return `looking ${ctx.signs.ellipsis}${picker.purpose === 'models' ? ' (/model NAME does without)' : ''}`;
  if (picker.query === '') return none;
  const typed = byHand(picker);
  return typed ? `not listed: Enter takes ${sanitizeLine(typed.id, ctx)} as it is` : 'nothing found';
}

function rowLines(picker: Picker, found: readonly PickerItem[], room: number, ctx: ViewContext): Line[] {
  const chosen = Math.min(picker.index, found.length - 1);
  const { shown, from } = windowOf(found, chosen, room);
  if (ROW[picker.purpose] === 2) return shown.flatMap((item, i) => itemLines(item, from + i === chosen, ctx));
  const told = shown.filter(({ facts }) => facts.length > 0);
  const widths = told.map(({ title }) => displayWidth(sanitizeLine(title, ctx)));
  // one long name must not push away what is told of the others
  const column = Math.max(0, ...widths.filter((width) => width <= ctx.width / 2));
  return shown.map((item, i) => shortLine(item, from + i === chosen, column, ctx));
}

function shortLine(item: PickerItem, chosen: boolean, column: number, ctx: ViewContext): Line {
  const title = truncate(sanitizeLine(item.title, ctx), ctx.width - 4, ctx.signs.ellipsis);
  const gap = ' '.repeat(Math.max(0, column - displayWidth(title)));
  const sign = chosen ? ctx.signs.selected : ' ';
  const facts = item.facts.map((fact) => sanitizeLine(fact, ctx)).join(` ${ctx.signs.dot} `);
  const style: Style = chosen ? { bold: true, color: 'accent' } : {};
  const room = ctx.width - 4 - displayWidth(title + gap) - 2;
  return [
    span(`${sign} ${item.present ? ctx.signs.done : ' '} `, { color: 'accent' }),
    item.refusal === undefined
      ? span(title, style)
      : { ...muted(title), ...(chosen && { style: { ...style, color: 'muted' } }) },
    muted(facts === '' || room < 4 ? '' : `${gap}  ${truncate(facts, room, ctx.signs.ellipsis)}`),
  ];
}

function itemLines(item: PickerItem, chosen: boolean, ctx: ViewContext): Line[] {
  const room = Math.max(1, ctx.width - 2);
  const facts = [...(item.at === undefined ? [] : [ago(ctx.now - item.at)]), ...item.facts].map((fact) =>
    sanitizeLine(fact, ctx),
  );
  const title = truncate(sanitizeLine(item.title, ctx), room, ctx.signs.ellipsis);
  return [
    [
      span(`${chosen ? ctx.signs.selected : ' '} `, { color: 'accent' }),
      span(title, chosen ? { bold: true, color: 'accent' } : {}),
    ],
    [muted(`  ${truncate(facts.join(` ${ctx.signs.dot} `), room, ctx.signs.ellipsis)}`)],
  ];
}

/** 90,000 ms → `1 minute ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${plural(hours, 'hour')} ago` : `${plural(Math.floor(hours / 24), 'day')} ago`;
}
