/** Keys that a command of the user's prints: it is run when a key is first needed, and once. */
import { spawn } from 'node:child_process';
import { ProviderError } from '../../domain/failure.ts';
import { oneLine } from './one-line.ts';
import { checkValue, SCALARS } from './schema.ts';

export interface KeyCommands {
  /** The key that the command prints. Throws a ProviderError; the next call then tries again. */
  keyOf(command: string, name: string): Promise<string>;
  /** The key was refused, it may be out of date: the next call runs the command again. */
  forget(command: string): void;
}
export interface KeyCommandOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that the command does not get: they hold keys of others. */
  secretVariables: readonly string[];
  /** Told of each key before anybody else is: it must never be shown. */
  onKey(key: string): void;
  timeoutMs?: number;
}

/** A password store may ask its owner for a touch or a word. */
const TIMEOUT_MS = 30_000;
const MOST_BYTES = 64 * 1024;
const LINGER_MS = 250;

type Ended = { code: number | null; output: string; late: boolean };

export function createKeyCommands(options: KeyCommandOptions): KeyCommands {
  const { secretVariables, onKey, timeoutMs = TIMEOUT_MS } = options;
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !secretVariables.includes(name)));
  const keys = new Map<string, Promise<string>>();

  async function ask(command: string, name: string): Promise<string> {
    const fail = (why: string) =>
      new ProviderError('provider_auth', `The command of ${oneLine(name)} ${why}. Run it by hand, or set a key.`);
    const ended = await run(command, env, timeoutMs).catch((error: NodeJS.ErrnoException) => {
      throw fail(`could not be started (${error.code ?? 'unknown error'})`);
    });
    if (ended.late) throw fail(`did not end within ${timeoutMs / 1000} s`);
    if (ended.code !== 0) throw fail(`failed (${ended.code === null ? 'killed' : `exit ${ended.code}`})`);
    // what stands below the first line is the password store's own
    const key = ended.output.trim().split(/\s*\n/)[0] ?? '';
    if (key === '') throw fail('printed nothing');
    onKey(key);
    if (!checkValue(SCALARS.apiKey, key).ok) throw fail(`printed no key; allowed: ${SCALARS.apiKey.allowed}`);
    return key;
  }

  return {
    keyOf(command, name) {
      const known = keys.get(command);
      if (known) return known;
      const asked = ask(command, name);
      keys.set(command, asked);
      asked.catch(() => keys.delete(command));
      return asked;
    },
    forget: (command) => void keys.delete(command),
  };
}

/** What it says on standard error is thrown away: it may repeat a secret. */
function run(command: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      end(child.pid);
      child.stdout.destroy();
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MOST_BYTES);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    let ended: NodeJS.Timeout | undefined;
    const settle = (code: number | null) => {
      clearTimeout(timer);
      clearTimeout(ended);
      resolve({ code, output, late });
    };
    // an agent that it started may keep its output open
    child.once('exit', (code) => {
      ended = setTimeout(() => {
        child.stdout.destroy();
        settle(code);
      }, LINGER_MS);
    });
    child.once('close', settle);
  });
}

/** With all that it started. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it ended by itself meanwhile
  }
}
