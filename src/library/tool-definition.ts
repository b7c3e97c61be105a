/** A tool in a few lines: what a Tool needs beside its work is derived from a list of its parameters. */
import type { Access, ParameterSchema, Tool, ToolContext, ToolResult } from '../domain/tool.ts';

/** One argument of a tool. */
export interface Parameter {
  type: 'string' | 'number' | 'integer' | 'boolean';
  /** For the model. */
  description?: string;
  /** The only values there are. */
  choices?: readonly string[];
  optional?: boolean;
}
/** The arguments by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

type Value<P extends Parameter> = P['type'] extends 'string' ? string : P['type'] extends 'boolean' ? boolean : number;
type OptionalNames<P extends Parameters> = { [K in keyof P]: P[K]['optional'] extends true ? K : never }[keyof P];
/** The arguments as they reach the tool: checked. */
export type Arguments<P extends Parameters> = { [K in Exclude<keyof P, OptionalNames<P>>]: Value<P[K]> } & {
  [K in OptionalNames<P>]?: Value<P[K]>;
};

/** What `defineTool` makes a Tool of. */
export interface ToolDefinition<P extends Parameters> {
  name: string;
  /** For the model. */
  description: string;
  parameters: P;
  /** It alters something: gated, and its calls run one at a time. Default: false, runs beside others and unasked. */
  changes?: boolean;
  /** One line for a card and a question. Default: the name and the arguments. */
  summary?(input: Arguments<P>): string;
  /** Default: `free`, or for one that changes things `change` with a session grant for just these arguments. */
  access?(input: Arguments<P>, context: Pick<ToolContext, 'cwd'>): Promise<Access>;
  /** What the model is told. A throw becomes an error result with its message. */
  run(input: Arguments<P>, context: ToolContext): string | ToolResult | Promise<string | ToolResult>;
  /** Milliseconds. Default: the session's. */
  timeoutMs?: number;
}

/** For parameters that are more than a flat list, write a Tool, with a ParameterSchema of one's own. */
export function defineTool<const P extends Parameters>(definition: ToolDefinition<P>): Tool {
  const { name, description, changes = false, timeoutMs } = definition;
  const summary = definition.summary ?? ((input) => `${name} ${JSON.stringify(input)}`);
  const tool: Tool<Arguments<P>> = {
    name,
    description,
    parameters: schemaOf(definition.parameters),
    changes,
    summary,
    access: definition.access ?? (async (input) => (changes ? changing(name, input) : FREE)),
    async run(input, context) {
      const result = await definition.run(input, context);
      return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
    },
    ...(timeoutMs !== undefined && { timeoutMs: () => timeoutMs }),
  };
  return tool as Tool;
}

const FREE: Access = { kind: 'free', detail: '', grants: [] };
function changing(name: string, input: object): Access {
  const detail = `${name} ${JSON.stringify(input)}`;
  return { kind: 'change', detail, grants: [{ scope: 'session', covers: detail }] };
}

function schemaOf<P extends Parameters>(parameters: P): ParameterSchema<Arguments<P>> {
  const names = Object.keys(parameters);
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, { type, description, choices }]) => [
      name,
      { type, ...(description && { description }), ...(choices && { enum: choices }) },
    ]),
  );
  const required = names.filter((name) => !parameters[name]?.optional);
  return {
    jsonSchema: { type: 'object', properties, required, additionalProperties: false },
    check(input) {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        return { ok: false, message: `the arguments must be one object with: ${names.join(', ') || 'nothing'}` };
      }
      const unknown = Object.keys(input).find((name) => !Object.hasOwn(parameters, name));
      if (unknown !== undefined) {
        return {
          ok: false,
          message: `there is no argument ${JSON.stringify(unknown)} (there are: ${names.join(', ') || 'none'})`,
        };
      }
      // models send null for what may be left out
      const given = Object.entries(input).filter(([name, value]) => value !== null || !parameters[name]?.optional);
      const value = Object.fromEntries(given);
      for (const name of names) {
        const fault = faultOf(parameters[name] as Parameter, Object.hasOwn(value, name) ? value[name] : undefined);
        if (fault) return { ok: false, message: `${name} ${fault}` };
      }
      return { ok: true, value: value as Arguments<P> };
    },
  };
}

function faultOf({ type, choices, optional }: Parameter, value: unknown): string | undefined {
  if (value === undefined) return optional ? undefined : `is missing (${type})`;
  const fits = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
  if (!fits) return `must be ${type === 'integer' ? 'a whole number' : `a ${type}`}`;
  if (choices && !choices.includes(value as string)) return `must be one of ${choices.join(', ')}`;
  return undefined;
}
