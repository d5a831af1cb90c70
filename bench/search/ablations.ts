/** Attempts with the whole search and without each of some ingredients, in turn. */
import type { AttemptRecord } from './attempt.ts';
import { runAttempts } from './attempt-queue.ts';
import { coqFolder } from './coqc.ts';
import type { Task } from './task.ts';

export async function runAblations(
  record: AttemptRecord,
  tasks: readonly Task[],
  how: {
    readonly ingredients: readonly string[];
    /** Seconds of each attempt. */
    readonly budget: number;
    /** Attempts side by side. */
    readonly jobs: number;
  },
): Promise<void> {
  const planned = tasks.flatMap((task) =>
    [[], ...how.ingredients.map((name) => [name])].map((without) => ({
      task,
      method: 'quod' as const,
      without,
    })),
  );
  const { budget: budgetSeconds, jobs: attempts } = how;
  await runAttempts(record, planned, {
    coqFolder: coqFolder(),
    budgetSeconds,
    jobs: 1,
    seed: 1,
    attempts,
    again: false,
  });
}
