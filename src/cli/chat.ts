/** `harness-chat`: the chat in the terminal. Opens the session, and hands it to the screen. */
import type { ReadStream, WriteStream } from 'node:tty';
import type { Session } from '../runtime/session.ts';
import type { ChatSettings } from '../view/chat-state.ts';
import type { ComposerHistory } from './chat-history.ts';
import type { Invocation } from './invocation.ts';
import type { LoadedSettings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

/** What a chat is made of. */
export interface ChatParts {
  session: Session;
  settings: Omit<ChatSettings, 'keymap'>;
  /** Actions and the keys that the person gave them. */
  keys: Readonly<Record<string, string | readonly string[]>>;
  history: ComposerHistory;
  /** The session was there before: what was said is printed first. */
  resumed: boolean;
  /** Lines for the start: which model, what was mended. */
  banner: readonly string[];
  newId(): string;
  env: Invocation['env'];
  /** The theme follows the terminal's background. */
  autoTheme: boolean;
  /** Kills what a tool left running. */
  killAll(): void;
}

export interface ChatStreams {
  stdin: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
}

export async function runChat(invocation: Invocation): Promise<number> {
  // The screen's packages load while the session opens.
  const terminal = import('./chat-start.ts');
  terminal.catch(() => undefined);
  const { openSession } = await import('./open-session.ts');
  const opened = await openSession(invocation, { purpose: 'chat', attended: true });
  if (typeof opened === 'number') return opened;
  const { session, loaded, processes } = opened;
  const { newId } = await import('../compose.ts');
  const { openComposerHistory } = await import('./chat-history.ts');
  const { startChat } = await terminal;
  return startChat(
    {
      session,
      settings: chatSettings(loaded),
      keys: loaded.settings.keys,
      history: openComposerHistory(loaded.paths.history),
      resumed: wasThere(invocation),
      banner: bannerOf(loaded),
      newId,
      env: invocation.env,
      autoTheme: loaded.settings.color && loaded.settings.theme === 'auto',
      killAll: () => processes.killAll(),
    },
    terminalStreams(invocation),
  );
}

const wasThere = ({ options }: Invocation): boolean =>
  options.continue === true || options.resume !== undefined || options.fork !== undefined;

function chatSettings({ settings, choice, configured }: LoadedSettings): Omit<ChatSettings, 'keymap'> {
  const { color, ascii, theme } = settings;
  return {
    theme: color ? (theme === 'auto' ? 'dark' : theme) : 'none',
    ascii,
    links: color && !ascii,
    label: choice.model,
    demo: !configured || choice.provider === 'demo',
  };
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
