/** How the audit says that a rule does not hold. */

/** The message says why, without the record's number. */
class AuditFaultError extends Error {
  override readonly name = 'AuditFaultError';
}

export function fail(why: string): never {
  throw new AuditFaultError(why);
}

export const nameOf = ({ commandId }: { commandId: string }): string => `input ${commandId}`;
