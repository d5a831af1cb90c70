/** The state of a goal of a search. */
import { Badge } from '../../../parts/badge.tsx';
import type { GraphGoal } from './search-graph.ts';

const TONES = { open: 'open', solved: 'good', dead: 'plain' } as const;

/** What is open is left aside once the search has ended. */
export function stateWord(state: GraphGoal['state'], hasEnded: boolean): string {
  return state === 'open' && hasEnded ? 'left aside' : state;
}

export function GoalBadge({
  goal: { state, goals },
  hasEnded,
}: {
  readonly goal: Pick<GraphGoal, 'state' | 'goals'>;
  readonly hasEnded: boolean;
}) {
  return (
    <Badge tone={state === 'open' && hasEnded ? 'plain' : TONES[state]}>
      {stateWord(state, hasEnded)}
      {goals > 1 ? `, ${goals} goals together` : ''}
    </Badge>
  );
}
