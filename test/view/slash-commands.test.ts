import { describe, expect, test } from 'vitest';
import { completeSlash, parseDraft, SLASH_COMMANDS, type SlashCommand } from '../../src/view/slash-commands.ts';

describe('what a draft means', () => {
  test.each([
    ['hello', { kind: 'text', text: 'hello' }],
    ['/help', { kind: 'command', name: 'help', argument: '' }],
    ['/HELP', { kind: 'command', name: 'help', argument: '' }],
    ['/keys', { kind: 'command', name: 'help', argument: '' }],
    ['/model gpt-5  local', { kind: 'command', name: 'model', argument: 'gpt-5  local' }],
    ['/hold two\nlines', { kind: 'command', name: 'hold', argument: 'two\nlines' }],
    ['/exit', { kind: 'command', name: 'quit', argument: '' }],
    ['/hlep', { kind: 'unknown', name: 'hlep', near: 'help' }],
    ['/nothing-like-it', { kind: 'unknown', name: 'nothing-like-it', near: undefined }],
    ['/', { kind: 'unknown', name: '', near: undefined }],
    [' /help', { kind: 'text', text: '/help' }],
    ['//help', { kind: 'text', text: '/help' }],
    ['/etc/hosts is broken', { kind: 'text', text: '/etc/hosts is broken' }],
    [' two', { kind: 'text', text: ' two' }],
  ])('%j', (draft, parsed) => {
    expect(parseDraft(draft)).toMatchObject(parsed);
  });
});

test('completion: by the beginning of a name, only while the name is written', () => {
  expect(completeSlash('/re').map((one) => one.name)).toEqual([
    'retry',
    'retract',
    'resume-queue',
    'resend',
    'rename',
    'resume',
    'redraw',
  ]);
  expect(completeSlash('/')).toHaveLength(SLASH_COMMANDS.length);
  for (const none of ['', 're', '/retry ', '/retry x', '//', ' /re']) expect(completeSlash(none)).toEqual([]);
});

test('no two commands share a name, and each says what it does', () => {
  const commands: readonly SlashCommand[] = SLASH_COMMANDS;
  const names = commands.flatMap((one) => [one.name, ...(one.aliases ?? [])]);
  expect(new Set(names).size).toBe(names.length);
  for (const { help } of commands) expect(help.length).toBeGreaterThan(5);
});
