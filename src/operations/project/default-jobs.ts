import { availableParallelism, freemem } from 'node:os';

/** What the largest usual prover takes: an embedded Rocq with Lia loaded, or mathcomp in coqidetop. */
const MEMORY_OF_A_PROVER = 1.5 * 1024 ** 3;

/** How many provers this machine carries at once: one for each processor, at most four, as far as memory goes. */
export function defaultJobs(): number {
  return Math.max(1, Math.min(4, availableParallelism(), Math.floor(freemem() / MEMORY_OF_A_PROVER)));
}
