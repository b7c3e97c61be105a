import { defineConfig } from 'vitest/config';

/** What starts the built program, a terminal or a child of the system: slower, and run by `npm test` alone. */
const PROCESSES = [
  'test/crash/**',
  'test/terminal/**',
  'test/bench/**',
  'test/release/**',
  'test/cli/{exec,export-browser,stdio,real-server,main}*.test.ts',
  'test/scenarios/tools-*.test.ts',
  'test/edge/{process,tools,mcp,hooks,journal}/**',
];

const shared = {
  // a terminal test that waits for its screen must not be starved where the machine has two cores
  testTimeout: 20_000,
  hookTimeout: 20_000,
  // some tests hold a limit of time, which a busy machine may miss once
  retry: process.env.CI ? 2 : 0,
  env: { FORCE_COLOR: '1' },
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'quick', include: ['test/**/*.test.{ts,tsx}'], exclude: PROCESSES } },
      {
        test: {
          ...shared,
          name: 'processes',
          include: PROCESSES.map((path) => path.replace(/\*\*$/, '**/*.test.{ts,tsx}')),
        },
      },
    ],
  },
});
