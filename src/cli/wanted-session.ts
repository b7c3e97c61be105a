/** Which session `--continue`, `--resume` and `--fork` mean. */
import type { ComposeOptions } from '../compose.ts';
import { SessionStore, UnknownSessionError } from '../edge/journal/session-store.ts';
import type { Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export type WantedSession = Pick<ComposeOptions, 'resume' | 'fork'>;

/** Throws a UsageError where there is none of that kind. */
export async function wantedSession({ options, cwd, paths }: Invocation): Promise<WantedSession> {
  const store = new SessionStore(paths);
  if (options.continue) {
    const resume = await store.latestFor(cwd);
    if (!resume) throw new UsageError('there is no session in this folder yet; leave out --continue to begin one');
    return { resume };
  }
  if (options.resume === true) {
    throw new UsageError('--resume needs a session id here; "harness-chat sessions list" names them');
  }
  try {
    if (options.resume !== undefined) return { resume: await store.resolve(options.resume) };
    if (!options.fork) return {};
    const { sessionId, seq } = options.fork;
    return { fork: { source: await store.resolve(sessionId), ...(seq !== undefined && { at: seq }) } };
  } catch (error) {
    if (error instanceof UnknownSessionError) throw new UsageError(error.message);
    throw error;
  }
}
