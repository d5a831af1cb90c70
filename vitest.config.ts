import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, ForksPoolWorker, type TestSpecification, type WorkerRequest } from 'vitest/node';

/**
 * Test files that take half a minute of processor time or more, the longest first: they are begun first, in this order. A
 * run takes as long as what is begun last, and where nothing is known of earlier runs Vitest goes by the sizes of the
 * files, which say little here.
 */
const LONG = [
  'src/operations/rocq/proof/proof-attacks.test.ts',
  ...[1, 2, 3, 4].map((share) => `src/gate/rocq/attacks-${share}.test.ts`),
  'src/faces/cli/agent/agent-command.test.ts',
  'src/faces/cli/prove/prove-command.test.ts',
  'src/faces/attacks.test.ts',
  'src/search/prove-file.test.ts',
  'src/operations/proof/proof-refute.test.ts',
  'src/faces/planted-secrets.test.ts',
  'src/faces/cli/agent/agent-names.test.ts',
  'src/faces/cli/from-operations/build-command.test.ts',
  'src/faces/cli/agent/agent-driver.test.ts',
  'src/faces/cli/package.test.ts',
  'web/test/prove-pane.test.ts',
  'web/test/clicks.test.ts',
  'src/gate/rocq/policy-verdicts.test.ts',
  'src/sessions/conformance/embedded.test.ts',
  'src/operations/rocq/rocq-operations.test.ts',
  'src/faces/cli/agent/agent-task.test.ts',
  'src/faces/cli/agent/bench-command.test.ts',
  'web/test/agent-view.test.ts',
  'src/faces/cli/agent/agent-task-commit.test.ts',
  'src/gate/rocq/warnings/chosen-values.test.ts',
  'src/gate/rocq/backends/embedded-judge.test.ts',
  'web/test/project-view.test.ts',
  'src/gate/rocq/verify-rocq.test.ts',
  'src/faces/cli/agent/agent-lemmas.test.ts',
  'src/faces/cli/agent/agent-driver-commit.test.ts',
  'src/gate/rocq/judge-proof.test.ts',
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

/** Vitest says only that a process died under its test file: this says which file, and by what. */
class TellingWorker extends ForksPoolWorker {
  #files: readonly string[] = [];
  #stops = false;

  override send(message: WorkerRequest): void {
    if (message.type === 'run') this.#files = message.context.files.map(({ filepath }) => filepath);
    super.send(message);
  }

  override async start(): Promise<void> {
    await super.start();
    // Node calls it with a signal besides, which Vitest's type does not know.
    this.on('exit', (...[code, signal]: [number | null, string?]) => {
      if (!this.#stops) this.#tell(signal ?? `exit code ${code}`);
    });
  }

  override async stop(): Promise<void> {
    this.#stops = true;
    await super.stop();
  }

  #tell(cause: string): void {
    const files = this.#files.map((file) => relative(import.meta.dirname, file));
    process.stderr.write(`::: The process of ${files.join(' ')} died: ${cause}.\n`);
    const record = process.env['QUOD_TEST_DIED'];
    if (record !== undefined) appendFileSync(record, files.map((file) => `${file}\n`).join(''));
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

const PASSED_ON = [
  ...['SCRIPTED_CUTS', 'STAND_IN_SCRIPT', 'STAND_IN_LOG', 'RECORDED_PET', 'RECORDING'],
  ...['QUOD_FSTAR_RECORD', 'QUOD_HOL4_RECORD', 'QUOD_TEST_INCLUDE'],
].join();

export default defineConfig({
  plugins: [seededProperties],
  test: {
    // How long a busy machine takes to show something is no promise of ours; that it is shown is.
    expect: { poll: { timeout: 60_000 } },
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts', 'lint/**/*.test.mjs'],
    globalSetup: 'src/faces/cli/testing/bundled-program.ts',
    pool: { name: 'telling-forks', createPoolWorker: (options) => new TellingWorker(options) },
    // One more than the processors of the machines that these tests are run on: a test waits for its prover, and a prover
    // for the disk and for what it is sent, so that two workers leave some of two processors without work.
    maxWorkers: 3,
    // What stand-ins for programs are told by.
    env: { QUOD_PASS_ENVIRONMENT: PASSED_ON },
    sequence: { sequencer: LongOnesFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
