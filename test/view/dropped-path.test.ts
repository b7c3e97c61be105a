import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { droppedPaths } from '../../src/view/dropped-path.ts';

describe('files dropped onto the terminal', () => {
  test.each<[string, string[]]>([
    ['/home/me/photo.png', ['/home/me/photo.png']],
    ['/home/me/photo.png \n', ['/home/me/photo.png']],
    ["'/home/me/my photo.png'", ['/home/me/my photo.png']],
    ['"/home/me/my photo.png"', ['/home/me/my photo.png']],
    ['/home/me/my\\ photo\\ \\(1\\).png', ['/home/me/my photo (1).png']],
    ["'/home/me/it'\\''s.png'", ["/home/me/it's.png"]],
    ["'/a b.png' /c\\ d.jpg", ['/a b.png', '/c d.jpg']],
    ['/a.png\n/b.png\n', ['/a.png', '/b.png']],
    ['file:///home/me/my%20photo.png', ['/home/me/my photo.png']],
    ['file://localhost/a.png', ['/a.png']],
    ['file:///C:/Users/me/a.png', ['C:/Users/me/a.png']],
    ['~/a.png ./b.png ../c.png', ['~/a.png', './b.png', '../c.png']],
    ['C:\\Users\\me\\my photo.png', ['C:\\Users\\me\\my photo.png']],
    ['"C:\\Users\\me\\my photo.png"', ['C:\\Users\\me\\my photo.png']],
    ['/home/日本/写真.png', ['/home/日本/写真.png']],
  ])('%j', (text, paths) => expect(droppedPaths(text)).toEqual({ text, paths }));

  test.each([
    '',
    'photo.png',
    'see /home/me/photo.png',
    '/home/me/photo.png is broken',
    "'/home/me/photo.png",
    'https://example.org/a.png',
    'file://server/a.png',
    'file:///%zz.png',
    '"/a\\"b.png"',
    `/${'a'.repeat(5000)}.png`,
    `${'/a.png '.repeat(21)}`,
  ])('%j is text', (text) => expect(droppedPaths(text)).toBeUndefined());

  test('a huge paste costs nothing, whatever is in it', () => {
    const began = performance.now();
    expect(droppedPaths(`/a${' '.repeat(1_000_000)}b`)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('what a shell would be given is what is understood', () => {
    const path = fc
      .array(fc.constantFrom('a', 'é', ' ', "'", '(', '&', '$', '\\', '.'), { minLength: 1, maxLength: 12 })
      .map((chars) => `/${chars.join('')}`);
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), fc.boolean(), (paths, quotes) => {
        const said = paths.map((one) =>
          quotes ? `'${one.replaceAll("'", "'\\''")}'` : one.replace(/[^\w/é.]/g, (char) => `\\${char}`),
        );
        expect(droppedPaths(said.join(' '))?.paths).toEqual(paths);
      }),
    );
  });
});
