/** The session as a file in the workspace: Markdown, or one HTML page where the name ends so or `html` is asked for. */
import { type FileHandle, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Live } from './chat-stage.ts';
import { htmlExport, markdownExport } from './session-export.ts';

/** How many names are tried before it is given up. */
const MOST_NAMES = 100;

/** Resolves with the path. Nothing is ever overwritten. Rejects with one line. */
export async function exportSession({ session, journal }: Live, cwd: string, wanted?: string): Promise<string> {
  const asked = /^html?$/i.test(wanted ?? '') ? undefined : wanted;
  const ending = /(?:^|\.)html?$/i.test(wanted ?? '') ? 'html' : 'md';
  const { path, handle } = await create(cwd, asked, `harness-chat-${session.id.slice(0, 13)}`, ending);
  try {
    const title = session.snapshot().name ?? 'A session of harness-chat';
    const written = ending === 'html' ? htmlExport(title) : markdownExport(title);
    for await (const record of journal.read()) {
      const text = written.add(record);
      if (text !== '') await handle.write(text);
    }
    await handle.write(written.end());
  } finally {
    await handle.close();
  }
  return path;
}

async function create(
  cwd: string,
  wanted: string | undefined,
  name: string,
  ending: string,
): Promise<{ path: string; handle: FileHandle }> {
  for (let n = 1; ; n += 1) {
    const path = wanted === undefined ? join(cwd, `${name}${n > 1 ? `-${n}` : ''}.${ending}`) : resolve(cwd, wanted);
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
