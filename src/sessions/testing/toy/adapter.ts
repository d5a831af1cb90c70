/** The toy prover as a prover of the machine. */
import { fileURLToPath } from 'node:url';
import type { ProverAdapter } from '../../../core/driver.ts';
import type { Sentence } from '../../../core/prover.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { ToyDriver } from './driver.ts';

export const TOY_PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));

export function createToy(options: { readonly executable?: string } = {}): ProverAdapter<Sentence, number> {
  const location = options.executable ?? TOY_PROGRAM;
  return {
    identity: { prover: 'rocq', backend: 'toy', version: '1', location },
    capabilities: { interrupt: 'in-process', backgroundGoals: false, installedLibraries: false },
    sourceFor: ({ memoryLimit }) =>
      Promise.resolve({
        start: async () =>
          new ToyDriver(
            await GuardedChild.start(location, [], memoryLimit === undefined ? {} : { memoryLimit }),
          ),
      }),
  };
}
