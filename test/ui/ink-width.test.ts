import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import inkWidth from '../../src/ui/ink-width.ts';

test.each([
  '',
  'Type a message',
  '\x1b[38;5;75m› \x1b[39m北京市 one ✅',
  '\x1b]8;;https://a.example\x07link\x1b]8;;\x07',
  '✔✖■●○≡❯↩┄↑↓…·│‹›',
  '👩‍👩‍👧 🇩🇪 é ☎️',
])('Ink takes %j to be as wide as before', (text) => {
  expect(inkWidth(text)).toBe(stringWidth(text));
});

test('so it does for any printable text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
      const printable = text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
      expect(inkWidth(printable)).toBe(stringWidth(printable));
    }),
    { seed: 3, numRuns: 500 },
  );
});
