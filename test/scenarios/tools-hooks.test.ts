/** Hooks of the config through whole turns: real commands, real tools. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text, toolCall } from '../../src/edge/models/scripted.ts';
import { readProcessTable } from '../../src/edge/process/process-table.ts';
import { until } from '../edge/process/until.ts';
import { KEY, startBench } from './tools-bench.ts';

const touch = (name: string) => toolCall('shell', { command: `touch ${name}` });

describe('a guard of a call', () => {
  test('lets go with 0, denies with 2 and what it printed; the others of the batch are not touched', async () => {
    const bench = await startBench({
      replies: [[touch('P1'), touch('P2'), toolCall('list_files', {})], [text('done')]],
      hooks: [
        {
          on: 'ToolCall',
          match: 'shell',
          run: 'cat > heard.$$; if grep -q P2 heard.$$; then echo "not P2"; exit 2; fi',
        },
      ],
      approval: 'ask',
    });
    const turn = bench.turn();
    const gate = (await bench.rig.until('PermissionRequested')) as { toolExecutionId: string };
    await bench.rig.send({ type: 'ApproveToolCall', toolExecutionId: gate.toolExecutionId, scope: 'once' });
    await turn;
    expect([bench.has('P1'), bench.has('P2')]).toEqual([true, false]);
    expect(bench.rig.events('PermissionRequested')).toHaveLength(1);
    expect(bench.results().map(({ isError }) => isError)).toEqual([false, true, false]);
    expect(bench.results()[1]?.text).toBe('Refused by a hook: not P2');
    expect(bench.results()[2]?.text.match(/^heard/gm)).toHaveLength(2);
    expect(bench.rig.events('TurnDone')).toHaveLength(1);
  });

  test('reads the call as one JSON object, with its coordinates', async () => {
    const bench = await startBench({
      replies: [[toolCall('shell', { command: 'echo "a\nb"', timeout_ms: 5000 })]],
      hooks: [{ on: 'ToolCall', run: 'cat > heard.json' }],
    });
    await bench.turn();
    const [started] = bench.rig.events('ToolCallStarted');
    expect(JSON.parse(bench.read('heard.json'))).toEqual({
      operation: 'ToolCall',
      session_id: bench.rig.session.id,
      loop_id: started?.loopId,
      turn_id: started?.turnId,
      step_id: started?.stepId,
      tool_execution_id: started?.toolExecutionId,
      cwd: bench.ws,
      tool_name: 'shell',
      tool_use_id: started?.toolUseId,
      input: { command: 'echo "a\nb"', timeout_ms: 5000 },
    });
  });

  test.each([
    ['exit 1', 'exit code 1'],
    ['exit 3', 'exit code 3'],
    ['no-such-command-xyz', 'exit code 127'],
    ['kill -9 $$', 'SIGKILL'],
    ['sleep 30', 'within'],
    ['trap "" TERM; while :; do sleep 0.1; done', 'within'],
    ['echo \0', 'could not be started'],
  ])('that does anything else fails closed: %j', async (run, why) => {
    const bench = await startBench({ replies: [[touch('P')]], hooks: [{ on: 'ToolCall', run, timeoutMs: 300 }] });
    await bench.turn();
    expect(bench.has('P')).toBe(false);
    expect(bench.results()).toMatchObject([{ isError: true, text: expect.stringMatching(/nothing was done/) }]);
    expect(bench.log.join('\n')).toContain(why);
    expect(bench.log.join('\n')).toContain('hooks[0]');
  });

  test.each([
    ['echo to-stderr >&2; exit 2', 'Refused by a hook: to-stderr'],
    ['exit 2', 'Refused by a hook.'],
    ['printf "one\\n\\n\\ttwo\\033[31m three\\n"; exit 2', 'Refused by a hook: one two [31m three'],
    [`echo ${KEY}; exit 2`, 'Refused by a hook: [secret hidden]'],
    [`printf '🙂%.0s' $(seq 600); exit 2`, `Refused by a hook: ${'🙂'.repeat(499)}…`],
    ['yes | head -c 100000000; exit 2', /^Refused by a hook: (y )+y?…$/],
    ['head -c 5000 /dev/urandom; exit 2', /^Refused by a hook: \[binary output, 5000 bytes/],
  ])('denies with one line of what it printed: %s', async (run, says) => {
    const bench = await startBench({ replies: [[touch('P')]], hooks: [{ on: 'ToolCall', run }] });
    await bench.turn();
    expect(bench.has('P')).toBe(false);
    expect(bench.results()).toMatchObject([
      { isError: true, text: says instanceof RegExp ? expect.stringMatching(says) : says },
    ]);
  });

  test('matches by tool and by command; every one that fits must let go', async () => {
    const bench = await startBench({
      replies: [[touch('P1'), toolCall('write_file', { path: 'w', content: 'x' }), touch('P2')]],
      hooks: [
        { on: 'ToolCall', match: 'write_*|edit_*', run: 'echo no files; exit 2' },
        { on: 'ToolCall', match: 'shell', run: 'exit 0' },
        { on: 'ToolCall', matchCommand: '/\\bP2\\b/', run: 'echo no P2; exit 2' },
      ],
    });
    await bench.turn();
    expect(['P1', 'w', 'P2'].map(bench.has)).toEqual([true, false, false]);
    expect(bench.results().map(({ text: said }) => said)).toEqual([
      '(no output)',
      'Refused by a hook: no files',
      'Refused by a hook: no P2',
    ]);
  });

  test('knows no secret, and what it prints where it lets go is seen by nobody', async () => {
    const bench = await startBench({
      replies: [[touch('P')]],
      hooks: [{ on: 'ToolCall', run: 'cat > /dev/null; env | tee env.txt' }],
    });
    await bench.turn();
    expect(bench.has('P')).toBe(true);
    expect(bench.read('env.txt')).toMatch(/^PATH=/m);
    expect(bench.read('env.txt')).not.toContain(KEY);
    expect(bench.rig.log()).not.toContain('PATH=');
  });

  test('is ended with its group by an interrupt, in time, and nothing runs', async () => {
    const bench = await startBench({
      replies: [[touch('P')]],
      hooks: [{ on: 'ToolCall', run: 'trap "" TERM; sleep 301 & echo $! > pid; wait; sleep 301' }],
    });
    void bench.rig.say('go');
    await until(() => bench.has('pid') && bench.read('pid').trim() !== '');
    const began = performance.now();
    await bench.rig.send({ type: 'Interrupt' });
    await bench.rig.until('TurnInterrupted');
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(readProcessTable().some(({ pid }) => pid === Number(bench.read('pid')))).toBe(false);
    expect(bench.has('P')).toBe(false);
    expect(bench.rig.events('StepDone')).toEqual([]);
  });
});

describe('a guard of Turn, Step, Inference', () => {
  test.each(['Turn', 'Step', 'Inference'] as const)(
    '%s: refused, nothing is asked and nothing committed',
    async (on) => {
      const bench = await startBench({ replies: [], hooks: [{ on, run: 'echo not today; exit 2' }] });
      await bench.turn();
      expect(bench.rig.events('TurnFailed')[0]?.failure).toEqual({ kind: 'hook_denied', message: 'not today' });
      expect(bench.rig.model.requests).toHaveLength(0);
      expect(bench.rig.events('StepDone')).toEqual([]);
    },
  );
  test.each(['Turn', 'Step', 'Inference'] as const)('%s: failed closed, also without a word', async (on) => {
    const bench = await startBench({ replies: [], hooks: [{ on, run: 'exit 1' }] });
    await bench.turn();
    expect(bench.rig.events('TurnFailed')[0]?.failure.kind).toBe('hook_failed');
    expect(bench.rig.model.requests).toHaveLength(0);
  });
  test('hears what was said', async () => {
    const bench = await startBench({ replies: [], hooks: [{ on: 'Turn', run: 'cat > heard.json' }] });
    await bench.turn();
    expect(JSON.parse(bench.read('heard.json'))).toMatchObject({
      turn_index: 1,
      message: { blocks: [{ type: 'text' }] },
    });
    expect(bench.rig.events('TurnDone')).toHaveLength(1);
  });
});

describe('an observer', () => {
  test('hears of the end, in order, with its outcome; what it does is only logged', async () => {
    const bench = await startBench({
      replies: [[touch('P1'), toolCall('shell', { command: 'false' })], [text('done')]],
      hooks: [
        { on: 'ToolExecution', observe: true, run: 'sleep 0.1; cat >> heard; echo >> heard; exit 2' },
        { on: 'Turn', observe: true, run: 'cat >> turns' },
      ],
    });
    await bench.turn();
    expect(bench.has('P1')).toBe(true);
    await bench.settled();
    const heard = bench
      .read('heard')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(heard.map(({ input, outcome }) => [input.command, outcome])).toEqual([
      ['touch P1', 'completed'],
      ['false', 'failed'],
    ]);
    expect(JSON.parse(bench.read('turns'))).toMatchObject({ operation: 'Turn', outcome: 'completed' });
    expect(bench.log.filter((line) => /observing hook failed.*hooks\[0\].*exit code 2/.test(line))).toHaveLength(2);
    expect(bench.rig.events('TurnDone')).toHaveLength(1);
  });
  test('that never ends holds nothing up, and is ended at its time', async () => {
    const bench = await startBench({
      replies: [[touch('P')]],
      hooks: [{ on: 'ToolCall', observe: true, run: 'echo $$ > pid; exec sleep 302', timeoutMs: 400 }],
    });
    await bench.turn();
    expect(bench.rig.events('TurnDone')).toHaveLength(1);
    await bench.settled();
    const pid = Number(readFileSync(join(bench.ws, 'pid'), 'utf8'));
    expect(readProcessTable().some((row) => row.pid === pid)).toBe(false);
    expect(bench.log.join('\n')).toMatch(/observing hook failed.*did not end within/);
  });
  test('of everything at once: the turn is what it would be without', async () => {
    const operations = ['Turn', 'Step', 'Inference', 'ToolCall', 'ToolExecution', 'JournalAppend'] as const;
    const bench = await startBench({
      replies: [[touch('P')], [text('done')]],
      hooks: operations.map((on) => ({ on, observe: true, run: `cat >> ${on}.log; exit 9` })),
    });
    await bench.turn();
    await bench.settled();
    expect(bench.rig.events('TurnDone')).toHaveLength(1);
    expect(operations.filter((on) => !existsSync(join(bench.ws, `${on}.log`)))).toEqual([]);
  });
});
