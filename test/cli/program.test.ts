import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeHost, runWith } from './fake-host.ts';

describe('what is started', () => {
  test.each<[string[], string, unknown[]]>([
    [[], 'chat', []],
    [['-m', 'x'], 'chat', []],
    [['exec', 'two', 'words'], 'exec', [['two', 'words']]],
    [['exec'], 'exec', [[]]],
    [['exec', '-'], 'exec', [['-']]],
    [['exec', '--', '-x', '--json'], 'exec', [['-x', '--json']]],
    [['stdio'], 'stdio', []],
    [['sessions', 'list'], 'sessions', ['list', [], {}]],
    [['sessions', 'show', 'a'], 'sessions', ['show', ['a'], {}]],
    [['sessions', 'remove', 'a', 'b'], 'sessions', ['remove', ['a', 'b'], {}]],
    [['sessions', 'path'], 'sessions', ['path', [], {}]],
    [['sessions', 'path', 'a'], 'sessions', ['path', ['a'], {}]],
    [['audit', 'a'], 'audit', ['a']],
    [['config', 'set', 'model', 'm'], 'config', ['set', ['model', 'm']]],
    [['config', 'list'], 'config', ['list', []]],
    [['doctor'], 'doctor', []],
  ])('%j', async (args, name, rest) => {
    const { code, started, stderr } = await runWith(fakeHost({ terminal: true }), args);
    expect([code, started?.name, started?.rest, stderr]).toEqual([0, name, rest, '']);
  });

  test("its exit code is the program's", async () => {
    expect((await runWith(fakeHost(), ['stdio'], { stdio: async () => 130 })).code).toBe(130);
  });
});

test('options stand before or behind the command; the last one counts', async () => {
  const all = [
    '-m',
    'm',
    '-p',
    'p',
    '--base-url',
    'http://h',
    '--approval',
    'deny',
    '--max-steps',
    '3',
    '--max-tool-calls',
    '4',
    '--system',
    '',
  ];
  const wanted = {
    model: 'm',
    provider: 'p',
    baseUrl: 'http://h',
    approval: 'deny',
    maxSteps: '3',
    maxToolCalls: '4',
    system: '',
    color: false,
    ascii: true,
    screenReader: true,
    json: true,
  };
  const rest = ['--no-color', '--ascii', '--screen-reader', '--json'];
  for (const args of [
    [...all, ...rest, 'exec', 'x'],
    ['exec', ...all, 'x', ...rest],
    [...all, 'exec', ...rest, 'x'],
  ]) {
    const { started } = await runWith(fakeHost(), args);
    expect(started?.invocation.options).toEqual(wanted);
    expect(started?.rest).toEqual([['x']]);
  }
  const twice = await runWith(fakeHost(), ['stdio', '--approval', 'auto', '--approval', 'ask']);
  expect(twice.started?.invocation.options).toEqual({ approval: 'ask', json: false });
});

test.each<[string[], object]>([
  [['-c'], { continue: true }],
  [['-r'], { resume: true }],
  [['-r', 'abc'], { resume: 'abc' }],
  [['--resume=abc'], { resume: 'abc' }],
  [['--fork', 'abc'], { fork: { sessionId: 'abc' } }],
  [['--fork', 'abc@12'], { fork: { sessionId: 'abc', seq: 12 } }],
])('sessions: %j', async (args, options) => {
  const { started } = await runWith(fakeHost(), ['exec', 'x', ...args]);
  expect(started?.invocation.options).toEqual({ ...options, json: false });
});

test('the workspace is the real path; files of options start from the current folder', async () => {
  const fake = fakeHost();
  mkdirSync(join(fake.root, 'real'));
  symlinkSync('real', join(fake.root, 'link'));
  const { started } = await runWith(fake, ['exec', '-C', 'link', '--debug', 'log', 'x']);
  expect(started?.invocation.cwd).toBe(join(fake.root, 'real'));
  expect(started?.invocation.options.debug).toBe(join(fake.root, 'log'));
  expect((await runWith(fake, ['stdio'])).started?.invocation.cwd).toBe(fake.root);
});

describe('a mistake is one line and exit 2, and nothing is started', () => {
  test.each<[string[], RegExp]>([
    [['--nope'], /unknown option '--nope'/],
    [['exec', '--no-such-option', 'x'], /unknown option '--no-such-option'/],
    [['exec', '-x what'], /unknown option.*behind --/],
    [['--modle', 'x'], /unknown option '--modle'.*--model/],
    [['foo'], /unknown command 'foo'.*exec, stdio, sessions/],
    [['foo', 'bar', '-m', 'x'], /unknown command 'foo'/],
    [['help', 'foo'], /unknown command/],
    [['sessions'], /sessions needs a command.*list, show, export, remove, path/],
    [['sessions', 'foo'], /unknown command 'sessions foo'/],
    [['sessions', 'list', 'x'], /too many arguments/],
    [['sessions', 'show'], /missing required argument 'session' \("harness-chat sessions list" names them\)/],
    [['config'], /config needs a command/],
    [['config', 'get'], /missing required argument 'key'/],
    [['config', 'set', 'model'], /missing required argument 'value'/],
    [['config', 'set', 'model', 'a', 'b'], /too many arguments/],
    [['stdio', 'x'], /too many arguments/],
    [['doctor', 'x'], /too many arguments/],
    [['audit'], /missing required argument 'session'/],
    [['completion'], /missing required argument 'shell'/],
    [['completion', 'tcsh'], /'tcsh'.*bash, zsh, fish/],
    [['exec', '-m'], /-m, --model.*argument missing/],
    [['exec', '-m', '--json', 'x'], /-m, --model.*argument missing/],
    [['exec', '-m', '', 'x'], /--model needs a value/],
    [['exec', '--base-url', ' ', 'x'], /--base-url needs a value/],
    [['exec', '--resume=', 'x'], /--resume needs a value/],
    [['exec', '--approval', 'maybe', 'x'], /--approval.*maybe.*ask, auto, deny/],
    [['exec', '-c', '-r', 'x'], /--continue.*cannot be used with.*--resume/],
    [['-c', '--fork', 'x', 'exec', 'x'], /--continue.*cannot be used with.*--fork/],
    [['-r', '-c'], /cannot be used with/],
    [['exec', '--fork', 'a@', 'x'], /--fork.*ID@SEQ/],
    [['exec', '--fork', 'a@0', 'x'], /--fork.*ID@SEQ/],
    [['exec', '--fork', 'a@b@1', 'x'], /--fork.*ID@SEQ/],
    [['exec', '-C', '/no/such/folder', 'x'], /--cwd.*\/no\/such\/folder.*ENOENT/],
    [['exec', '-C', '/dev/null', 'x'], /--cwd.*no folder/],
    [['doctor', '-c'], /--continue does not go with doctor/],
    [['sessions', 'list', '-m', 'x'], /--model does not go with sessions/],
    [['--json'], /--json does not go with the chat/],
    [['exec', '--\u001b[2Jx\ny'], /unknown option '--\\u\{1b\}\[2Jx y'/],
  ])('%j', async (args, line) => {
    const { code, started, stdout, stderr } = await runWith(fakeHost({ terminal: true }), args);
    expect([code, started, stdout]).toEqual([2, undefined, '']);
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^harness-chat: [^\n]+\n$/);
  });

  test('the chat without a terminal names exec', async () => {
    const { code, started, stderr } = await runWith(fakeHost(), []);
    expect([code, started]).toEqual([2, undefined]);
    expect(stderr).toMatch(/^harness-chat: the chat needs a terminal.*harness-chat exec[^\n]*\n$/);
  });

  test('a folder that is gone', async () => {
    const fake = fakeHost();
    fake.host.currentFolder = () => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
    };
    expect(await runWith(fake, ['stdio'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/current folder is gone.*--cwd/),
    });
    expect(await runWith(fake, ['stdio', '-C', fake.root])).toMatchObject({ code: 0, stderr: '' });
  });

  test('a password in an address is not repeated', async () => {
    const { stderr } = await runWith(fakeHost(), ['exec', '--bas-url=http://u:p4ss@h', 'x']);
    expect(stderr).not.toContain('p4ss');
  });
});

test('an error of our own is one line without a stack, and exit 1', async () => {
  const { code, stderr } = await runWith(fakeHost(), ['stdio'], {
    stdio: () => Promise.reject(new Error('boom\nhttp://u:p4ss@h')),
  });
  expect(code).toBe(1);
  expect(stderr).toBe('harness-chat: an internal error ended the program: boom http://***@h\n');
});

test('version and help go to standard output', async () => {
  expect(await runWith(fakeHost(), ['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  for (const args of [['--help'], ['-h'], ['help'], ['exec', '--help'], ['help', 'exec'], ['sessions', '--help']]) {
    const { code, started, stdout, stderr } = await runWith(fakeHost(), args);
    expect([code, started, stderr]).toEqual([0, undefined, '']);
    expect(stdout).toMatch(/^Usage: harness-chat/);
    expect(stdout).toContain('--base-url');
    expect(stdout.split('\n').length).toBeLessThan(45);
  }
});

test('the home moves with its variable, relative to the current folder', async () => {
  const fake = fakeHost({ env: { HARNESS_CHAT_HOME: 'here' } });
  writeFileSync(join(fake.root, 'x'), '');
  const { started } = await runWith(fake, ['stdio']);
  expect(started?.invocation.paths.config).toBe(join(fake.root, 'here', 'config.json'));
});
