import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // How long a busy machine takes to show something is no promise of ours; that it is shown is.
    expect: { poll: { timeout: 60_000 } },
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts', 'lint/**/*.test.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
