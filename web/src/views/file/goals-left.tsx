/** What an alternative leaves: its first goal, and the others when somebody asks for them. */
import { useSignal } from '@preact/signals';
import { counted } from '../../../../src/core/counted.ts';
import { Goal } from '../../parts/goal.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { call } from '../../server/client.ts';
import type { OutputOf } from '../../server/client.ts';

type Goals = OutputOf<'rocq_goals'>;

interface GoalsLeftProps {
  readonly first: Goals['goals'][number] | null;
  readonly count: number;
  /** Where they are asked for. */
  readonly session: string;
  readonly state: string | null;
}

const MOST = 100;

export function GoalsLeft({ first, count, session, state }: GoalsLeftProps) {
  const all = useSignal<Goals | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isAsking = useSignal(false);
  const more = count - (first === null ? 0 : 1);
  const ask = (from: string): void => {
    isAsking.value = true;
    failure.value = undefined;
    call('rocq_goals', { session_id: session, from, all: true, max_goals: MOST })
      .then(
        (answer) => (all.value = answer),
        (error: unknown) => (failure.value = error),
      )
      .finally(() => (isAsking.value = false));
  };
  if (all.value !== undefined) {
    const { goals, background } = all.value;
    const left = count - goals.length - background.length;
    return (
      <>
        {goals.map((goal, index) => (
          <Goal key={index} goal={goal} />
        ))}
        {background.map(({ where, ...goal }, index) => (
          <div key={index}>
            <small>{where}</small>
            <Goal goal={goal} />
          </div>
        ))}
        {left > 0 && <small>{counted(left, 'goal')} more</small>}
      </>
    );
  }
  return (
    <>
      {first !== null && <Goal goal={first} />}
      {more > 0 && state !== null && (
        <button class="quiet" disabled={isAsking.value} onClick={() => ask(state)}>
          {first === null ? counted(more, 'goal') : `${more} more ${more === 1 ? 'goal' : 'goals'}`}
        </button>
      )}
      {failure.value !== undefined && <ErrorNote error={failure.value} />}
    </>
  );
}
