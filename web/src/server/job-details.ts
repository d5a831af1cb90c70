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
  const kept = useRef<{ id: JobId | undefined; fold: Fold; count: number }>({
    id: undefined,
    fold: begin(),
    count: 0,
  });
  const count = useSignal(0);
  if (kept.current.id !== id) kept.current = { id, fold: begin(), count: 0 };
  const there = orZero(jobs.value.find((job) => job.id === id)?.details);
  const asking = useRef(false);
  useEffect(() => {
    if (id === undefined || asking.current || there <= kept.current.count) return;
    const mine = kept.current;
    asking.current = true;
    getJson<readonly JobDetail[]>(`/api/jobs/${id}/details?from=${mine.count}`)
      .then((details) => {
        for (const detail of details) fold(mine.fold, detail);
        mine.count += details.length;
        if (kept.current === mine) count.value = mine.count;
      })
      .catch(() => undefined)
      .finally(() => (asking.current = false));
  }, [id, there, count.value]);
  return { fold: kept.current.fold, count: count.value };
}
