/** What a server says of its tools: text of a stranger, taken apart with care and held within bounds. */
import { wellFormed } from '../tools/file-text.ts';

export interface OfferedTool {
  /** As the server calls it. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  schema: Record<string, unknown>;
  /** The server says so; it decides nothing but whether calls may run side by side. */
  readOnly: boolean;
}

export const MAX_TOOLS = 128;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 32_000;

/** Entries that are no tools are left out, as is what is more than 128. */
export function offeredTools(listed: readonly unknown[]): OfferedTool[] {
  const byName = new Map<string, OfferedTool>();
  for (const entry of listed) {
    const tool = offeredTool(entry);
    if (tool && !byName.has(tool.name) && byName.size < MAX_TOOLS) byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

function offeredTool(entry: unknown): OfferedTool | undefined {
  if (!isObject(entry)) return undefined;
  const { name, title, description, inputSchema, annotations } = entry;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return undefined;
  const said = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
  return {
    name: wellFormed(name),
    description: bounded(typeof said === 'string' ? said : name),
    schema: schemaOf(inputSchema),
    readOnly: isObject(annotations) && annotations.readOnlyHint === true,
  };
}

const bounded = (text: string): string =>
  wellFormed(text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}… (cut)` : text);

/** As the server gave it; one that is too large, or none of an object, leaves the arguments open: the server checks them. */
function schemaOf(given: unknown): Record<string, unknown> {
  const open = { type: 'object', properties: {}, additionalProperties: true };
  if (!isObject(given) || given.type !== 'object') return open;
  const { $schema: _, ...schema } = given;
  try {
    const text = JSON.stringify(schema);
    if (text.length > MAX_SCHEMA) return open;
    const copy = JSON.parse(text, (_key, value) => (typeof value === 'string' ? wellFormed(value) : value));
    return isObject(copy.properties) ? copy : { ...copy, properties: {} };
  } catch {
    // nested deeper than the stack
    return open;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
