import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // the machines that run this have two cores; a terminal test that waits for its screen must not be starved
    testTimeout: 20_000,
    hookTimeout: 20_000,
    env: { FORCE_COLOR: '1' },
  },
});
