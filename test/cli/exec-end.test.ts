/** How `exec` ends: by a failure, by a signal, at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, script } from './black-box.ts';

const { say, hold, text, finish, call, httpReply, drop } = script;
const KEY = 'sk-kit-0123456789abcdef';
const ONE_LINE = /^harness-chat: [^\n]+\n$/;
describe('a failure', () => {
  blackBox('is exit 1 with one clear line, nothing on standard output, no key and no control sequence', async (t) => {
    const hostile = `bad key ${KEY}\n\u001b[2J\u001b]0;title\u0007 second line\u0085\u009b31m`;
    const failures = [
      [httpReply(401, { error: { message: hostile } }), /provider_auth/],
      [httpReply(400, { error: { message: hostile } }), /provider_refused/],
      [httpReply(404, { error: { message: 'no such model' } }), /provider_not_found/],
      [[text('half an ans'), drop()], /provider_/],
      [[finish('stop')], /empty_response/],
      [[finish('length')], /output_limit/],
      [httpReply(200, '<html>hello</html>', { 'content-type': 'text/html' }), /provider_protocol/],
    ] as const;
    for (const [reply, says] of failures) {
      t.model.reply(reply as never);
      const ran = await t.run(['exec', 'go']);
      expect([ran.code, ran.stdout], String(says)).toEqual([1, '']);
      expect(ran.stderr).toMatch(ONE_LINE);
      expect(ran.stderr).toMatch(says);
      expect(ran.stderr).not.toContain(KEY);
      expect(ran.stderr.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    const kept = readdirSync(join(t.sandbox.home, 'harness-chat'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    for (const entry of kept) expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(KEY);
  });

  blackBox('of a server that is not there: one line with no credentials of its address', async (t) => {
    const ran = await t.run(['exec', 'go', '--base-url', 'http://u:p4ssword@127.0.0.1:1/v1'], { timeoutMs: 40_000 });
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^(harness-chat: [^\n]+\n)+$/);
    expect(ran.stderr).not.toMatch(/p4ssword|sk-kit/);
  });

  blackBox('waits are said on standard error, once each', async (t) => {
    t.model.reply(
      httpReply(429, { error: { message: 'slow\ndown\u001b[2J' } }, { 'retry-after-ms': '30' }),
      say('here'),
    );
    const ran = await t.run(['exec', 'go']);
    expect([ran.code, ran.stdout]).toEqual([0, 'here\n']);
    expect(ran.stderr).toMatch(ONE_LINE);
    expect(ran.stderr.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
  });

  blackBox('the limit of tool steps', async (t) => {
    t.model.answerBy(() => call('list_files', { path: '.' }));
    const ran = await t.run(['exec', '--max-steps', '2', 'go']);
    expect([ran.code, ran.stdout, t.model.requests.length]).toEqual([1, '', 3]);
    expect(ran.stderr).toMatch(/tool_limit/);
  });
});

describe('a signal', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    blackBox(`${signal} while it streams: exit ${code}, nothing on standard output`, async (t) => {
      t.model.reply([text('half'), hold('never')]);
      const ran = await t.run(['exec', 'go'], {
        during: async (child) => {
          await t.model.reached('never');
          child.kill(signal);
        },
      });
      expect(ran).toMatchObject({ code, signal: null, stdout: '' });
      expect(t.model.requests[0]?.closedByClient).toBe(true);
    });
  }

  blackBox('SIGINT while it waits for its prompt', async (t) => {
    const child = t.start(['exec', '-']);
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130);
  });

  blackBox('SIGINT while a tool runs: its process group is gone', async (t) => {
    const command = 'touch running; (sleep 1.5; touch survived) & sleep 30';
    t.model.reply(call('shell', { command }));
    const ran = await t.run(['exec', '--approval', 'auto', 'go'], {
      during: async (child) => {
        while (!existsSync(join(t.sandbox.workspace, 'running')))
          await new Promise((resolve) => setTimeout(resolve, 10));
        child.kill('SIGINT');
      },
    });
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    await new Promise((resolve) => setTimeout(resolve, 1700));
    expect(existsSync(join(t.sandbox.workspace, 'survived'))).toBe(false);
  });
});

describe('a second signal', () => {
  for (const mode of ['exec', 'stdio']) {
    blackBox(`${mode} ends at once, and takes a tool that will not stop with it`, async (t) => {
      const command = "trap '' INT TERM HUP; touch running; sleep 1.5; touch survived";
      t.model.reply(call('shell', { command }));
      const child = t.start([mode, '--approval', 'auto', ...(mode === 'exec' ? ['go'] : [])]);
      const over = new Promise((resolve) => child.once('close', (code) => resolve(code)));
      child.stdin.end(mode === 'stdio' ? '{"type":"UserInput","text":"go"}\n' : '');
      child.stdout.resume();
      while (!existsSync(join(t.sandbox.workspace, 'running'))) await new Promise((resolve) => setTimeout(resolve, 10));
      const began = Date.now();
      child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 100));
      child.kill('SIGTERM');
      expect(await over).toBe(143);
      expect(Date.now() - began).toBeLessThan(1500);
      await new Promise((resolve) => setTimeout(resolve, 1800));
      expect(existsSync(join(t.sandbox.workspace, 'survived'))).toBe(false);
    });
  }
});
