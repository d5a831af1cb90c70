/** The state of a goal of a search. */
import { Badge } from '../../../parts/badge.tsx';
import type { GraphGoal } from './search-graph.ts';

/** How far the search for a theorem is: it works, it has left the theorem open, or it knows what it wanted to. */
export type SearchEnd = 'none' | 'left' | 'decided';

const TONES = { open: 'open', solved: 'good', dead: 'plain' } as const;

/** What is open stays so once the search has ended, and does not matter where the theorem was decided without it. */
export function stateWord(state: GraphGoal['state'], end: SearchEnd): string {
  if (state !== 'open' || end === 'none') return state;
  return end === 'left' ? 'still open' : 'not needed';
}

const MEANINGS: Readonly<Record<string, string>> = {
  open: 'Not proved yet; its turn may still come.',
  'still open': 'Open when the search ended: neither proved nor shown to lead nowhere.',
  'not needed': 'Open when the search ended, which was decided without it.',
  solved: 'Proved, with everything that its proof leaves.',
  dead: 'Given up: the prover could not be brought to it again.',
};

/** What a word for the state of a goal means. */
export function stateMeaning(word: string): string {
  return MEANINGS[word] ?? word;
}

/** A word for a result that need not hold now. */
export function whenSearched(word: string): string {
  return `${word} when it was searched`;
}

export function GoalBadge({
  goal: { state, goals },
  end,
  isOld,
}: {
  readonly goal: Pick<GraphGoal, 'state' | 'goals'>;
  readonly end: SearchEnd;
  /** Whether what was solved need not be so now. */
  readonly isOld: boolean;
}) {
  const word = stateWord(state, end);
  const wasSolved = isOld && state === 'solved';
  return (
    <Badge
      tone={wasSolved || (state === 'open' && end !== 'none') ? 'plain' : TONES[state]}
      title={stateMeaning(word)}
    >
      {wasSolved ? whenSearched(word) : word}
      {goals > 1 ? `, ${goals} goals together` : ''}
    </Badge>
  );
}
