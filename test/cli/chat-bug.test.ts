/** `/bug`: a file for those who make the program, without secrets and without what was said. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportBug } from '../../src/cli/chat-bug.ts';
import type { Invocation } from '../../src/cli/invocation.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import { fail, text } from '../../src/edge/models/scripted.ts';
import { startRig } from '../support/rig.ts';
import { fakeHost, runWith } from './fake-host.ts';

const KEY = 'sk-TEST-0123456789abcdef';

async function reported(conversation: boolean) {
  const fake = fakeHost({
    env: { OPENAI_API_KEY: KEY, TERM: 'xterm-256color', HARNESS_CHAT_SYSTEM: 'my own words' },
    terminal: true,
  });
  mkdirSync(fake.home, { recursive: true });
  writeFileSync(
    fake.config,
    JSON.stringify({
      maxSteps: 9,
      rules: { '/my/work': [] },
      mcpServers: { s: { command: KEY } },
      providers: { mine: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyCommand: 'echo tok-TEST-1' } },
    }),
  );
  const { started } = await runWith(fake, []);
  const rig = await startRig({
    replies: [[text('a private answer')], [fail(new ProviderError('provider_auth', 'my private question'))]],
  });
  await rig.say('a private question');
  await rig.until('LoopIdle');
  await rig.say('another');
  await rig.until('TurnFailed');
  const { invocation } = started as { invocation: Invocation };
  const live = { session: rig.session, journal: rig.journal };
  const path = await reportBug({ invocation, newId: () => '0123456789abcdef' }, live, conversation);
  return { fake, path, report: readFileSync(path, 'utf8') };
}

test('what the program is, what is set, how it failed; nothing of what was said', async () => {
  const { fake, path, report } = await reported(false);
  expect(path).toBe(join(fake.home, 'reports', 'harness-chat-0.1.0-0123456789abc.md'));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const words of [
    /^- version \d/m,
    /^- Node \d/m,
    /TERM xterm-256color/,
    /maxSteps = 9 \(config\)/,
    /provider_auth/,
  ])
    expect(report).toMatch(words);
  expect(report).toMatch(/^- TurnFailed 1$/m);
  expect(report).toMatch(/^- system = set/m);
  expect(report).not.toMatch(/private|TEST|my own words/);
});

test('with what was said where it is asked for, and then without a key as well', async () => {
  const { report } = await reported(true);
  expect(report).toContain('a private answer');
  expect(report).not.toContain('TEST');
});

test('nothing is left of one that broke off', async () => {
  const fake = fakeHost({ terminal: true });
  const { started } = await runWith(fake, []);
  const { invocation } = started as { invocation: Invocation };
  const live = {
    session: {
      readEvents: () => {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      },
    },
    journal: { read: () => [] },
  };
  const report = reportBug({ invocation, newId: () => 'x' }, live as never, false);
  await expect(report).rejects.toThrow(/^the report cannot be written to .*reports: the disk is full$/);
  expect(readdirSync(join(fake.home, 'reports'))).toEqual([]);
});

test('where it cannot be written one line says so', async () => {
  const fake = fakeHost({ terminal: true });
  mkdirSync(fake.home, { recursive: true });
  writeFileSync(join(fake.home, 'reports'), '');
  const { started } = await runWith(fake, []);
  const { invocation } = started as { invocation: Invocation };
  await expect(reportBug({ invocation, newId: () => 'x' }, undefined, false)).rejects.toThrow(
    /^the report cannot be written to .*reports/,
  );
});
