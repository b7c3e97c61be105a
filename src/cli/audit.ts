/** `harness-chat audit <session>`: proves a journal from its file alone. Exit 0 sound, 1 broken, 2 no such session. */
import { auditFile } from '../edge/journal/audit.ts';
import type { AuditResult, AuditSummary } from '../edge/journal/audit-session.ts';
import { SessionStore, UnknownSessionError } from '../edge/journal/session-store.ts';
import { sanitizeLine } from '../view/sanitize.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export async function runAudit(invocation: Invocation, sessionId: string): Promise<number> {
  const { paths, options, streams } = invocation;
  const store = new SessionStore(paths);
  const id = await resolveSession(store, sessionId);
  const result = await auditFile(store.path(id));
  streams.stdout.write(options.json ? `${jsonOf(id, result)}\n` : textOf(id, result));
  return 'ok' in result ? EXIT.done : EXIT.failed;
}

/** The session that is meant; one that is not there is wrong usage. */
export async function resolveSession(store: SessionStore, idOrPrefix: string): Promise<string> {
  try {
    return await store.resolve(idOrPrefix);
  } catch (error) {
    throw error instanceof UnknownSessionError ? new UsageError(error.message) : error;
  }
}

function jsonOf(id: string, result: AuditResult): string {
  if ('fault' in result) return JSON.stringify({ session_id: id, sound: false, ...result.fault });
  const { sessionId: _, ...summary } = result.ok;
  return JSON.stringify({ session_id: id, sound: true, ...summary });
}

function textOf(id: string, result: AuditResult): string {
  if ('fault' in result) return `broken at record ${result.fault.seq}: ${sanitizeLine(result.fault.why)}\n`;
  const { ok } = result;
  const open = ok.open.map((what) => `open: ${sanitizeLine(what)}\n`).join('');
  return `sound: session ${id}, ${countsOf(ok)}\n${open}`;
}

function countsOf(ok: AuditSummary): string {
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
  const counts = [
    count(ok.records, 'record'),
    count(ok.turns, 'turn'),
    count(ok.steps, 'step'),
    count(ok.inputs, 'input'),
  ];
  if (ok.loops > 1) counts.push(count(ok.loops, 'loop'));
  if (ok.rejected > 0) counts.push(`${ok.rejected} rejected`);
  return `${counts.join(', ')}, ${ok.stopped ? 'stopped' : 'not stopped'}`;
}
