/** The draft in the person's own editor. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What the editor saved; undefined where it ended with an error. Rejects with one line for the person where it could not
 * be started. The terminal must be free.
 */
export async function editInEditor(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [program = 'vi', ...args] = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean);
  const folder = mkdtempSync(join(tmpdir(), 'harness-chat-'));
  const file = join(folder, 'message.md');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const code = await exitCode(program, [...args, file]);
    return code === 0 ? readFileSync(file, 'utf8') : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const exitCode = (program: string, args: string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', () => reject(new Error(`${program} could not be started: set EDITOR to another`)));
    child.on('exit', resolve);
  });
