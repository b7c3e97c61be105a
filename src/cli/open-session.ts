/** Opens the session that a command line means, or says in one line why it cannot. */
import { type Composed, type ComposeOptions, composeSession, newId } from '../compose.ts';
import { failureOf, findError, HarnessError } from '../domain/failure.ts';
import { SessionInUseError } from '../edge/journal/lock.ts';
import { encodeDelivery } from '../edge/wire/delivery-codec.ts';
import { ImpossibleHistoryError } from '../loop/impossible.ts';
import { ForkPointError } from '../runtime/fork.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { type LoadedSettings, loadSettings, reportWarnings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';
import { wantedSession } from './wanted-session.ts';

export interface OpenedSession extends Composed {
  loaded: LoadedSettings;
}

export interface OpenOptions extends Pick<ComposeOptions, 'attended'> {
  purpose: 'chat' | 'script';
  /** Standard output carries deliveries: a session that cannot be restored is told there too. */
  deliveries?: boolean;
  /** The approval mode where no source sets one. */
  defaultApproval?: ComposeOptions['approval'];
}

/** The session, or the exit code where there is none; what was wrong was said then. Throws a UsageError. */
export async function openSession(invocation: Invocation, options: OpenOptions): Promise<OpenedSession | number> {
  const loaded = await loadSettings(invocation, options.purpose);
  reportWarnings(invocation, loaded.warnings);
  const wanted = await wantedSession(invocation);
  const { attended, defaultApproval } = options;
  const { settings, origins } = loaded;
  const approval = origins.approval.from === 'default' ? (defaultApproval ?? settings.approval) : settings.approval;
  try {
    const composed = await composeSession({
      loaded,
      cwd: invocation.cwd,
      env: invocation.env,
      appVersion: VERSION,
      approval,
      attended,
      ...wanted,
    });
    for (const notice of composed.notices) invocation.streams.stderr.write(`harness-chat: ${notice}\n`);
    return { ...composed, loaded };
  } catch (error) {
    return refuse(invocation, options.deliveries ? wanted.resume : undefined, error);
  }
}

/** A session in use, damaged, or on a disk that takes nothing: one line, exit 1. */
function refuse({ streams }: Invocation, sessionId: string | undefined, error: unknown): number {
  if (error instanceof ForkPointError) throw new UsageError(error.message);
  const known = findError(error, HarnessError) ?? findError(error, ImpossibleHistoryError);
  if (!known) throw error;
  streams.stderr.write(`harness-chat: ${known.message}\n`);
  if (sessionId && !(known instanceof SessionInUseError)) {
    const stamp = { v: 1 as const, sessionId, eventId: newId(), createdAt: new Date().toISOString() };
    const err = known instanceof HarnessError ? failureOf(known) : { kind: 'journal' as const, message: known.message };
    streams.stdout.write(`${encodeDelivery({ journalSeq: 0, event: { type: 'RestoreErrored', err, ...stamp } })}\n`);
  }
  return EXIT.failed;
}
