/** Changes the user's config: read, change and write under one lock, written atomically with mode 0600. */
import { mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { lockOf, settle } from './config-file.ts';
import { withLock } from './file-lock.ts';
import { ensureFolder, tighten } from './private-files.ts';

type Values = Record<string, unknown>;

/**
 * Applies `change` to what the file holds at that moment; processes that do so at once lose nothing of each other.
 * `change` may throw: then nothing is written. A broken file is set aside first. The answer is what must be told.
 */
export async function updateConfig(path: string, change: (values: Values) => Values): Promise<string[]> {
  // loaded before the lock is taken, so that nobody waits for it
  const { default: Conf } = await import('conf');
  const folder = ensureFolder(dirname(path));
  return withLock(lockOf(path), () => {
    const { config, warnings } = settle(path);
    const next = change(config.values);
    // a link of the user's own stays one: what it points to is written
    const target = throughLinks(path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const store = new Conf<Values>({
      cwd: dirname(target),
      configName: basename(target),
      fileExtension: '',
      projectSuffix: '',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      serialize: (values) => `${JSON.stringify(values, undefined, 2)}\n`,
    });
    store.store = next;
    return [folder, ...warnings, tighten(target, 0o600)].filter((warning) => warning !== undefined);
  });
}

/** Where the last link points to, also where nothing is there yet. */
function throughLinks(path: string): string {
  let at = path;
  for (let hops = 0; hops < 40; hops += 1) {
    try {
      return realpathSync(at);
    } catch {
      const link = linkOf(at);
      if (link === undefined) return at;
      at = resolve(dirname(at), link);
    }
  }
  return path;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
