import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take minutes: they are begun first, in this order. A run takes as long as what is begun last, and
 * where nothing is known of earlier runs Vitest goes by the sizes of the files, which say little here.
 */
const LONG = [
  'src/gate/rocq/attacks.test.ts',
  'src/operations/rocq/proof/proof-attacks.test.ts',
  'src/faces/cli/agent/agent-command.test.ts',
  'src/faces/attacks.test.ts',
  'src/faces/cli/prove/prove-command.test.ts',
  'src/sessions/conformance/embedded.test.ts',
  'src/process/guarded-child.test.ts',
];

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.indexOf(relative(import.meta.dirname, moduleId));
      return found === -1 ? LONG.length : found;
    };
    // The rest in Vitest's order: this sort is stable.
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** Tests draw their properties from a seed (see there). */
const SEEDED = join(import.meta.dirname, 'src/core/testing/fast-check.ts');
const seededProperties = {
  name: 'seeded-properties',
  enforce: 'pre' as const,
  resolveId: (id: string, importer: string | undefined) =>
    id === 'fast-check' && importer !== SEEDED ? SEEDED : undefined,
};

export default defineConfig({
  plugins: [seededProperties],
  test: {
    // How long a busy machine takes to show something is no promise of ours; that it is shown is.
    expect: { poll: { timeout: 60_000 } },
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts', 'lint/**/*.test.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongOnesFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
