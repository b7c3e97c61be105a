/** One server through its life: it connects, is ready, dies, is started again, or is given up. */
import type { Clock, Log } from '../../runtime/ports.ts';
import { type Connection, ConnectionLost } from './connection.ts';
import { type OfferedTool, offeredTools } from './offered-tool.ts';

export interface ServerStatus {
  name: string;
  state: 'connecting' | 'ready' | 'failed' | 'restarting';
  /** How many tools it offers. */
  tools: number;
  /** Why it failed or is started again; one line. */
  reason?: string;
}

export interface McpServer {
  status(): ServerStatus;
  /** What may be called: also while it is started again, for then a call waits. */
  offered(): readonly OfferedTool[];
  /** Rejects with one line for the model. */
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
  /** Never rejects. */
  close(): Promise<void>;
  /** At once and synchronously: for the exit of the program. */
  killNow(): void;
}

export interface McpServerParts {
  name: string;
  connect(on: { toolsChanged(): void }): Connection;
  clock: Clock;
  log: Log;
  /** The status or the tools changed. */
  changed(): void;
  /** In a row, without having been steady between. */
  maxRestarts: number;
}

export const START_LIMIT_MS = 30_000;
/** A call to a server that is being started again waits this long for it. */
export const CALL_WAITS_MS = 15_000;
/** Once ready for this long, its next death is the first one again. */
export const STEADY_MS = 60_000;
/** A server that says again and again that its tools changed is asked no more often than this. */
export const REFRESH_MS = 500;
export const backoffMs = (restart: number): number => Math.min(60_000, 500 * 2 ** (restart - 1));

export function createMcpServer(parts: McpServerParts): McpServer {
  const { name, clock, log } = parts;
  let connection: Connection | undefined;
  let state: ServerStatus['state'] = 'connecting';
  let reason: string | undefined;
  let tools: readonly OfferedTool[] = [];
  let restarts = 0;
  let cancelTimer = (): void => undefined;
  let closed = false;
  const waiting = new Set<() => void>();

  const become = (next: ServerStatus['state'], why?: string): void => {
    [state, reason] = [next, why];
    if (next === 'failed') tools = [];
    log(`mcp: ${name} is ${next}`, { tools: tools.length, ...(why !== undefined && { reason: why }) });
    for (const wake of [...waiting]) wake();
    parts.changed();
  };
  /** The first start has one chance: a server that never was there is most often a wrong entry. */
  const failed = async (own: Connection, why: string): Promise<void> => {
    if (closed) return;
    if (state === 'connecting') become('failed', why);
    else if (++restarts > parts.maxRestarts) become('failed', `given up after ${parts.maxRestarts} restarts: ${why}`);
    else become('restarting', why);
    // what is left of it ends before its successor begins
    await own.close();
    if (!closed && state === 'restarting') cancelTimer = clock.after(backoffMs(restarts), () => void start());
  };
  const start = async (): Promise<void> => {
    const refresh = createRefresh(clock, async () => {
      if (connection !== own || state !== 'ready') return;
      tools = offeredTools(await own.list());
      log(`mcp: ${name} changed its tools`, { tools: tools.length });
      parts.changed();
    });
    const own = parts.connect({ toolsChanged: refresh });
    connection = own;
    const opened = await opening(own, clock);
    if ('fault' in opened) return failed(own, opened.fault);
    if (closed) return;
    tools = offeredTools(opened.listed);
    const readyAt = clock.now();
    become('ready');
    const how = await own.ended;
    if (clock.now() - readyAt >= STEADY_MS) restarts = 0;
    await failed(own, how);
  };
  const whenReady = createWaiting(clock, waiting, () => state === 'ready' || state === 'failed' || closed);
  void start();
  return {
    status: () => ({ name, state, tools: tools.length, ...(reason !== undefined && { reason }) }),
    offered: () => tools,
    async call(tool, input, signal) {
      if (state !== 'ready') await whenReady(signal);
      if (state !== 'ready' || !connection) throw absent(name, reason);
      return connection.call(tool, input, signal).catch((error) => Promise.reject(refusal(name, error)));
    },
    async close() {
      closed = true;
      cancelTimer();
      for (const wake of [...waiting]) wake();
      await connection?.close();
    },
    killNow: () => connection?.killNow(),
  };
}

const absent = (name: string, reason: string | undefined): Error =>
  new Error(`The MCP server ${name} is not there${reason ? ` (${reason})` : ''}: go on without it.`);

function refusal(name: string, error: Error): Error {
  if (!(error instanceof ConnectionLost)) return new Error(`The MCP server ${name} did not do it: ${error.message}`);
  const unknown = 'whether the call was carried out is not known';
  return new Error(
    `The MCP server ${name} went away during the call (${error.message}): ${unknown}. It is being started again.`,
  );
}

/** What the server lists, or why it did not come to that in time. */
async function opening(own: Connection, clock: Clock): Promise<{ listed: unknown[] } | { fault: string }> {
  let late = false;
  const cancel = clock.after(START_LIMIT_MS, () => {
    late = true;
    void own.close();
  });
  try {
    return { listed: await own.open() };
  } catch (error) {
    return { fault: late ? `it did not answer within ${START_LIMIT_MS / 1000} s` : (error as Error).message };
  } finally {
    cancel();
  }
}

/** Runs the work when asked, never twice at once, never more often than the limit; the last asking is always served. */
function createRefresh(clock: Clock, work: () => Promise<void>): () => void {
  let asked = false;
  let busy = false;
  const refresh = (): void => {
    asked = true;
    if (busy) return;
    busy = true;
    clock.after(REFRESH_MS, () => {
      asked = false;
      const done = (): void => {
        busy = false;
        if (asked) refresh();
      };
      // a server that cannot list its tools keeps those it had
      work().then(done, done);
    });
  };
  return refresh;
}

/** Resolves when it is decided, when waited long enough, or when the signal is aborted. */
function createWaiting(clock: Clock, waiting: Set<() => void>, decided: () => boolean) {
  return (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        cancel();
        waiting.delete(wake);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const wake = (): void => {
        if (decided()) done();
      };
      const cancel = clock.after(CALL_WAITS_MS, done);
      waiting.add(wake);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
      else wake();
    });
}
