/** Proves a journal from its records alone (contract: Durability, audit). */
import type { JournalRecord } from '../../runtime/ports.ts';
import { type AuditFault, type AuditResult, SessionAudit } from './audit-session.ts';
import { DamagedJournalError, readJournal, scanTail } from './read-journal.ts';

/** Pure. Stops at the first fault. */
export function audit(records: Iterable<JournalRecord>): AuditResult {
  const session = new SessionAudit();
  for (const record of records) {
    const fault = session.take(record);
    if (fault) return { fault };
  }
  return session.finish();
}

/** The audit of a file, one record in memory at a time. A torn last line is reported, not a fault. */
export async function auditFile(path: string): Promise<AuditResult> {
  const session = new SessionAudit();
  const { torn, end } = await scanTail(path);
  try {
    for await (const record of readJournal(path, { end })) {
      const fault = session.take(record);
      if (fault) return { fault };
    }
  } catch (error) {
    // every line is a record, so the line's number is the sequence number that is broken
    if (error instanceof DamagedJournalError) return { fault: faultOf(error) };
    throw error;
  }
  const result = session.finish();
  if (torn > 0 && 'ok' in result) result.ok.open.push(`the last line is torn (${torn} bytes)`);
  return result;
}

const faultOf = ({ line, reason }: DamagedJournalError): AuditFault => ({ seq: line, why: reason });
