/**
 * A run that is followed: all that happened until now, and what comes while it works. A reload begins at the log
 * again.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, ServerSilent } from '../../server/client.ts';
import { extended, type RunAnswer, type RunEvent } from './timeline.ts';

export interface FollowedRun {
  /** The latest word on where the run stands. */
  readonly state: RunAnswer | undefined;
  readonly events: readonly RunEvent[];
  readonly error: unknown;
}

const NOTHING: FollowedRun = { state: undefined, events: [], error: undefined };
/** Seconds that the server waits for news before it answers that there is none. */
const PATIENCE = 20;
const PAGE = 1000;
const SILENCE_MS = 1500;

/** @param round Another number asks anew: a run that went on again. */
export function useRun(run: string, round: number): FollowedRun {
  const followed = useSignal<FollowedRun>(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    followed.value = followed.peek().state?.run === run ? followed.peek() : NOTHING;
    void follow(run, followed.peek().events, gone.signal, (next) => {
      if (!gone.signal.aborted) followed.value = next;
    });
    return () => gone.abort();
  }, [run, round]);
  return followed.value;
}

async function follow(
  run: string,
  known: readonly RunEvent[],
  signal: AbortSignal,
  tell: (followed: FollowedRun) => void,
): Promise<void> {
  let events = known;
  let wait = 0;
  const isGone = (): boolean => signal.aborted;
  while (!isGone()) {
    try {
      const after = events.at(-1)?.seq ?? -1;
      const state = await call('agent_events', { run, after, wait, limit: PAGE }, { signal });
      events = extended(events, state.events);
      tell({ state, events, error: undefined });
      if (!state.running && !state.more) return;
      wait = state.more ? 0 : PATIENCE;
    } catch (error) {
      if (isGone()) return;
      if (!(error instanceof ServerSilent)) {
        tell({ state: undefined, events, error });
        return;
      }
      // What is known stays in view; the page says that the server is gone, and this goes on when it is back.
      await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
    }
  }
}
