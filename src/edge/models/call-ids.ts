/** Ids of tool calls as a server takes them. A history may hold those of another server, or made up ones. Pure. */
import { createHash } from 'node:crypto';
import type { ProviderQuirks } from './providers.ts';

const FITS = {
  any: /^/,
  max40: /^.{1,40}$/s,
  nine: /^[a-zA-Z0-9]{9}$/,
} as const;

/** The same id for the same id in every request, so that what the server has cached stays of use. */
export function callIdsBy(rule: ProviderQuirks['callIds'] = 'any'): (id: string) => string {
  return (id) => (FITS[rule].test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9));
}
