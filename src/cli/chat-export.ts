/** The session as a Markdown file in the workspace. */
import { type FileHandle, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Live } from './chat-stage.ts';
import { markdownDocument, markdownHead } from './sessions-document.ts';

/** How many names are tried before it is given up. */
const MOST_NAMES = 100;

/** Resolves with the path. Nothing is ever overwritten. Rejects with one line. */
export async function exportSession({ session, journal }: Live, cwd: string, wanted?: string): Promise<string> {
  const name = `harness-chat-${session.id.slice(0, 13)}`;
  const { path, handle } = await create(cwd, wanted, name);
  try {
    let begun = false;
    const title = session.snapshot().name;
    for await (const record of journal.read()) {
      if (!begun && 'event' in record && record.event.type === 'SessionStarted') {
        await handle.write(markdownHead(record.event, title ?? 'A session of harness-chat'));
        begun = true;
      }
      const text = markdownDocument(record);
      if (text !== '') await handle.write(text);
    }
  } finally {
    await handle.close();
  }
  return path;
}

async function create(
  cwd: string,
  wanted: string | undefined,
  name: string,
): Promise<{ path: string; handle: FileHandle }> {
  for (let n = 1; ; n += 1) {
    const path = wanted === undefined ? join(cwd, `${name}${n > 1 ? `-${n}` : ''}.md`) : resolve(cwd, wanted);
    try {
      return { path, handle: await open(path, 'wx', 0o600) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && wanted === undefined && n < MOST_NAMES) continue;
      const why = code === 'EEXIST' ? 'it is there already; give another name' : (code ?? (error as Error).message);
      throw new Error(`cannot write ${path}: ${why}`);
    }
  }
}
