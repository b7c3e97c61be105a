import { expect, test } from 'vitest';
import { matcher } from '../../../src/edge/hooks/matcher.ts';

test.each([
  ['shell', ['shell'], ['shell2', 'my_shell', 'Shell', '']],
  ['*', ['shell', '', 'a\nb'], []],
  ['*_file', ['read_file', 'write_file', '_file'], ['read_files', 'glob']],
  ['write_file|edit_file', ['write_file', 'edit_file'], ['read_file', 'write_file|edit_file']],
  ['write_file | shell', ['write_file', 'shell'], [' shell']],
  ['{write,edit}_file', ['write_file', 'edit_file'], ['read_file']],
  ['mcp__*', ['mcp__a__b'], ['mcp_a']],
  ['/^(write|edit)_/', ['write_file', 'edit_file'], ['rewrite_file', 'Edit_file']],
  ['/SHELL/i', ['shell', 'my-Shell'], ['glob']],
  ['*git push*', ['git push', 'cd /a/b && git push --force\n'], ['git  push', 'git pull']],
  ['/\\brm\\b/', ['rm -rf x', 'cd a; rm b'], ['format', 'rmdir x']],
  ['/usr/bin/*', ['/usr/bin/env'], ['/usr/sbin/x']],
  ['a.c', ['a.c'], ['abc']],
])('%s', (pattern, fits, not) => {
  const matches = matcher(pattern);
  expect(fits.filter((text) => !matches(text))).toEqual([]);
  expect(not.filter(matches)).toEqual([]);
});

test('what is too long for an expression counts as fitting: the hook judges it', () => {
  expect(matcher('/(a+)+b/')('a'.repeat(20_001))).toBe(true);
  expect(matcher('/^x/')('a'.repeat(20_000))).toBe(false);
  expect(matcher('*x')('a'.repeat(200_000))).toBe(false);
});
