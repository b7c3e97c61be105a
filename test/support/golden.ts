/** Golden text: compared with a file, or written to it with UPDATE_SCREENS=1. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

export function expectScreen(name: string, actual: string): void {
  const path = join(import.meta.dirname, '..', 'screens', `${name}.txt`);
  if (process.env.UPDATE_SCREENS) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${actual}\n`);
  }
  expect(`${actual}\n`).toBe(readFileSync(path, 'utf8'));
}
