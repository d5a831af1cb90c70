/** What happens in a job besides its progress, in order; what was heard before is not asked for again. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { orZero } from '../../../src/core/entry.ts';
import type { JobDetail } from '../../../src/faces/server/live/live-event.ts';
import { getJson } from './client.ts';
import { jobs } from './jobs.ts';
import type { JobId } from './jobs.ts';

export type { JobDetail };

/** Hands each detail to `fold` once and calls for a new picture when some came. The fold of another job begins anew. */
export function useJobDetails<Fold>(
  id: JobId | undefined,
  begin: () => Fold,
  fold: (before: Fold, detail: JobDetail) => void,
): { readonly fold: Fold; readonly count: number } {
  const begun = () => ({ id, fold: begin(), count: 0, isAsking: false });
  const kept = useRef(begun());
  if (kept.current.id !== id) kept.current = begun();
  // Another job may have as many details as the one before.
  const answers = useSignal(0);
  const there = orZero(jobs.value.find((job) => job.id === id)?.details);
  useEffect(() => {
    const mine = kept.current;
    if (id === undefined || mine.isAsking || there <= mine.count) return;
    mine.isAsking = true;
    getJson<readonly JobDetail[]>(`/api/jobs/${id}/details?from=${mine.count}`)
      .finally(() => (mine.isAsking = false))
      .then((details) => {
        for (const detail of details) fold(mine.fold, detail);
        mine.count += details.length;
        if (kept.current === mine) answers.value += 1;
      })
      .catch(() => undefined);
  }, [id, there, answers.value]);
  return { fold: kept.current.fold, count: kept.current.count };
}
