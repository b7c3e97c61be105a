/** What a subcommand is started with: the command line, the workspace and the outside world it may use. */
import type { Readable, Writable } from 'node:stream';
import type { HomePaths } from '../edge/settings/paths.ts';
import type { SettingsOptions } from '../edge/settings/sources.ts';

/** Exit codes (contract: Command line). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  hangup: 129,
  interrupted: 130,
  readerGone: 141,
  terminated: 143,
} as const;

/**
 * The options as given. Those that are settings are not checked yet and not joined with the other sources: use what
 * `loadSettings` answers instead.
 */
export interface InvocationOptions extends SettingsOptions {
  continue?: boolean;
  /** true: a picker in the chat, an error elsewhere. */
  resume?: string | true;
  fork?: { sessionId: string; seq?: number };
  /** Absolute. */
  debug?: string;
  json: boolean;
}

export interface Streams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** The process as a subcommand sees it; tests bring their own. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  /** Throws where the current folder is gone. */
  currentFolder(): string;
  platform: NodeJS.Platform;
  /** The user's own folder. */
  home: string;
  streams: Streams;
  /** Whether standard input and output are both a terminal that can draw. */
  isTerminal(): boolean;
  /** Aborted when the reader of standard output went away: end soon, the exit code is then 141. */
  readerGone: AbortSignal;
}

export interface Invocation extends Pick<Host, 'env' | 'streams' | 'readerGone'> {
  options: InvocationOptions;
  /** The workspace: absolute, links resolved. */
  cwd: string;
  paths: HomePaths;
}

/** Where each subcommand lives; every one is loaded only when it is started, and answers with its exit code. */
export interface Commands {
  chat(invocation: Invocation): Promise<number>;
  exec(invocation: Invocation, words: string[]): Promise<number>;
  stdio(invocation: Invocation): Promise<number>;
  sessions(
    invocation: Invocation,
    sub: SessionsCommand,
    args: string[],
    flags: Record<string, unknown>,
  ): Promise<number>;
  audit(invocation: Invocation, sessionId: string): Promise<number>;
  config(invocation: Invocation, sub: ConfigCommand, args: string[]): Promise<number>;
  doctor(invocation: Invocation): Promise<number>;
}
export type SessionsCommand = 'list' | 'show' | 'export' | 'remove' | 'path';
export type ConfigCommand = 'path' | 'list' | 'get' | 'set' | 'unset';
