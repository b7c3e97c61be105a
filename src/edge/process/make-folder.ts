/** Folders on the way to a file. Not the recursive mkdir of Node, which never comes back from a place like /proc/none. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Does nothing where it is there. `mode` is that of every folder that is made; default: what the system gives. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/** Somebody else may make it at the same time. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
