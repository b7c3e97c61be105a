import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../edge/journal/records.ts';
import { fakeHost, runWith } from './fake-host.ts';

const script = async (shell: string) => (await runWith(fakeHost(), ['completion', shell])).stdout;

test.each(['bash', 'zsh', 'fish'])('%s names every command and option', async (shell) => {
  const text = await script(shell);
  const words = [
    'exec',
    'stdio',
    'sessions',
    'audit',
    'config',
    'doctor',
    'completion',
    'export',
    'unset',
    'base-url',
    'screen-reader',
    'max-tool-calls',
  ];
  expect(words.filter((word) => !text.includes(word))).toEqual([]);
  expect(text).not.toContain('undefined');
});

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

test.each(['bash', 'zsh', 'fish'].filter(has))('%s can read its script', async (shell) => {
  const file = join(makeFolder(), 'completion');
  writeFileSync(file, await script(shell));
  const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test.skipIf(!has('bash'))('what bash offers', async () => {
  const text = await script('bash');
  const offers = (...words: string[]) => {
    const line = `${text}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _harness_chat; echo "\${COMPREPLY[*]}"`;
    return spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.trim();
  };
  expect(offers('harness-chat', 'se')).toBe('sessions');
  expect(offers('harness-chat', 'config', 'un')).toBe('unset');
  expect(offers('harness-chat', 'exec', '--appr')).toBe('--approval');
  expect(offers('harness-chat', '--approval', 'a')).toBe('ask auto');
  expect(offers('harness-chat', 'completion', '')).toBe('bash zsh fish');
});
