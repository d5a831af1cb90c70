/** How long a run has worked: what the server said last, and what has passed since while it works. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { serverNow } from '../../server/server-clock.ts';
import type { RunAnswer } from './timeline.ts';

/** In seconds. The server answers only when there is news; the time goes on by its clock. */
export function useRunningTime(state: Pick<RunAnswer, 'seconds' | 'running'>): number {
  const now = useSignal(serverNow());
  const since = useMemo(() => (now.value = serverNow()), [state]);
  useEffect(() => {
    if (!state.running) return undefined;
    const timer = setInterval(() => (now.value = serverNow()), 1000);
    return () => clearInterval(timer);
  }, [state.running]);
  return state.seconds + (state.running ? Math.max(0, now.value - since) / 1000 : 0);
}
