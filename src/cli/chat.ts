/**
 * `harness-chat`: the chat in the terminal. Opens the first session, or the choice of one, and hands it to the screen.
 * What the first picture needs is imported here and by what is imported here; the rest is loaded when it is asked for.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import { newId } from '../compose.ts';
import type { SessionId } from '../domain/identity.ts';
import { SessionStore } from '../edge/journal/session-store.ts';
import type { HomePaths } from '../edge/settings/paths.ts';
import type { Opening } from '../view/errand.ts';
import { type ComposerHistory, openComposerHistory } from './chat-history.ts';
import { sessionItems } from './chat-lists.ts';
import { chatSettings } from './chat-settings.ts';
import { type Face, newStage, pickingStage, resumedStage, type Stage } from './chat-stage.ts';
import { TailWatch } from './chat-tail.ts';
import { ChatTerminal } from './chat-terminal.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { type LoadedSettings, loadSettings, reportWarnings } from './load-settings.ts';
import { openWanted, startRefusalOf } from './open-session.ts';
import { UsageError } from './usage-error.ts';
import { type WantedSession, wantedSession } from './wanted-session.ts';

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
  const loaded = await loadSettings(invocation, 'chat');
  const settings = chatSettings(loaded, invocation.env);
  reportWarnings(invocation, loaded.warnings);
  const history = await openComposerHistory(loaded.paths.history, invocation.cwd);
  const size = { rows: streams.stdout.rows || 24, columns: streams.stdout.columns || 80 };
  const face: Face = { settings, size, history: history.texts };
  const first = await firstStage(invocation, loaded, face);
  if (typeof first === 'number') return first;
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
    const items = await sessionItems(loaded.paths, invocation.cwd);
    if (items.length === 0) throw new UsageError('there is no session yet; leave out --resume to begin one');
    return pickingStage(face, items);
  }
  const wanted = await wantedSession(invocation);
  try {
    return await openStage(invocation, loaded, wanted, face);
  } catch (error) {
    const why = startRefusalOf(error);
    if (why === undefined) throw error;
    if (wanted.fork && (error as Error).name === 'ForkPointError') throw new UsageError(why);
    invocation.streams.stderr.write(`harness-chat: ${why}\n`);
    return EXIT.failed;
  }
}

async function wantedBy(paths: HomePaths, opening: Opening, present: SessionId | undefined): Promise<WantedSession> {
  if (opening.kind === 'session') {
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
      'A real one: set OPENAI_API_KEY, or --base-url URL --model NAME, or /provider.',
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
