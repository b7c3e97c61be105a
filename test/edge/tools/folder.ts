/** A folder of one's own for each test, real path, removed after it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export interface TestFolder {
  /** What lies around the workspace. */
  top: string;
  ws: string;
  /** Writes a file, relative to the workspace. */
  put(path: string, content: string | Uint8Array): string;
}

export function testFolder(): TestFolder {
  const folder: TestFolder = {
    top: '',
    ws: '',
    put(path, content) {
      const full = join(folder.ws, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
  };
  beforeEach(() => {
    folder.top = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
    folder.ws = join(folder.top, 'ws');
    mkdirSync(folder.ws);
  });
  afterEach(() => rmSync(folder.top, { recursive: true, force: true }));
  return folder;
}
