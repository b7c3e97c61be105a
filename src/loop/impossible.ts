/** Histories that cannot be. */

/** A history that cannot have been: the journal is damaged, or the runtime has a bug. */
export class ImpossibleHistoryError extends Error {
  override readonly name = 'ImpossibleHistoryError';
}

/** Refuses the history with a named reason. */
export const impossible = (why: string): never => {
  throw new ImpossibleHistoryError(why);
};
