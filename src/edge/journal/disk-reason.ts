/** What a disk says when it takes nothing, in a person's words. */

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file has reached its size limit',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it is there already',
  ENOENT: 'it is not there',
  EIO: 'the disk reports an error',
};

/** The words for an error's code, else its message. */
export const reasonOf = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  return (code && (REASONS[code] ?? code)) || message || String(cause);
};
