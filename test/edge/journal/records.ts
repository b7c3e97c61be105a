/** Small sound journals for tests, and a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export { Journaling, soundRecords, user } from './sound-records.ts';

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'harness-chat-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const each of from) got.push(each);
  return got;
}
