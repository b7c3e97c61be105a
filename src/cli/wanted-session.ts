/** Which session `--continue` and `--resume` mean. */
import type { ComposeOptions } from '../compose.ts';
import type { Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

/** Throws a UsageError where there is none of that kind. */
export async function wantedSession({ options }: Invocation): Promise<Pick<ComposeOptions, 'resume'>> {
  if (options.resume === true) throw new UsageError('--resume needs a session id here; "harness-chat sessions list" names them');
  if (options.resume !== undefined) return { resume: options.resume };
  return {};
}
