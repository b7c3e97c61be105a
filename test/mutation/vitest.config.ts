import { defineConfig } from 'vitest/config';

/** The tables of the loop alone: quick enough to be run once for each mutant. Random histories stay with `npm test`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/loop/*.test.ts'],
    exclude: ['test/loop/{properties,audited}.test.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
