/** How long a run has worked: what the server said last, and what has passed since while it works. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { RunAnswer } from './timeline.ts';

/** In seconds. The server answers only when there is news; the time goes on by a clock that nobody sets. */
export function useRunningTime(state: RunAnswer): number {
  const now = useSignal(performance.now());
  const since = useMemo(() => (now.value = performance.now()), [state]);
  useEffect(() => {
    if (!state.running) return undefined;
    const timer = setInterval(() => (now.value = performance.now()), 1000);
    return () => clearInterval(timer);
  }, [state.running]);
  return state.seconds + (state.running ? Math.max(0, now.value - since) / 1000 : 0);
}
