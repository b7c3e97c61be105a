/** The start of the program: the real process as a Host, and its end. */
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { commands } from './commands.ts';
import { EXIT, type Host } from './invocation.ts';
import { run } from './program.ts';

/** How long a command may take to come to rest after its reader went away. */
const LAST_WORDS_MS = 5_000;

const gone = new AbortController();
const host: Host = {
  env: process.env,
  currentFolder: () => process.cwd(),
  platform: process.platform,
  home: homedir(),
  streams: {
    // opened by who reads or writes: a look at standard input alone would keep the process waiting for it
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
  },
  isTerminal: () => isatty(0) && isatty(1) && process.env.TERM !== 'dumb',
  readerGone: gone.signal,
};

let unwritten = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    if (gone.signal.aborted) return;
    gone.abort();
    setTimeout(() => process.exit(EXIT.readerGone), LAST_WORDS_MS).unref();
  } else if (!unwritten) {
    unwritten = true;
    process.stderr.write(`harness-chat: standard output cannot be written (${code ?? 'unknown error'})\n`);
  }
});
// nobody is left to be told
process.stderr.on('error', () => {});

const code = await run(process.argv.slice(2), host, commands);
// what stands in the pipes is written before the end; a reader that is gone calls back with its error
await Promise.all([process.stdout, process.stderr].map((out) => new Promise((resolve) => out.write('', resolve))));
const failed = unwritten && code === EXIT.done ? EXIT.failed : code;
process.exit(gone.signal.aborted ? EXIT.readerGone : failed);
