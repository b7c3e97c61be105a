import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
  // through a pipe: fish reads no socket
  const read = ['-c', 'cat | "$0" -n', shell];
  const { status, stderr } = spawnSync('sh', read, { input: await script(shell), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

/** A folder with a `harness-chat` that knows two sessions. */
function withProgram(): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const list =
    "#!/bin/sh\n[ \"$*\" = 'sessions list --all' ] && printf '0199-a  today  1 turn\\n0200-b  today  2 turns\\n'\n";
  writeFileSync(join(folder, 'harness-chat'), list, { mode: 0o755 });
  return { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: 'dumb' };
}

const CASES: [words: string[], offers: string[]][] = [
  [['se'], ['sessions']],
  [['config', 'un'], ['unset']],
  [['-m', 'x', 'config', 'un'], ['unset']],
  [['config', 'set', 'maxT'], ['maxToolCalls']],
  [
    ['config', 'get', 'provi'],
    ['provider', 'providers.'],
  ],
  [['exec', '--appr'], ['--approval']],
  [
    ['--approval', 'a'],
    ['ask', 'auto'],
  ],
  [['--provider', 'gro'], ['groq']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['--resume', '0'],
    ['0199-a', '0200-b'],
  ],
  [['--fork', '02'], ['0200-b']],
  [['sessions', 'show', '01'], ['0199-a']],
  [
    ['audit', ''],
    ['0199-a', '0200-b'],
  ],
];

test.skipIf(!has('bash')).each(CASES)('bash offers behind %j', async (words, offers) => {
  const line = `${await script('bash')}\nCOMP_WORDS=(harness-chat ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _harness_chat; echo "\${COMPREPLY[*]}"`;
  const { stdout } = spawnSync('bash', ['-c', line], { encoding: 'utf8', env: withProgram() });
  expect(stdout.trim().split(' ')).toEqual(offers);
});

test.skipIf(!has('fish')).each(CASES)('fish offers behind %j', async (words, offers) => {
  const line = `${await script('fish')}\ncomplete -C 'harness-chat ${words.join(' ')}'`;
  const { stdout } = spawnSync('fish', ['--no-config', '-c', line], { encoding: 'utf8', env: withProgram() });
  const named = stdout
    .trim()
    .split('\n')
    .map((row) => row.split('\t')[0] ?? '');
  expect(named.filter((name) => name !== '').sort()).toEqual([...offers].sort());
});

/** In a terminal of its own: what zsh offers is asked for by a key. */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; LISTMAX=1000; PROMPT=; source $FILE'
zpty -w shell "zstyle ':completion:*' list-grouped false; zstyle ':completion:*' verbose false"
zpty -w shell 'compadd() { [[ "$*" == *-[AOD]* ]] && { builtin compadd "$@"; return }; local -a all; builtin compadd -O all "$@"; print -rl -- OFFER:$^all; builtin compadd "$@" }'
zpty -w shell 'print READY'
zpty -m -r shell out '*READY*READY*' 
zpty -n -w shell "$LINE"$'\t'
zpty -n -w shell $'\x15print DONE\n'
zpty -r -m shell out '*DONE*DONE*'
print -r -- "$out"
`;

test.skipIf(!has('zsh')).each(CASES)('zsh offers behind %j', async (words, offers) => {
  const env = withProgram();
  const file = join(env.HOME ?? '', 'script.zsh');
  writeFileSync(file, await script('zsh'));
  const line = `harness-chat ${words.join(' ')}`;
  const { stdout } = spawnSync('zsh', ['-f', '-c', ZSH], {
    encoding: 'utf8',
    env: { ...env, FILE: file, LINE: line },
    timeout: 15_000,
  });
  const named = [...stdout.matchAll(/OFFER:(\S+)/g)].map(([, name]) => name ?? '');
  expect([...new Set(named)].sort()).toEqual([...offers].sort());
});
