/**
 * Places of a running HOL. Outside of proofs HOL has one state, its *world*, which only grows. Inside of proofs every
 * state is a value that HOL holds for Quod under a number, as long as nothing was declared since.
 */
import { orZero } from '../../../core/entry.ts';
import type { TacticStep } from '../syntax/tactic.ts';
import type { Declaration, Executed, Place as PlaceOfSentence } from './sentence.ts';

export interface HolPlace {
  /** HOL knows a proof state by this number. */
  readonly number: number;
  /** How many declarations the world of this place has. */
  readonly world: number;
  readonly proof: OpenProof | undefined;
}

export interface OpenProof {
  readonly opening: Extract<Executed, { kind: 'open' }>;
  /** How many goals each open focus set aside, innermost first. */
  readonly focus: readonly number[];
  readonly cheats: number;
  /** What was executed since the proof was opened, with its opening: together they are its text. */
  readonly sentences: readonly Executed[];
}

/** The theorem as it stands in a file when `QED` follows. */
export function theoremOf({ opening: { name }, sentences }: OpenProof): Declaration {
  const ask = /^[A-Za-z][\w']*$/.test(name) ? `;val () = Quod_Port.tell_theorem ${name}` : '';
  const text = `${sentences.map((sentence) => sentence.text).join('\n')}\nQED\n${ask}`;
  return { kind: 'declaration', text, modules: [], isTheorem: true, isExpression: false };
}

export function kindOfPlace({ proof }: HolPlace): PlaceOfSentence {
  const last = proof?.sentences.at(-1);
  if (last === undefined) return 'outside';
  if (last.kind === 'open') return 'beginning';
  return last.kind === 'step' && last.focus === 'deeper' ? 'beginning' : 'behind';
}

/** How many goals each open focus sets aside after steps; `opened` are the goals that there were at each opening. */
export function focusAfter(
  before: readonly number[],
  steps: readonly TacticStep[],
  opened: readonly number[],
): readonly number[] {
  const focus = [...before];
  const counts = [...opened];
  for (const step of steps) {
    if (step.kind === 'close') focus.shift();
    if (step.kind !== 'open') continue;
    const goals = orZero(counts.shift());
    focus.unshift(step.focus === 'first' || step.focus === 'list' ? Math.max(0, goals - 1) : 0);
  }
  return focus;
}
