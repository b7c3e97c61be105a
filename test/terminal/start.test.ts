/** The first moments, and standard streams that are no terminal (field report R51 and its neighbours). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

describe.skipIf(unavailable() || process.platform === 'win32')('the start', () => {
  let program: TerminalProgram | undefined;
  let server: ModelServer | undefined;
  afterEach(() => {
    program?.close();
    server?.stop();
  });

  test('keys that were typed before the first picture are in the draft, also a paste and a sequence', async () => {
    server = await new ModelServer().start();
    program = new TerminalProgram({ env: server.env });
    program.write('earl\x1b[Dx\x1b[C\x1b[200~y\n1\x1b[201~');
    await program.shows('› earxly\n  1');
    program.write('!');
    await program.shows('› earxly\n  1!');
  });

  test.each([
    ['standard input is a pipe', 'echo hi | "$NODE" "$PROGRAM"'],
    ['standard input is /dev/null', '"$NODE" "$PROGRAM" < /dev/null'],
    ['standard input is closed', '"$NODE" "$PROGRAM" <&-'],
    ['standard output is a pipe', '"$NODE" "$PROGRAM" | cat > "$HOME/out"'],
    ['standard output is a file', '"$NODE" "$PROGRAM" > "$HOME/out"'],
    ['standard output is closed', '"$NODE" "$PROGRAM" >&-'],
    ['there is no controlling terminal', 'setsid -w "$NODE" "$PROGRAM" < /dev/null > "$HOME/out"'],
  ])('%s: one line that names exec, exit 2', async (_name, line) => {
    program = new TerminalProgram({ columns: 200, shell: `bash -o pipefail -c '${line}'; echo "code $?"` });
    await program.shows(/code \d+/);
    expect(program.screen).toMatch(/^harness-chat: [^\n]*exec[^\n]*\ncode 2$/);
    expect(program.raw).not.toContain('\x1b[');
    const out = join(program.home, 'out');
    if (existsSync(out)) expect(readFileSync(out, 'utf8')).toBe('');
  });

  test('a dumb terminal gets a chat or a word, no stack trace', async () => {
    server = await new ModelServer().start();
    program = new TerminalProgram({ env: { ...server.env, TERM: 'dumb' } });
    await program.until(
      'a prompt, or the end',
      () => /Type a message/.test(program?.screen ?? '') || program?.exitCode !== undefined,
    );
    expect(program.screen).not.toMatch(/^\s+at .*:\d+/m);
  });

  test.each(['xterm', 'screen', 'tmux-256color', 'linux', 'vt100'])(
    'on %s the hint names a key that makes a new line',
    async (term) => {
      server = await new ModelServer().start();
      program = new TerminalProgram({ env: { ...server.env, TERM: term } });
      await program.shows('Type a message');
      await program.type('a');
      await program.shows(/Ctrl\+J new line/);
      program.write('\n');
      program.write('b');
      await program.shows('› a\n  b');
    },
  );
});
