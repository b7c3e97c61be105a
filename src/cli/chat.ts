/** `harness-chat`: the chat in the terminal. Opens the first session, or the choice of one, and hands it to the screen. */
import type { ReadStream, WriteStream } from 'node:tty';
import type { SessionId } from '../domain/identity.ts';
import type { HomePaths } from '../edge/settings/paths.ts';
import type { Opening } from '../view/errand.ts';
import type { ComposerHistory } from './chat-history.ts';
import type { Face, Stage } from './chat-stage.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { type LoadedSettings, loadSettings, reportWarnings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';
import type { WantedSession } from './wanted-session.ts';

/** What a chat is made of, whatever session it shows. */
export interface ChatParts {
  history: ComposerHistory;
  newId(): string;
  /** As the chat was started: what reads the settings anew is given it. */
  invocation: Invocation;
  env: Invocation['env'];
  /** The workspace. */
  cwd: string;
  paths: HomePaths;
  /** A server on this machine is looked for: nothing is configured. */
  offerLocal: boolean;
  /** A model of a server is asked: what that needs is loaded before the first request. */
  needsSdk: boolean;
  /** The stage of another session; rejects with what `refusalOf` says where it cannot be had. `present`: the one to fork. */
  open(opening: Opening, present: SessionId | undefined, face: Face): Promise<Stage>;
}

export interface ChatStreams {
  stdin: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
}

export async function runChat(invocation: Invocation): Promise<number> {
  const streams = terminalStreams(invocation);
  // The screen's packages load while the session opens.
  const terminal = import('./chat-terminal.ts');
  terminal.catch(() => undefined);
  const loaded = await loadSettings(invocation, 'chat');
  const { chatSettings } = await import('./chat-settings.ts');
  const settings = chatSettings(loaded, invocation.env);
  reportWarnings(invocation, loaded.warnings);
  const { openComposerHistory } = await import('./chat-history.ts');
  const history = await openComposerHistory(loaded.paths.history, invocation.cwd);
  const size = { rows: streams.stdout.rows || 24, columns: streams.stdout.columns || 80 };
  const face: Face = { settings, size, history: history.texts };
  const first = await firstStage(invocation, loaded, face);
  if (typeof first === 'number') return first;
  const { newId } = await import('../compose.ts');
  const { ChatTerminal } = await terminal;
  const parts: ChatParts = {
    history,
    newId,
    invocation,
    env: invocation.env,
    cwd: invocation.cwd,
    paths: loaded.paths,
    offerLocal: !loaded.configured,
    needsSdk: loaded.choice.provider !== 'demo',
    open: async (opening, present, like) =>
      openStage(invocation, loaded, await wantedBy(loaded.paths, opening, present), like),
  };
  return new ChatTerminal(parts, streams).run(first);
}

/** Or the exit code where there is none. */
async function firstStage(invocation: Invocation, loaded: LoadedSettings, face: Face): Promise<Stage | number> {
  if (invocation.options.resume === true) {
    const { sessionItems } = await import('./chat-lists.ts');
    const { pickingStage } = await import('./chat-stage.ts');
    const items = await sessionItems(loaded.paths, invocation.cwd);
    if (items.length === 0) throw new UsageError('there is no session yet; leave out --resume to begin one');
    return pickingStage(face, items);
  }
  const { wantedSession } = await import('./wanted-session.ts');
  const { refusalOf } = await import('./open-session.ts');
  const wanted = await wantedSession(invocation);
  try {
    return await openStage(invocation, loaded, wanted, face);
  } catch (error) {
    const why = refusalOf(error);
    if (why === undefined) throw error;
    if (wanted.fork && (error as Error).name === 'ForkPointError') throw new UsageError(why);
    invocation.streams.stderr.write(`harness-chat: ${why}\n`);
    return EXIT.failed;
  }
}

async function wantedBy(paths: HomePaths, opening: Opening, present: SessionId | undefined): Promise<WantedSession> {
  if (opening.kind === 'session') {
    const { SessionStore } = await import('../edge/journal/session-store.ts');
    return { resume: await new SessionStore(paths).resolve(opening.sessionId) };
  }
  if (opening.kind === 'new' || !present) return {};
  return { fork: { source: present, ...(opening.at !== undefined && { at: opening.at }) } };
}

async function openStage(
  invocation: Invocation,
  loaded: LoadedSettings,
  wanted: WantedSession,
  face: Face,
): Promise<Stage> {
  const { openWanted } = await import('./open-session.ts');
  const { newStage, resumedStage } = await import('./chat-stage.ts');
  const { TailWatch } = await import('./chat-tail.ts');
  const seen = new TailWatch(Date.now());
  const opened = await openWanted(invocation, loaded, wanted, { purpose: 'chat', attended: true, watch: seen.take });
  const words = opened.notices;
  if (!wanted.resume && !wanted.fork) return newStage(opened, face, [...words, ...bannerOf(loaded)]);
  return resumedStage(opened, seen, { forked: wanted.fork !== undefined, words, cwd: invocation.cwd }, face);
}

function bannerOf({ choice, configured }: LoadedSettings): string[] {
  if (!configured) {
    return [
      'demo: the built-in demo model, without a network. Nothing is set up yet.',
      'A real one: set OPENAI_API_KEY, or start with --base-url URL --model NAME.',
    ];
  }
  const where = choice.baseUrl === undefined ? '' : ` at ${choice.baseUrl}`;
  return [`${choice.model}${where}`];
}

function terminalStreams({ streams }: Invocation): ChatStreams {
  const { stdin, stdout, stderr } = streams as unknown as ChatStreams;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageError('the chat needs a terminal; use "harness-chat exec" without one');
  return { stdin, stdout, stderr };
}
