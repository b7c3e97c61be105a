import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolvePlace } from '../../../src/edge/tools/workspace.ts';

let top: string;
let ws: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  ws = join(top, 'ws');
  for (const folder of ['ws', 'ws/sub', 'out', 'ws-evil']) mkdirSync(join(top, folder));
  writeFileSync(join(top, 'secret'), 's');
  writeFileSync(join(ws, 'a.txt'), 'a');
  symlinkSync('../out', join(ws, 'link'));
  symlinkSync('../out/new.txt', join(ws, 'dangling'));
  symlinkSync(join(top, 'out'), join(ws, 'absolute'));
  symlinkSync('sub', join(ws, 'harmless'));
  symlinkSync('link', join(ws, 'twice'));
  symlinkSync('round', join(ws, 'round'));
  symlinkSync('ws', join(top, 'ws-link'));
  symlinkSync('/', join(ws, 'root'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('a path inside', () => {
  test.each([
    ['a.txt', 'ws/a.txt'],
    ['./a.txt', 'ws/a.txt'],
    ['sub/../a.txt', 'ws/a.txt'],
    ['new/deep/x.txt', 'ws/new/deep/x.txt'],
    ['new/../x.txt', 'ws/x.txt'],
    ['harmless/x.txt', 'ws/sub/x.txt'],
    ['../ws/a.txt', 'ws/a.txt'],
    ['.', 'ws'],
    ['', 'ws'],
    ['~user', 'ws/~user'],
    ['sub/~', 'ws/sub/~'],
    ['link/../ws/a.txt', 'ws/a.txt'],
    ['..a', 'ws/..a'],
  ])('%s', (path, real) => {
    expect(resolvePlace(path, ws)).toEqual({ real: join(top, real), inside: true });
  });
  test('as a file URL', () => {
    expect(resolvePlace(pathToFileURL(join(ws, 'a b.txt')).href, ws)).toEqual({
      real: join(ws, 'a b.txt'),
      inside: true,
    });
  });
  test('of a workspace that is itself reached by a link', () => {
    const link = join(top, 'ws-link');
    expect(resolvePlace('a.txt', link)).toEqual({ real: join(ws, 'a.txt'), inside: true });
    expect(resolvePlace(join(link, 'new.txt'), link)).toEqual({ real: join(ws, 'new.txt'), inside: true });
    expect(resolvePlace(join(ws, 'new.txt'), link).inside).toBe(true);
  });
});

describe('a path outside', () => {
  test.each([
    ['../secret', 'secret'],
    ['link/x.txt', 'out/x.txt'],
    ['link', 'out'],
    ['link/../secret', 'secret'],
    ['link/../../secret', '../secret'],
    ['./link/y', 'out/y'],
    ['absolute/x', 'out/x'],
    ['twice/x', 'out/x'],
    ['dangling', 'out/new.txt'],
    ['sub/../../secret', 'secret'],
    ['missing/../../secret', 'secret'],
    ['../ws-evil/x', 'ws-evil/x'],
    ['../ws-link-not/x', 'ws-link-not/x'],
    ['..', '.'],
  ])('%s', (path, real) => {
    expect(resolvePlace(path, ws)).toEqual({ real: join(top, real), inside: false, why: 'outside the workspace' });
  });
  test.each([
    ['~', homedir()],
    ['~/x', join(homedir(), 'x')],
    ['/etc/hostname', '/etc/hostname'],
    ['root/etc/hostname', '/etc/hostname'],
    ['file:///etc/hostname', '/etc/hostname'],
    ['FILE:///etc/hostname', '/etc/hostname'],
    ['file:///etc%2e%2e/x', '/etc../x'],
  ])('%s', (path, real) => {
    const place = resolvePlace(path, ws);
    expect([place.inside, place.real]).toEqual([false, realOrSame(real)]);
  });
  test.skipIf(process.platform !== 'linux')('through the links of /proc', () => {
    const own = realpathSync(process.cwd());
    expect(resolvePlace('/proc/self/cwd/../x', own).real).toBe(join(own, '..', 'x'));
    expect(resolvePlace('/proc/self/root/etc', ws).real).toBe('/etc');
    expect(resolvePlace('/proc/self/cwd/package.json', own).inside).toBe(true);
  });
  test.skipIf(process.platform !== 'linux')('behind a mount point within the workspace', () => {
    const place = resolvePlace('/proc/version', '/');
    expect(place).toMatchObject({ inside: false, why: 'on another file system, mounted at /proc' });
  });
  test('in a folder that may be read all the same', () => {
    expect(resolvePlace('../out/x', ws, [join(top, 'out')]).inside).toBe(true);
    expect(resolvePlace('../out/../secret', ws, [join(top, 'out')]).inside).toBe(false);
    expect(resolvePlace('../outside', ws, [join(top, 'out')]).inside).toBe(false);
  });
});

const realOrSame = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

test.each([
  ['a\0b', /NUL/],
  ['a\0/../../b', /NUL/],
  ['file://host/x', /no usable file URL/],
  ['file:///a%00b', /no usable file URL|NUL/],
  ['round/x', /too many links/],
  ['x'.repeat(5000), /longer than/],
])('%j is no path, and the reason is one line', (path, message) => {
  expect(() => resolvePlace(path, ws)).toThrow(message);
});
