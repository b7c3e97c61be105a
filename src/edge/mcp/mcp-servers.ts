/** The servers of the config, each for itself: what one of them does, or never does, holds up nothing else. */
import type { Tool } from '../../domain/tool.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
import { redactText } from '../process/redactor.ts';
import { oneLine } from '../settings/one-line.ts';
import { createConnection } from './connection.ts';
import { createMcpServer, type McpServer, type ServerStatus } from './mcp-server.ts';
import { createMcpTool } from './mcp-tool.ts';
import { checkServerEntry, type ServerEntry } from './server-entry.ts';

export type { ServerStatus };

export interface McpOptions {
  /** The section `mcpServers` of the config. */
  servers: Readonly<Record<string, unknown>>;
  /** The environment of this program. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold secrets, beside those that look like it. */
  secretVariables?: readonly string[];
  /** Values that are never shown, and that no child is given. */
  secrets?: () => readonly string[];
  /** The workspace. */
  cwd: string;
  clock: Clock;
  log: Log;
  appVersion?: string;
  /** Loading the SDK takes some 150 ms of the processor: a screen that is just being drawn wants them first. */
  startAfterMs?: number;
}

export interface McpServers {
  /** Those that may be called now; asked at each Turn's start. Of two with one name the first is there. */
  tools(): Tool[];
  status(): ServerStatus[];
  /** Called at each change of `status` or `tools`; the answer ends that. */
  onChange(callback: () => void): () => void;
  /** Resolves when no server is connecting any more, or after so long: for a run that asks only once. */
  settled(limitMs: number): Promise<void>;
  /** Ends all children, politely, then by force; no later than some 2 s. */
  close(): Promise<void>;
  /** At once and synchronously: for the exit of the program. */
  killAll(): void;
}

/** A child that dies each time it is started is given up after so many; an address is tried for as long as the session lasts. */
const MAX_RESTARTS = 6;
const MAX_SAID = 200;

interface Row {
  name: string;
  server?: McpServer;
  /** Why there is none. */
  fault?: string;
  hide(text: string): string;
}

export function createMcpServers(options: McpOptions): McpServers {
  const { clock } = options;
  const callbacks = new Set<() => void>();
  const changed = (): void => {
    for (const callback of [...callbacks]) callback();
  };
  const wanted = Object.entries(options.servers).flatMap(([name, given]) => {
    const checked = checkServerEntry(name, given, options);
    return checked.ok && !checked.value ? [] : [{ name, checked }];
  });
  let rows: Row[] = wanted.map(({ name, checked }) => ({
    name,
    hide: (text) => redactText(text, options.secrets?.() ?? []),
    ...(checked.ok ? {} : { fault: checked.message }),
  }));
  const begin = (): void => {
    rows = wanted.map(({ checked }, index) => {
      const row = rows[index] as Row;
      return checked.ok && checked.value ? started(row.name, checked.value, options, changed) : row;
    });
  };
  let cancelStart = (): void => undefined;
  if (options.startAfterMs === undefined) begin();
  else cancelStart = clock.after(options.startAfterMs, begin);
  const status = (): ServerStatus[] => rows.map(statusOf);
  const onChange = (callback: () => void) => {
    callbacks.add(callback);
    return () => void callbacks.delete(callback);
  };
  return {
    tools: () => unique(rows.flatMap(toolsOf), options.log),
    status,
    onChange,
    settled: (limitMs) =>
      settled(clock, limitMs, onChange, () => status().every(({ state }) => state !== 'connecting')),
    async close() {
      cancelStart();
      await Promise.all(rows.map(({ server }) => server?.close()));
    },
    killAll() {
      cancelStart();
      for (const { server } of rows) server?.killNow();
    },
  };
}

function started(name: string, entry: ServerEntry, options: McpOptions, changed: () => void): Row {
  const ours = options.secrets ?? (() => []);
  const hide = (text: string): string => redactText(text, [...ours(), ...entry.secrets]);
  const shown = oneLine(name, 60);
  const log: McpOptions['log'] = (message, fields) =>
    options.log(
      message,
      fields &&
        Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? hide(value) : value]),
        ),
    );
  const server = createMcpServer({
    name: shown,
    connect({ toolsChanged }) {
      const said = createNotes(shown, log);
      const secrets = { variables: options.secretVariables ?? [], values: ours() };
      const { env, appVersion = '0' } = options;
      return createConnection({ entry, env, secrets, appVersion, said, toolsChanged });
    },
    clock: options.clock,
    log,
    changed,
    maxRestarts: entry.transport === 'stdio' ? MAX_RESTARTS : Number.POSITIVE_INFINITY,
  });
  return { name, server, hide };
}

/** What a server says beside its messages goes to the log, as much of it as can be of use. */
function createNotes(name: string, log: McpOptions['log']): (line: string) => void {
  let count = 0;
  return (line) => {
    if (++count <= MAX_SAID) log(`mcp: ${name} says`, { line: oneLine(line) });
    else if (count === MAX_SAID + 1) log(`mcp: ${name} says more, which is not logged`);
  };
}

function statusOf({ name, server, fault, hide }: Row): ServerStatus {
  if (!server) return { name, state: fault ? 'failed' : 'connecting', tools: 0, ...(fault && { reason: hide(fault) }) };
  const status = server.status();
  return { ...status, name, ...(status.reason !== undefined && { reason: hide(status.reason) }) };
}

function toolsOf({ name, server, hide }: Row): Tool[] {
  if (!server) return [];
  return server.offered().map((offered) => createMcpTool({ server: name, offered, call: server.call, hide }) as Tool);
}

function unique(tools: Tool[], log: McpOptions['log']): Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) log('mcp: two tools have one name, the second is left out', { tool: tool.name });
    else byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

function settled(
  clock: Clock,
  limitMs: number,
  onChange: McpServers['onChange'],
  isSettled: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      end();
      resolve();
    };
    const look = (): void => {
      if (isSettled()) done();
    };
    const cancel = clock.after(limitMs, done);
    const end = onChange(look);
    look();
  });
}
