/** The session as a file in the workspace: Markdown, or one HTML page where the name ends so or `html` is asked for. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../edge/journal/disk-reason.ts';
import type { Live } from './chat-stage.ts';
import { pathOf } from './named-file.ts';
import { htmlExport, markdownExport } from './session-export.ts';

/** How many names are tried before it is given up. */
const MOST_NAMES = 100;

/** Resolves with the path. Nothing is ever overwritten. Rejects with one line. */
export async function exportSession({ session, journal }: Live, cwd: string, wanted?: string): Promise<string> {
  const [, page, named] = /^(?:(html?)(?:\s+|$))?(.*)$/is.exec(wanted ?? '') ?? [];
  const asked = named ? pathOf(named, cwd) : undefined;
  const ending = page || /\.html?$/i.test(named ?? '') ? 'html' : 'md';
  const { path, handle } = await create(cwd, asked, `harness-chat-${session.id.slice(0, 13)}`, ending);
  try {
    const title = session.snapshot().name ?? 'A session of harness-chat';
    const written = ending === 'html' ? htmlExport(title) : markdownExport(title);
    for await (const record of journal.read()) {
      const text = written.add(record);
      if (text !== '') await handle.write(text);
    }
    await handle.write(written.end());
    await handle.close();
  } catch (error) {
    // half a conversation is no export
    await handle.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw cannotWrite(path, error);
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
    const path = wanted === undefined ? join(cwd, `${name}${n > 1 ? `-${n}` : ''}.${ending}`) : wanted;
    try {
      return { path, handle: await open(path, 'wx', 0o600) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && wanted === undefined && n < MOST_NAMES) continue;
      throw cannotWrite(path, error);
    }
  }
}

function cannotWrite(path: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  const words = { EEXIST: 'it is there already; give another name', ENOENT: 'there is no such folder' };
  return new Error(`cannot write ${path}: ${words[code as keyof typeof words] ?? reasonOf(error)}`);
}
