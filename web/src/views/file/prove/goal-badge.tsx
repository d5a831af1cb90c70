/** The state of a goal of a search. */
import { Badge } from '../../../parts/badge.tsx';
import type { GraphGoal } from './search-graph.ts';

const TONES = { open: 'open', solved: 'good', dead: 'plain' } as const;

/** What is open stays so once the search has ended. */
export function stateWord(state: GraphGoal['state'], hasEnded: boolean): string {
  return state === 'open' && hasEnded ? 'still open' : state;
}

const MEANINGS: Readonly<Record<string, string>> = {
  open: 'Not proved yet; its turn may still come.',
  'still open': 'Open when the search ended: neither proved nor shown to lead nowhere.',
  solved: 'Proved, with everything that its proof leaves.',
  dead: 'Given up: the prover could not be brought to it again.',
};

/** What a word for the state of a goal means. */
export function stateMeaning(word: string): string {
  return MEANINGS[word] ?? word;
}

export function GoalBadge({
  goal: { state, goals },
  hasEnded,
}: {
  readonly goal: Pick<GraphGoal, 'state' | 'goals'>;
  readonly hasEnded: boolean;
}) {
  const word = stateWord(state, hasEnded);
  return (
    <Badge tone={state === 'open' && hasEnded ? 'plain' : TONES[state]} title={stateMeaning(word)}>
      {word}
      {goals > 1 ? `, ${goals} goals together` : ''}
    </Badge>
  );
}
