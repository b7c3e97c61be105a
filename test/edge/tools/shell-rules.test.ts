import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covered } from '../../../src/edge/tools/shell-rules.ts';

const RULES = [
  'git status',
  'npm test',
  'echo "a; b"',
  "echo 'x && y'",
  'ls *.ts',
  'cd /tmp',
  'git log | head',
  'FOO=1 make',
  'sh',
  'env',
];

const LET_THROUGH = [
  'git status',
  'npm test',
  'git status; npm test',
  'git status;npm test',
  'git status && npm test',
  'git status || npm test',
  'git status & npm test',
  'git status\nnpm test',
  'git status; git status; git status',
  'git status;',
  'git status\n',
  'echo "a; b"',
  'echo "a; b" && git status',
  "git status; echo 'x && y'",
  'ls *.ts',
  'cd /tmp',
  'git log | head',
  'git log | head && git status',
  'FOO=1 make',
];

const ASKED = [
  // a part that is no rule
  'git status; touch P1',
  'git status && touch P2',
  'git status | tee P3',
  'git status & touch P4',
  'git status\ntouch P5',
  'git status || touch P6',
  '(git status; touch P7)',
  'touch P; git status',
  'git status;touch P',
  'git status&touch P',
  'git status&&touch P',
  'git status|touch P',
  'git status |& touch P',
  'git status; npm test; touch P',
  '{ git status; touch P; }',
  '{ git status; }',
  '(git status)',
  '! git status',
  'git status --porcelain',
  'git statusx',
  'xgit status',
  'git',
  'status',
  // substitutions
  'git status $(touch P)',
  'git status `touch P`',
  'git status "$(touch P)"',
  'git status "`touch P`"',
  `git status ${'$'}{X:=$(touch P)}`,
  'git status $((1))',
  'git status <(touch P)',
  'git status >(touch P)',
  '$(git status)',
  '`git status`',
  '$GIT status',
  'git status $X',
  "git $'status'",
  'git $"status"',
  // redirections and here-documents
  'git status > P',
  'git status >P',
  'git status>P',
  'git status >> P',
  'git status 2> P',
  'git status &> P',
  'git status >& P',
  'git status >| P',
  'git status <> P',
  'git status < P',
  'git status << X\nX',
  'git status <<< x',
  '> P git status',
  '2>P git status',
  // assignments in front
  'PATH=. git status',
  'A=1 git status',
  'A=1; git status',
  'GIT_PAGER=touch git status',
  'FOO=1 make; git status',
  // odd spaces, quotes, escapes
  'git  status',
  ' git status',
  'git status ',
  'git\tstatus',
  'git\u00a0status',
  'git\u2003status',
  'git status\r',
  'git status\r\ntouch P',
  'git status\u2028touch P',
  'git status\0touch P',
  'git "status"',
  "git 'status'",
  '"git" status',
  'git sta\\tus',
  'git status\\\n; touch P',
  'git \\\nstatus',
  '\\git status',
  'git status ;  npm test',
  'git status "',
  "git status '",
  'git status "; touch P; "',
  "git status '; touch P; '",
  'echo "a; b"; touch P',
  'echo "a; b',
  "echo 'x && y'; touch P",
  "echo 'x && y' && touch P",
  'echo "a; b" "$(touch P)"',
  // comments, history, globs, braces, home
  'git status #',
  'git status # x\ntouch P',
  'git status !!',
  'git status *',
  'git status ?',
  'git status [a]',
  'git status {a,b}',
  'git status ~',
  'ls *.ts; git status',
  // what is cut off, doubled or left running
  'git status &',
  'git status &&',
  'git status ||',
  'git status |',
  '; git status',
  '&& git status',
  'git status;; npm test',
  'git status; ; npm test',
  'git status &;',
  'git status;\n\nnpm test',
  'git status &&\nnpm test',
  '',
  ' ',
  // what changes the meaning of the rest
  'cd /tmp; git status',
  'cd /tmp && npm test',
  'git status; cd /tmp',
  'env; git status',
  '"cd" /tmp; git status',
  'if git status\nthen touch P\nfi',
  'while git status; do touch P; done',
  'function git\n{ touch P\n}',
  'git() { touch P; }; git status',
  'alias git=touch; git status',
  'eval git status',
  'exec git status',
  'command git status',
  'time git status',
  'coproc git status',
  'trap "touch P" EXIT; git status',
  // a pipe is more than its parts
  'git status | sh',
  'git status | git status',
  'npm test | sh; git status',
  'git log |head',
  'git log | head | sh',
];

describe('rules', () => {
  test.each(LET_THROUGH)('let through: %j', (command) => {
    expect(covered(RULES, command)).toBe(true);
  });
  test.each(ASKED)('asked: %j', (command) => {
    expect(covered(RULES, command)).toBe(false);
  });
  test('the table is long enough to mean something', () => {
    expect(new Set([...LET_THROUGH, ...ASKED]).size).toBeGreaterThan(120);
  });
  test.each([...LET_THROUGH, ...ASKED])('the literal line is its own rule: %j', (command) => {
    expect(covered([command], command)).toBe(true);
    expect(covered([], command)).toBe(false);
  });

  const fragments = [
    'git status', 'git status', 'git status', ';', '&&', '||', '|', '&', '\n', ' ', ' ', '  ', '\t', '\r', 'touch P', '$(', ')', '(', '`',
    '"', "'", '\\', '#', '{', '}', '<', '>', '!', '=', 'A=1', 'cd', 'if', 'then', 'fi', '~', '*', '\0', '\u00a0', ';;', '\\\n',
  ]; // biome-ignore format: a list
  const chain = /^git status(?: ?(?:;|&&|\|\||&|\n) ?git status)*[;\n]?$/;
  test('of any text made of pieces, only plain chains of the rule are covered', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 9 }), (parts) => {
        const command = parts.join('');
        expect(covered(['git status'], command)).toBe(chain.test(command));
      }),
      { seed: 20261130, numRuns: 20_000 },
    );
  });
});
