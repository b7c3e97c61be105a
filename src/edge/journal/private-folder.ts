/** Folders of the home: plain folders for their owner alone, 0700 (contract: Files). */
import { chmod, mkdir, stat } from 'node:fs/promises';

/** Makes the folder and those above it; a looser one of ours is tightened. A link to a folder is followed. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { mode } = await stat(path);
  const shared = (mode & 0o1000) !== 0; // as /tmp: others need it as well
  // the owner may be somebody else: then it is theirs to tighten
  if (mode & 0o077 && !shared) await chmod(path, 0o700).catch(() => {});
}
