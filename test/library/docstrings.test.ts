/** Every name that the library exports says what it is where it is declared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docstring } from '../../src/docs/docstring.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const index = readFileSync(join(SRC, 'index.ts'), 'utf8');

interface Exported {
  name: string;
  file: string;
}
const exported: Exported[] = [...index.matchAll(/export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/g)].flatMap(
  ([, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => ({ name, file })),
);

test('the exports were found', () => {
  expect(exported.length).toBeGreaterThan(120);
});

test('each has a docstring', () => {
  expect(
    exported.filter((one) => docstring(one.name, one.file) === undefined).map(({ name, file }) => `${file} ${name}`),
  ).toEqual([]);
});
