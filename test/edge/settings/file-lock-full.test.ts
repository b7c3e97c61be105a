/** The lock of a small file where the disk takes nothing. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withLock } from '../../../src/edge/settings/file-lock.ts';

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  writeSync: () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  },
}));

test('is not left behind empty: the next one need not wait until it is old', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const path = join(folder, 'lock');
  await expect(withLock(path, () => undefined)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(existsSync(path)).toBe(false);
  rmSync(folder, { recursive: true });
});
