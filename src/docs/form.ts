/** What the codec's tables say of a value, in words: shapes that have a name are told once, by that name. */
import * as content from '../edge/wire/content-codec.ts';
import { cause, failure, request } from '../edge/wire/event-codec.ts';
import type { Form } from '../edge/wire/field.ts';
import { code, table } from './table.ts';

type Formed = { form: Form };

const SCALARS: Readonly<Record<string, string>> = {
  'non-negative whole number': 'whole number',
  'non-negative number': 'number',
};

/** In the order in which they are explained. */
const NAMED = new Map<Form, string>([
  [content.message.form, 'message'],
  [content.userMessage.form, 'user message'],
  [content.assistantMessage.form, 'assistant message'],
  [content.toolMessage.form, 'tool message'],
  [content.inputBlock.form, 'input block'],
  [content.assistantBlock.form, 'assistant block'],
  [content.toolResult.form, 'tool result'],
  [content.chunk.form, 'chunk'],
  [content.usage.form, 'usage'],
  [cause.form, 'cause'],
  [failure.form, 'failure'],
  [request.form, 'request'],
]);

export function wording({ form }: Formed): string {
  const name = NAMED.get(form);
  return name === undefined ? spelled(form) : `*${name}*`;
}

function spelled(form: Form): string {
  switch (form.is) {
    case 'scalar':
      return SCALARS[form.name] ?? form.name;
    case 'choice':
      return form.values.map((value) => code(JSON.stringify(value))).join(' or ');
    case 'list':
      return `list of ${wording(form.of)}`;
    case 'object':
      return `{${form.fields.map(fieldWording).join(', ')}}`;
    case 'union':
      return form.of.map(wording).join(' or ');
    default:
      return wording(form.of);
  }
}

/** Whether the field is printed where it is zero, empty or false, or may be missing although zero would mean something. */
function presence({ form }: Formed): string {
  if (form.is === 'always' || form.is === 'optional') return form.is;
  return form.is === 'choice' ? 'always' : '';
}

function fieldWording({ name, field }: { name: string; field: Formed }): string {
  return `\`${name}${presence(field) === 'optional' ? '?' : ''}\` ${wording(field)}`;
}

export interface FieldRow {
  name: string;
  type: string;
  presence: string;
}

export function fieldsOf({ form }: Formed): FieldRow[] {
  if (form.is !== 'object') return [];
  return form.fields.map(({ name, field }) => ({ name, type: wording(field), presence: presence(field) }));
}

export const shapes = (): string =>
  table(
    ['shape', 'is'],
    [...NAMED].map(([form, name]) => [`*${name}*`, spelled(form)]),
  );
