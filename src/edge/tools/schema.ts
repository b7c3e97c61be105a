/** Zod objects as the parameters of tools: one source for the type, the check and the JSON Schema. */
import * as z from 'zod';
import type { ParameterSchema } from '../../domain/tool.ts';

interface Property {
  type?: string | string[];
  anyOf?: Property[];
}

/**
 * Takes what models really send as it is meant: null for what may be left out, a number or a list as a string. A
 * string is never made of anything else, and an unknown argument is refused: what it meant would not be done.
 */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape): ParameterSchema<z.output<z.ZodObject<Shape>>> {
  const schema = z.strictObject(shape);
  let made: Described | undefined;
  // at the first request: a start does not wait for it
  const described = (): Described => {
    made ??= describe(schema);
    return made;
  };
  return {
    get jsonSchema() {
      return described().jsonSchema;
    },
    check(input) {
      const { properties, required, known } = described();
      const result = schema.safeParse(meant(input ?? {}, properties, required));
      if (result.success) return { ok: true, value: result.data as z.output<z.ZodObject<Shape>> };
      const message = result.error.issues.map((issue) => lineOf(issue, known)).join('; ');
      return { ok: false, message };
    },
  };
}

interface Described {
  jsonSchema: Record<string, unknown>;
  properties: Record<string, Property>;
  required: ReadonlySet<string>;
  /** The names of all arguments. */
  known: string;
}

function describe(schema: z.ZodType): Described {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  const properties = (jsonSchema.properties ?? {}) as Record<string, Property>;
  const required = new Set(jsonSchema.required ?? []);
  return { jsonSchema, properties, required, known: Object.keys(properties).join(', ') };
}

function meant(input: unknown, properties: Record<string, Property>, required: ReadonlySet<string>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).filter(([name, value]) => value !== null || required.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      return [name, typeof value === 'string' && typeof type === 'string' ? fromString(value, type) : value];
    }),
  );
}

function fromString(value: string, type: string): unknown {
  const text = value.trim();
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'array' && text.startsWith('[')) return parsedOr(text, value);
  return value;
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function lineOf(issue: z.core.$ZodIssue, known: string): string {
  if (issue.code === 'unrecognized_keys') {
    return `there is no argument ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} (there are: ${known || 'none'})`;
  }
  const name = issue.path.join('.');
  if (name === '') return `the arguments must be one object with: ${known || 'nothing'}`;
  if (issue.code === 'invalid_type' && issue.input === undefined && /undefined$/.test(issue.message)) {
    return `${name} is missing (${issue.expected})`;
  }
  return `${name}: ${issue.message.replace(/^Invalid input: /, '')}`;
}
