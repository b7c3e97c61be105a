import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/edge/settings/config-file.ts';
import { updateConfig } from '../../../src/edge/settings/config-store.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'config-'));
  path = join(home, 'config.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('no file is an empty config, and none is made', async () => {
  expect(await readConfig(path)).toEqual({ config: { path, values: {} }, warnings: [] });
  expect(readdirSync(home)).toEqual([]);
});

test('a good file', async () => {
  writeFileSync(path, '{"maxSteps": 3}');
  expect((await readConfig(path)).config.values).toEqual({ maxSteps: 3 });
});

const broken: [string, (file: string) => void][] = [
  ['empty', (file) => writeFileSync(file, '')],
  ['blank', (file) => writeFileSync(file, ' \n')],
  ['cut', (file) => writeFileSync(file, '{"baseURL":"http://x')],
  ['300 NUL bytes', (file) => writeFileSync(file, Buffer.alloc(300))],
  ['a list', (file) => writeFileSync(file, '[]')],
  ['null', (file) => writeFileSync(file, 'null')],
  ['a number', (file) => writeFileSync(file, '7')],
  ['a byte order mark', (file) => writeFileSync(file, '\ufeff{"maxSteps":3}')],
  ['a comment', (file) => writeFileSync(file, '{"maxSteps":3} // three')],
  ['no UTF-8', (file) => writeFileSync(file, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
  ['UTF-16', (file) => writeFileSync(file, '{"maxSteps":3}', 'utf16le')],
  ['a folder', (file) => mkdirSync(file)],
  [
    'a folder with something in it',
    (file) => {
      mkdirSync(file);
      writeFileSync(join(file, 'x'), 'x');
    },
  ],
  [
    'mode 000',
    (file) => {
      writeFileSync(file, '{"maxSteps":3}');
      chmodSync(file, 0);
    },
  ],
  ['a link in a circle', (file) => symlinkSync(file, file)],
];

describe('a broken file is set aside with a word, and the program starts', () => {
  test.each(broken)('%s', async (_what, make) => {
    make(path);
    const before = lstatSync(path);
    const { config, warnings } = await readConfig(path);
    expect(config.values).toEqual({});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(path);
    const [aside, ...others] = readdirSync(home);
    expect(others).toEqual([]);
    expect(aside).toMatch(/^config\.json\.broken-\d{8}T\d{6}$/);
    expect(lstatSync(join(home, aside ?? '')).ino).toBe(before.ino);
    expect(warnings[0]).toContain(aside);
    expect((await readConfig(path)).warnings).toEqual([]);
  });

  test('two of them within one second keep two names', async () => {
    for (let count = 0; count < 3; count += 1) {
      writeFileSync(path, `broken ${count}`);
      await readConfig(path);
    }
    const texts = readdirSync(home).map((name) => readFileSync(join(home, name), 'utf8'));
    expect(texts.sort()).toEqual(['broken 0', 'broken 1', 'broken 2']);
  });

  test('a change sets it aside as well', async () => {
    writeFileSync(path, '{"maxSteps":');
    const warnings = await updateConfig(path, (values) => ({ ...values, model: 'm' }));
    expect(warnings.filter((warning) => warning.includes('is kept as'))).toHaveLength(1);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ model: 'm' });
    expect(readdirSync(home)).toHaveLength(2);
  });

  test('of a link the link is moved, what it points to stays', async () => {
    const own = join(home, 'own.json');
    writeFileSync(own, 'broken');
    symlinkSync(own, path);
    await readConfig(path);
    expect(readFileSync(own, 'utf8')).toBe('broken');
    expect(existsSync(path)).toBe(false);
  });
});

describe('changes', () => {
  test('are private whatever the umask, in a folder that was not there', async () => {
    const before = process.umask(0);
    try {
      const deep = join(home, 'a', 'b', 'config.json');
      await updateConfig(deep, () => ({ apiKey: 'k' }));
      expect([modeOf(deep), modeOf(join(home, 'a')), modeOf(join(home, 'a', 'b'))]).toEqual([0o600, 0o700, 0o700]);
      expect(readdirSync(join(home, 'a', 'b'))).toEqual(['config.json']);
    } finally {
      process.umask(before);
    }
  });

  test('tighten a loose old file and its folder', async () => {
    chmodSync(home, 0o755);
    writeFileSync(path, '{"model":"m"}');
    chmodSync(path, 0o644);
    const warnings = await updateConfig(path, (values) => ({ ...values, maxSteps: 3 }));
    expect([modeOf(path), modeOf(home)]).toEqual([0o600, 0o700]);
    expect(warnings).toEqual([`${home} was open to others (0755) and is now yours alone`]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ model: 'm', maxSteps: 3 });
  });

  test("go through a link of the user's own, relative or not there yet", async () => {
    mkdirSync(join(home, 'dotfiles'));
    symlinkSync(join('dotfiles', 'chat.settings'), path);
    await updateConfig(path, () => ({ model: 'first' }));
    await updateConfig(path, (values) => ({ ...values, maxSteps: 3 }));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    const target = join(home, 'dotfiles', 'chat.settings');
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ model: 'first', maxSteps: 3 });
    expect(modeOf(target)).toBe(0o600);
    expect(readdirSync(join(home, 'dotfiles'))).toEqual(['chat.settings']);
  });

  test('that are refused write nothing and free the lock', async () => {
    writeFileSync(path, '{"model":"m"}', { mode: 0o600 });
    const refused = updateConfig(path, () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(readFileSync(path, 'utf8')).toBe('{"model":"m"}');
    expect(readdirSync(home)).toEqual(['config.json']);
  });

  test('at once in one process lose nothing', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => updateConfig(path, (values) => ({ ...values, [`k${at}`]: at }))),
    );
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toHaveLength(10);
  });
});
