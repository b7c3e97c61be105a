/** One connection to a server, from its start to its end. The SDK is loaded with the first one. */
import type { Client, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { childEnvironment } from '../process/environment.ts';
import { oneLine } from '../settings/one-line.ts';
import { createHttpTransport, unreachable } from './http-transport.ts';
import { isObject } from './offered-tool.ts';
import type { HttpEntry, ServerEntry } from './server-entry.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';

type Sdk = typeof import('@modelcontextprotocol/client');

/** Errors are one line each; they may hold what the server said. */
export interface Connection {
  /** Connects and gives what the server lists as its tools. Rejects where that fails, or where it is closed meanwhile. */
  open(): Promise<unknown[]>;
  list(): Promise<unknown[]>;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
  /** Resolves with how it ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the child, or the session. Never rejects. */
  close(): Promise<void>;
  /** At once and synchronously: for the exit of the program. */
  killNow(): void;
}

export interface ConnectionParts {
  entry: ServerEntry;
  /** The environment of this program. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names and values that no child may know. */
  secrets: { variables?: readonly string[]; values?: readonly string[] };
  appVersion: string;
  /** One line that the server said beside its messages. */
  said(line: string): void;
  toolsChanged(): void;
}

const LONGEST_TIMER = 2_147_483_647;
const MAX_PAGES = 50;
/** What a server answered to a request that belongs to the other form of HTTP. */
const OTHER_FORM = new Set([400, 404, 405]);
const LIST_LIMIT_MS = 30_000;
/** The answers of servers are taken as they are: one that does not keep to its own schema has still done its work. */
const anything = z.looseObject({});
/** What a program that cannot start says of it, among other things. */
const COMPLAINT = /error|cannot|can't|not found|no such|denied|missing|invalid|require|usage/i;
/** Never asked; the SDK would make a costly one. */
const jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'schemas are not checked' }),
};

/** The server went away with a call under way. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export function createConnection(parts: ConnectionParts): Connection {
  let client: Client | undefined;
  let transport: Transport | undefined;
  let closed = false;
  /** Why it is to end, then: how it ended. */
  let why: string | undefined;
  let over: string | undefined;
  let tell = (_how: string): void => undefined;
  const ended = new Promise<string>((resolve) => {
    tell = resolve;
  });
  let complaint = '';
  const said = (line: string): void => {
    if (!complaint && COMPLAINT.test(line)) complaint = line;
    parts.said(line);
  };
  const end = (): void => {
    over ??= why ?? endOf(transport) ?? 'the connection was closed';
    tell(over);
  };
  const gone = (reason: string): void => {
    if (!client || why !== undefined) return;
    why = reason;
    void transport?.close();
  };
  const connect = async (sdk: Sdk, next: Transport): Promise<void> => {
    if (closed) throw new Error('it was closed');
    transport = next;
    const fresh = new sdk.Client({ name: 'harness-chat', version: parts.appVersion }, { jsonSchemaValidator });
    fresh.setNotificationHandler('notifications/tools/list_changed', parts.toolsChanged);
    fresh.onclose = () => client === fresh && end();
    await fresh.connect(next, { timeout: LONGEST_TIMER });
    client = fresh;
    if (!fresh.transport) end();
  };
  return {
    ended,
    list: () => listed(client),
    async open() {
      const sdk = await import('@modelcontextprotocol/client');
      try {
        await (parts.entry.transport === 'stdio'
          ? connect(sdk, stdio(sdk, { ...parts, said }, parts.entry))
          : overHttp(sdk, parts.entry, (next) => connect(sdk, next), gone));
        return await listed(client);
      } catch (error) {
        const how = endOf(transport);
        throw new Error(how === undefined ? reasonOf(error) : oneLine(complaint ? `${how}: ${complaint}` : how));
      }
    },
    async call(tool, input, signal) {
      if (!client || over !== undefined) throw new ConnectionLost(over ?? 'it is not connected');
      try {
        const params = { name: tool, arguments: input };
        return await client.request({ method: 'tools/call', params }, anything, { signal, timeout: LONGEST_TIMER });
      } catch (error) {
        throw over === undefined ? new Error(reasonOf(error)) : new ConnectionLost(over);
      }
    },
    async close() {
      closed = true;
      why ??= 'it was closed';
      await transport?.close().catch(() => undefined);
      end();
    },
    killNow: () => (transport as StdioTransport | undefined)?.killNow?.(),
  };
}

function stdio(
  sdk: Sdk,
  { env, secrets, said }: ConnectionParts,
  entry: ServerEntry & { transport: 'stdio' },
): Transport {
  return createStdioTransport(entry, {
    env: { ...childEnvironment(env, secrets), ...entry.env },
    parse: sdk.deserializeMessage,
    said,
  });
}

/** Where no form was named the newer is tried first, and the older where the answer says that it is not spoken. */
async function overHttp(
  sdk: Sdk,
  entry: HttpEntry,
  connect: (transport: Transport) => Promise<void>,
  gone: (reason: string) => void,
): Promise<void> {
  if (entry.transport !== 'either') return connect(createHttpTransport(sdk, entry, entry.transport, gone));
  try {
    await connect(createHttpTransport(sdk, entry, 'http', gone));
  } catch (error) {
    if (!(error instanceof sdk.SdkHttpError) || !OTHER_FORM.has(error.status)) throw error;
    // what the older form says is of interest only where it is spoken
    await connect(createHttpTransport(sdk, entry, 'sse', gone)).catch(() => Promise.reject(error));
  }
}

/** All pages of the list, within bounds. */
async function listed(client: Client | undefined): Promise<unknown[]> {
  const tools: unknown[] = [];
  if (!client?.getServerCapabilities()?.tools) return tools;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, anything, { timeout: LIST_LIMIT_MS });
    if (Array.isArray(answer.tools)) tools.push(...answer.tools.slice(0, 1_000));
    if (typeof answer.nextCursor !== 'string' || answer.nextCursor === cursor) break;
    cursor = answer.nextCursor;
  }
  return tools;
}

const endOf = (transport: Transport | undefined): string | undefined =>
  (transport as StdioTransport | undefined)?.ended?.();

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const status = isObject((error as { data?: unknown }).data)
    ? (error as { data?: { status?: unknown } }).data?.status
    : undefined;
  if (status === 401 || status === 403) return `it answered ${status}: it wants to know who you are; say so in headers`;
  if (typeof status === 'number') return oneLine(`it answered ${status}: ${error.message}`);
  return oneLine(error.cause instanceof Error ? unreachable(error) : error.message);
}
