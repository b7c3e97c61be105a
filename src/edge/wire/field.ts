/**
 * The rows of the codec's tables: how one field goes onto the wire and comes back. `encode` gives undefined for what is
 * left out (contract: Wire format, zero, empty or false), `decode` is given undefined for what is not there.
 */

/** A JSON object with the wire's names. */
export type WireObject = Record<string, unknown>;

/** What is wrong with a wire value; `path` leads to it from the outermost object. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly fault: string;
  readonly path: string;
  constructor(fault: string, path = '') {
    super(path ? `${path} ${fault}` : fault);
    this.fault = fault;
    this.path = path;
  }
  within(step: string): WireError {
    const inner = this.path === '' || this.path.startsWith('[') ? this.path : `.${this.path}`;
    return new WireError(this.fault, step + inner);
  }
}

export interface Field<T> {
  encode(value: T): unknown;
  decode(wire: unknown): T;
  /** Where the wire's name is not the snake case of the field's. */
  wireName?: string;
  /** How it looks on the wire; documents are made from it. */
  form: Form;
}
export type Form =
  | { is: 'scalar'; name: string }
  | { is: 'choice'; values: readonly (string | number)[] }
  | { is: 'list'; of: { form: Form } }
  | { is: 'object'; fields: readonly { name: string; field: { form: Form } }[] }
  | { is: 'union'; of: readonly { form: Form }[] }
  /** `always`: also where it is zero or empty. `optional`: may be left out and then means something else than zero. */
  | { is: 'always' | 'optional'; of: { form: Form } };
export type Fields<T> = { [K in keyof T]-?: Field<T[K]> };

const refuse = (fault: string): never => {
  throw new WireError(fault);
};

export function asObject(wire: unknown): WireObject {
  if (wire === undefined) return refuse('is missing');
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return refuse('is no object');
  return wire as WireObject;
}

const scalar = <T extends string | number | boolean>(zero: T, check: (wire: T) => boolean, what: string): Field<T> => ({
  encode: (value) => (value === zero ? undefined : value),
  decode(wire) {
    if (wire === undefined) return zero;
    return typeof wire === typeof zero && check(wire as T) ? (wire as T) : refuse(`is no ${what}`);
  },
  form: { is: 'scalar', name: what },
});

export const string: Field<string> = scalar('', () => true, 'string');
export const boolean: Field<boolean> = scalar(false, () => true, 'boolean');
export const count: Field<number> = scalar(0, (n) => Number.isSafeInteger(n) && n >= 0, 'non-negative whole number');
export const milliseconds: Field<number> = scalar(0, (n) => Number.isFinite(n) && n >= 0, 'non-negative number');

/** Any object, its keys and values as they are: a tool's input. Always there. */
export const untouched: Field<Record<string, unknown>> = {
  encode: (value) => value,
  decode: asObject,
  form: { is: 'scalar', name: 'object' },
};

/** Always printed, and refused where it is not there. */
export const always = <T>(field: Field<T>): Field<T> => ({
  encode: (value) => field.encode(value) ?? value,
  decode: (wire) => (wire === undefined ? refuse('is missing') : field.decode(wire)),
  form: { is: 'always', of: field },
});

/** May not be empty. */
export const present = (field: Field<string>): Field<string> => ({
  encode: field.encode,
  decode: (wire) => field.decode(wire) || refuse('is missing'),
  form: { is: 'always', of: field },
});

export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  encode: (value) => (value === undefined ? undefined : field.encode(value)),
  decode: (wire) => (wire === undefined ? undefined : field.decode(wire)),
  form: { is: 'optional', of: field },
});

export const named = <T>(wireName: string, field: Field<T>): Field<T> => ({ ...field, wireName });

export const oneOf = <T extends string | number>(...values: readonly T[]): Field<T> => ({
  encode: (value) => value,
  decode(wire) {
    if (values.includes(wire as T)) return wire as T;
    return refuse(wire === undefined ? 'is missing' : `is none of ${values.join(', ')}`);
  },
  form: { is: 'choice', values },
});

export const list = <T>(item: Field<T>): Field<T[]> => ({
  encode: (values) => (values.length === 0 ? undefined : values.map((value) => item.encode(value) ?? value)),
  decode(wire) {
    if (wire === undefined) return [];
    if (!Array.isArray(wire)) return refuse('is no list');
    return wire.map((each, i) => {
      try {
        return item.decode(each);
      } catch (error) {
        throw error instanceof WireError ? error.within(`[${i}]`) : error;
      }
    });
  },
  form: { is: 'list', of: item },
});

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An object with a row for each of its fields; fields without a row are ignored on the way in. */
export function shape<T extends object>(fields: Fields<T>): Field<T> {
  const rows = (Object.entries(fields) as [keyof T & string, Field<unknown>][]).map(([name, field]) => ({
    name,
    field,
    wireName: field.wireName ?? snakeCase(name),
  }));
  return {
    encode(value) {
      const wire: WireObject = {};
      for (const row of rows) {
        const encoded = row.field.encode(value[row.name]);
        if (encoded !== undefined) wire[row.wireName] = encoded;
      }
      return wire;
    },
    decode(wire) {
      const object = asObject(wire);
      const value: WireObject = {};
      for (const row of rows) {
        try {
          const decoded = row.field.decode(object[row.wireName]);
          if (decoded !== undefined) value[row.name] = decoded;
        } catch (error) {
          throw error instanceof WireError ? error.within(row.wireName) : error;
        }
      }
      return value as T;
    },
    form: { is: 'object', fields: rows.map(({ wireName, field }) => ({ name: wireName, field })) },
  };
}

/** The members of a union that may carry the tag value K. */
type Member<T, Tag extends keyof T, K> = T extends unknown ? (K extends T[Tag] ? T : never) : never;

/** A union told apart by its tag. */
export function tagged<T extends object, Tag extends keyof T & string>(
  tag: Tag,
  members: { [K in T[Tag] & string]: Field<Member<T, Tag, K>> },
): Field<T> {
  const fieldOf = (name: unknown): Field<T> => {
    if (name === undefined) throw new WireError('is missing', tag);
    if (typeof name !== 'string' || !Object.hasOwn(members, name))
      throw new WireError(`${JSON.stringify(name)} is unknown`, tag);
    return members[name as T[Tag] & string] as unknown as Field<T>;
  };
  return {
    encode: (value) => fieldOf(value[tag]).encode(value),
    decode: (wire) => fieldOf(asObject(wire)[tag]).decode(wire),
    form: { is: 'union', of: Object.values<{ form: Form }>(members) },
  };
}
