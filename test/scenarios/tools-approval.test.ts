/** Who lets a call go, through whole turns with the real tools (field reports: tools and approvals). */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScriptReply, text, toolCall } from '../../src/edge/models/scripted.ts';
import { type Bench, startBench } from './tools-bench.ts';

const shell = (command: string) => toolCall('shell', { command });
const always = (reply: ScriptReply): ScriptReply[] => Array.from({ length: 40 }, () => reply);
const decided = (bench: Bench) =>
  bench.rig.events('PermissionDecided').map(({ effect, source }) => `${effect} ${source}`);
const rulesIn = (bench: Bench): unknown =>
  JSON.parse(readFileSync(join(bench.top, 'config.json'), 'utf8')).rules[bench.ws];

describe('a rule for a command', () => {
  const CHAINS = [
    'git status; touch P1',
    'git status && touch P2',
    'git status | tee P3',
    'git status & touch P4',
    'git status\ntouch P5',
    'git status || touch P6',
    '(git status; touch P7)',
    'git status > P8',
    'git status $(touch P9)',
    'git status `touch P10`',
    'git  status',
    'git status --short',
    'FOO=1 git status',
    'git status # and more',
  ];
  test('covers the very line and chains of such lines; whatever else is in it is asked, and nothing runs', async () => {
    const bench = await startBench({
      replies: [[shell('git status'), shell('git status; git status'), ...CHAINS.map(shell)]],
      rules: [{ toolName: 'shell', covers: 'git status' }],
      approval: 'ask',
    });
    const turn = bench.turn();
    for (const [i, chain] of CHAINS.entries()) {
      const gate = await bench.gate(i + 1);
      expect(gate.request.detail.startsWith(`${chain}\n`)).toBe(true);
      expect(gate.request.scopes).toContainEqual({ scope: 'always', covers: chain });
      await bench.answer(gate, 'deny');
    }
    await turn;
    expect(decided(bench)).toEqual(['approve policy', 'approve policy', ...CHAINS.map(() => 'deny user')]);
    expect(CHAINS.map((_, i) => bench.has(`P${i + 1}`))).not.toContain(true);
  });

  test('is of its tool alone', async () => {
    const bench = await startBench({
      replies: [[toolCall('write_file', { path: 'w', content: '' })]],
      rules: [{ toolName: 'shell', covers: 'write_file within the workspace' }],
      approval: 'ask',
    });
    const turn = bench.turn();
    await bench.answer(await bench.gate(1), 'deny');
    await turn;
    expect(bench.has('w')).toBe(false);
  });

  test('stands in the config, letter for letter, before it lets anything go', async () => {
    const command = 'echo "*" \'$HOME\' > "odd name"; ls *';
    const bench = await startBench({ replies: [[shell(command), shell(command), shell('ls x')]], approval: 'ask' });
    const seen: unknown[] = [];
    void bench.rig.until(({ type }) => type === 'PermissionDecided').then(() => seen.push(rulesIn(bench)));
    const turn = bench.turn();
    await bench.answer(await bench.gate(1), 'always');
    await bench.answer(await bench.gate(2), 'deny');
    await turn;
    expect(seen).toEqual([[{ toolName: 'shell', covers: command }]]);
    expect(rulesIn(bench)).toEqual([{ toolName: 'shell', covers: command }]);
    expect(decided(bench)).toEqual(['approve user', 'approve policy', 'deny user']);
  });

  test('that cannot be written grants nothing: the gate stays open, and can be answered otherwise', async () => {
    const bench = await startBench({ replies: [[shell('touch P')]], approval: 'ask', config: 'file/config.json' });
    writeFileSync(join(bench.top, 'file'), '');
    const turn = bench.turn();
    const gate = await bench.gate(1);
    expect(await bench.answer(gate, 'always')).toMatchObject({ ok: false, message: /rule could not be written/ });
    expect(decided(bench)).toEqual([]);
    expect(bench.has('P')).toBe(false);
    await bench.answer(gate, 'once');
    await turn;
    expect([decided(bench), bench.has('P')]).toEqual([['approve user'], true]);
  });
});

describe('outside the workspace', () => {
  /** Each with where it really leads, seen from the folder around the workspace. */
  const WAYS = [
    [toolCall('write_file', { path: 'link/x.txt', content: 'x' }), 'out/x.txt'],
    [toolCall('read_file', { path: 'link/../out/secret' }), 'out/secret'],
    [toolCall('edit_file', { path: './link/secret', old_text: 'word', new_text: 'x' }), 'out/secret'],
    [toolCall('write_file', { path: '../ws-evil/x', content: 'x' }), 'ws-evil/x'],
    [toolCall('search', { pattern: 'word', path: 'link' }), 'out'],
    [toolCall('glob', { pattern: '../out/*' }), 'out'],
    [toolCall('list_files', { path: '..' }), ''],
    [toolCall('read_file', { path: 'file:///etc/passwd' }), '/etc/passwd'],
  ] as const;
  const CALLS = WAYS.map(([call]) => call);
  const world = async (options: { attended?: boolean; approval?: 'auto' | 'deny' }) => {
    const bench = await startBench({ replies: [CALLS, [text('done')]], ...options });
    mkdirSync(join(bench.top, 'out'));
    mkdirSync(join(bench.top, 'ws-evil'));
    writeFileSync(join(bench.top, 'out', 'secret'), 'the word');
    symlinkSync('../out', join(bench.ws, 'link'));
    return bench;
  };
  const untouched = (bench: Bench) => {
    expect(readFileSync(join(bench.top, 'out', 'secret'), 'utf8')).toBe('the word');
    expect(['out/x.txt', 'ws-evil/x'].filter((path) => existsSync(join(bench.top, path)))).toEqual([]);
    expect(JSON.stringify(bench.rig.model.requests[1]?.messages.filter(({ role }) => role === 'tool'))).not.toContain(
      'the word',
    );
  };
  test.each([
    { attended: false, approval: 'auto' },
    { attended: true, approval: 'deny' },
    { attended: false, approval: 'deny' },
  ] as const)('%j: refused without a question, and the model is told why', async (options) => {
    const bench = await world(options);
    await bench.turn();
    untouched(bench);
    expect(decided(bench)).toEqual(CALLS.map(() => 'deny policy'));
    const why = options.approval === 'deny' ? 'approval mode is deny' : 'nobody is there to answer';
    expect(bench.results().map((result) => result.isError && result.text.includes(why))).toEqual(CALLS.map(() => true));
  });
  test('auto, with somebody there: asked each time with the real path; a no changes nothing', async () => {
    const bench = await world({ approval: 'auto' });
    const turn = bench.turn();
    for (const [i, [, leads]] of WAYS.entries()) {
      const gate = await bench.gate(i + 1);
      expect(gate.request.detail.split('\n')[0]).toBe(`${resolve(bench.top, leads)} (outside the workspace)`);
      expect(gate.request.scopes.map(({ scope }) => scope)).toEqual(['session']);
      await bench.answer(gate, 'deny');
    }
    await turn;
    untouched(bench);
  });
});

describe('a model that insists', () => {
  test('on what was refused: told not to, and ended after the third time', async () => {
    const bench = await startBench({ replies: always([shell('touch P')]), approval: 'ask' });
    const turn = bench.turn();
    for (const n of [1, 2, 3]) await bench.answer(await bench.gate(n), 'deny');
    await turn;
    expect(bench.rig.events('TurnFailed')[0]?.failure.kind).toBe('tool_limit');
    expect(bench.results()).toHaveLength(3);
    expect(bench.results()[0]?.text).toMatch(/refused.*Do not make it again/);
    expect(bench.has('P')).toBe(false);
  });
  test('on what fails in the same way: ended after the third time', async () => {
    const bench = await startBench({ replies: always([toolCall('read_file', { path: 'not-there' })]) });
    await bench.turn();
    expect(bench.rig.events('TurnFailed')[0]?.failure.kind).toBe('tool_limit');
    expect(bench.results().map(({ isError }) => isError)).toEqual([true, true, true]);
  });
  test('on two calls in turn: the limit of Steps ends it, every call answered', async () => {
    const replies = always([shell('false')]).map((reply, i) => (i % 2 ? reply : [toolCall('glob', { pattern: '*' })]));
    const bench = await startBench({ replies, maxSteps: 6 });
    await bench.turn();
    expect(bench.rig.events('TurnFailed')[0]?.failure.kind).toBe('tool_limit');
    expect(bench.results()).toHaveLength(6);
  });
  test('in one batch, on three calls with the same words: each is asked, each is answered', async () => {
    const bench = await startBench({ replies: [[shell('echo a'), shell('echo a'), shell('echo a')]], approval: 'ask' });
    const turn = bench.turn();
    await bench.answer(await bench.gate(1), 'once');
    await bench.answer(await bench.gate(2), 'deny');
    await bench.answer(await bench.gate(3), 'once');
    await turn;
    expect(bench.results().map(({ isError }) => isError)).toEqual([false, true, false]);
  });
});
