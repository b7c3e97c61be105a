/** What the tool of a server is called here: a name that every provider takes, and that no two tools have. */
import { createHash } from 'node:crypto';

const LONGEST = 64;
const LONGEST_SERVER = 24;
/** Names of which `mcp__server__tool` can be taken apart again, so that two of them never meet. */
const PLAIN_SERVER = /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;
const PLAIN_TOOL = /^[A-Za-z0-9_-]+$/;

/**
 * `mcp__server__tool`, of letters, digits, `_` and `-`, at most 64. Where something of the two names had to be changed
 * for that, a short mark of both stands at the end. The same names give the same name, whatever else there is.
 */
export function toolNameOf(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  if (PLAIN_SERVER.test(server) && PLAIN_TOOL.test(tool) && plain.length <= LONGEST) return plain;
  const mark = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8);
  const head = `mcp__${allowed(server).slice(0, LONGEST_SERVER)}__${allowed(tool)}`;
  return `${head.slice(0, LONGEST - mark.length - 1)}_${mark}`;
}

const allowed = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');
