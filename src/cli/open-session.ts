/** Opens the session that a command line means, or says in one line why it cannot. */
import { type Composed, type ComposeOptions, composeSession, newId } from '../compose.ts';
import { failureOf, findError, HarnessError } from '../domain/failure.ts';
import { type DebugLog, openDebugLog } from '../edge/debug-log.ts';
import { reasonOf } from '../edge/journal/disk-reason.ts';
import { SessionInUseError } from '../edge/journal/lock.ts';
import { DamagedJournalError } from '../edge/journal/read-journal.ts';
import type { ServerStatus } from '../edge/mcp/mcp-server.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { systemClock } from '../edge/system-clock.ts';
import { encodeDelivery } from '../edge/wire/delivery-codec.ts';
import { ImpossibleHistoryError } from '../loop/impossible.ts';
import { ForkPointError } from '../runtime/fork.ts';
import type { Session } from '../runtime/session.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { type LoadedSettings, loadSettings, reportWarnings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';
import { type WantedSession, wantedSession } from './wanted-session.ts';

export interface OpenedSession extends Composed {
  loaded: LoadedSettings;
}

export interface OpenOptions extends Pick<ComposeOptions, 'attended' | 'watch'> {
  purpose: 'chat' | 'script';
  /** Standard output carries deliveries: a session that cannot be restored is told there too. */
  deliveries?: boolean;
  /** The approval mode where no source sets one. */
  defaultApproval?: ComposeOptions['approval'];
}

/** How long a script waits for its MCP servers, and a chat before it starts them. */
const MCP_PATIENCE_MS = 5000;
const AFTER_FIRST_FRAME_MS = 300;

/** The session, or the exit code where there is none; what was wrong was said then. Throws a UsageError. */
export async function openSession(invocation: Invocation, options: OpenOptions): Promise<OpenedSession | number> {
  const loaded = await loadSettings(invocation, options.purpose);
  reportWarnings(invocation, loaded.warnings);
  const wanted = await wantedSession(invocation);
  try {
    const opened = await openWanted(invocation, loaded, wanted, options);
    // a script's first turn has the tools of its servers; a chat does not wait for them
    if (options.purpose === 'script') await opened.mcp.settled(MCP_PATIENCE_MS);
    const missing = options.purpose === 'script' ? missingServers(opened.mcp.status()) : [];
    for (const notice of [...opened.notices, ...missing]) invocation.streams.stderr.write(`harness-chat: ${notice}\n`);
    return opened;
  } catch (error) {
    return refuse(invocation, options.deliveries ? wanted.resume : undefined, error);
  }
}

/** A script's author should not have to guess why a tool was not there. */
const missingServers = (status: readonly ServerStatus[]): string[] =>
  status.flatMap(({ name, state, reason = 'no reason given' }) => {
    if (state === 'ready') return [];
    return [oneLine(`MCP server ${name} ${state === 'failed' ? `failed: ${reason}` : 'is not ready yet'}`, 1000)];
  });

/** That session, with settings that are there already. `refusalOf` says in one line why it could not be opened. */
export async function openWanted(
  { cwd, env, options }: Invocation,
  loaded: LoadedSettings,
  wanted: WantedSession,
  { purpose, attended, defaultApproval, watch }: OpenOptions,
): Promise<OpenedSession> {
  const { settings, origins } = loaded;
  const debug = debugLog(options.debug);
  const approval = origins.approval.from === 'default' ? (defaultApproval ?? settings.approval) : settings.approval;
  const composed = await composeSession({
    loaded,
    cwd,
    env,
    appVersion: VERSION,
    approval,
    attended,
    ...(watch && { watch }),
    ...(purpose === 'chat' && { mcpAfterMs: AFTER_FIRST_FRAME_MS }),
    ...(debug && { log: debug.log }),
    ...wanted,
  });
  if (debug) void follow(composed.session, debug);
  return { ...composed, loaded };
}

/** One line for the person; undefined for what is a mistake of the program. */
export const refusalOf = (error: unknown): string | undefined =>
  (findError(error, ForkPointError) ?? findError(error, HarnessError) ?? findError(error, ImpossibleHistoryError))
    ?.message;

/** The same as a command line is answered: with what else can be typed while another process has the session. */
export function startRefusalOf(error: unknown): string | undefined {
  const why = refusalOf(error);
  if (why === undefined || !findError(error, SessionInUseError)) return why;
  return `${why} Until then -r goes on with another session, --fork ID with a copy of this one; without them a new one begins.`;
}

function debugLog(path: string | undefined): DebugLog | undefined {
  if (path === undefined) return undefined;
  try {
    return openDebugLog(path, systemClock);
  } catch (error) {
    throw new UsageError(`the log ${oneLine(path)} cannot be written: ${reasonOf(error)}`);
  }
}

async function follow(session: Session, debug: DebugLog): Promise<void> {
  for await (const delivery of session.subscribeEvents({ enduring: 'all', ephemeral: 'all' })) debug.delivery(delivery);
  debug.close();
}

/** A session in use, damaged, or on a disk that takes nothing: one line, exit 1. */
function refuse({ streams }: Invocation, sessionId: string | undefined, error: unknown): number {
  if (error instanceof ForkPointError) throw new UsageError(error.message);
  const known = findError(error, HarnessError) ?? findError(error, ImpossibleHistoryError);
  if (!known) throw error;
  streams.stderr.write(`harness-chat: ${startRefusalOf(known)}\n`);
  const damaged = known instanceof DamagedJournalError || known instanceof ImpossibleHistoryError;
  if (sessionId && damaged) {
    const stamp = { v: 1 as const, sessionId, eventId: newId(), createdAt: new Date().toISOString() };
    const err = known instanceof HarnessError ? failureOf(known) : { kind: 'journal' as const, message: known.message };
    streams.stdout.write(`${encodeDelivery({ journalSeq: 0, event: { type: 'RestoreErrored', err, ...stamp } })}\n`);
  }
  return EXIT.failed;
}
