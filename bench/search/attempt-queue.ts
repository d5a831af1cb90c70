/**
 * Runs attempts side by side. Each is recorded when it is done, so what a stopped run has done need not be done
 * again.
 */
import { appendAttempt, attemptKey, readAttempts, type AttemptRecord, type Method } from './attempt.ts';
import { recordedAttempt, type MethodOptions } from './methods.ts';
import type { Task } from './task.ts';

export interface PlannedAttempt {
  readonly task: Task;
  readonly method: Method;
  /** Ingredients of the search that are switched off, sorted. */
  readonly without: readonly string[];
}

export interface QueueOptions extends Omit<MethodOptions, 'without'> {
  /** Attempts side by side. */
  readonly attempts: number;
  /** Also what is recorded already. */
  readonly again: boolean;
}

export async function runAttempts(
  record: AttemptRecord,
  planned: readonly PlannedAttempt[],
  { attempts, again, ...options }: QueueOptions,
): Promise<void> {
  const done = new Set(again ? [] : readAttempts(record).map(attemptKey));
  const queue = planned.filter(
    ({ task, method, without }) => !done.has(attemptKey({ task: task.id, method, without })),
  );
  const total = queue.length;
  let finished = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { task, method, without } = next;
      const attempt = await recordedAttempt(task, method, { ...options, without });
      appendAttempt(record, attempt);
      finished += 1;
      const { outcome, seconds, message = '' } = attempt;
      const what = without.length === 0 ? method : `${method} without ${without.join()}`;
      const why = outcome === 'proved' ? '' : message.replace(/\s+/g, ' ').slice(0, 160);
      console.error(
        `${finished}/${total} ${what}: ${task.id} (${task.length}) ${outcome}, ${seconds.toFixed(1)} s. ${why}`,
      );
    }
  };
  await Promise.all(Array.from({ length: attempts }, work));
}
