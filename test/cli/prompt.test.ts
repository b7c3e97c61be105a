import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Streams } from '../../src/cli/invocation.ts';
import { promptOf } from '../../src/cli/prompt.ts';

afterEach(() => vi.useRealTimers());

function streams(input: string | Readable | undefined, isTTY = false) {
  const stderr = new PassThrough();
  const stdin = typeof input === 'object' ? input : Readable.from(input ? [Buffer.from(input)] : []);
  const given: Streams = { stdin: Object.assign(stdin, { isTTY }), stdout: new PassThrough(), stderr };
  return { given, said: () => (stderr.read() as Buffer | null)?.toString() ?? '' };
}

describe('the prompt of exec', () => {
  const cases: [words: string[], input: string, prompt: string][] = [
    [['a', 'b'], '', 'a b'],
    [['-'], 'piped\n\n', 'piped'],
    [[], ' piped ', ' piped '],
    [['a'], 'piped\n', 'a\n\npiped'],
    [['-', 'a'], '', '- a'],
    [['  '], 'piped', 'piped'],
    [['a'], '\uFEFF\n', 'a'],
  ];
  for (const [words, input, prompt] of cases) {
    test(`${JSON.stringify(words)} and ${JSON.stringify(input)}`, async () => {
      expect(await promptOf(words, streams(input).given)).toBe(prompt);
    });
  }

  test('of a terminal: words alone are enough, without them it is typed, and that is said', async () => {
    const typed = streams('typed\n', true);
    expect(await promptOf(['a'], typed.given)).toBe('a');
    expect(typed.said()).toBe('');
    expect(await promptOf([], typed.given)).toBe('typed');
    expect(typed.said()).toMatch(/^harness-chat: [^\n]*Ctrl\+D[^\n]*\n$/);
  });

  test('that says nothing is refused', async () => {
    for (const words of [[], ['-'], ['', ' ']]) {
      await expect(promptOf(words, streams(' \n').given)).rejects.toThrow('there is no prompt');
    }
  });

  test('a pipe that breaks says nothing more', async () => {
    const broken = new Readable({ read: () => undefined });
    broken.destroy(new Error('EIO'));
    expect(await promptOf(['a'], streams(broken).given)).toBe('a');
  });

  test('a pipe that does not end is named once', async () => {
    vi.useFakeTimers();
    const pipe = new PassThrough();
    const { given, said } = streams(pipe);
    const prompt = promptOf(['a'], given);
    await vi.advanceTimersByTimeAsync(1900);
    expect(said()).toBe('');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said()).toBe('harness-chat: waiting for the end of standard input\n');
    pipe.end('b');
    expect(await prompt).toBe('a\n\nb');
  });
});
