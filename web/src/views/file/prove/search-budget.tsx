/** The budget of a search that works, which can be changed meanwhile. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { changeJob } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { serverNow } from '../../../server/server-clock.ts';
import { toastError } from '../../../shell/toasts.ts';

const MOST_S = 3600;
const MORE_S = 60;

export function SearchBudget({ job: { id, input, started_at } }: { readonly job: Job }) {
  const budget = Number(input['budget']);
  const now = useSignal(serverNow());
  /** What is being typed: the search tells of itself meanwhile, which must not overwrite it. */
  const typed = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const timer = setInterval(() => (now.value = serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  const change = (seconds: number): void => {
    const next = Math.min(MOST_S, Math.max(1, seconds));
    changeJob<'proof_search'>(id, { budget: next }).catch(toastError);
  };
  return (
    <div class="row budget">
      <span>{Math.max(0, Math.round((now.value - Date.parse(started_at)) / 1000))} s so far, at most</span>
      <input
        type="number"
        min="1"
        max={MOST_S}
        value={typed.value ?? budget}
        aria-label="Seconds for each theorem, of the search that works"
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onChange={() => {
          change(Number(typed.value) || budget);
          typed.value = undefined;
        }}
        onBlur={() => (typed.value = undefined)}
      />
      <span>s for each theorem</span>
      <button onClick={() => change(budget + MORE_S)}>One minute more</button>
    </div>
  );
}
