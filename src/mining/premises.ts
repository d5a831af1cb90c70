/** The names in a tactic that can be lemmas or definitions, read from its text alone. */
import type { Goal } from '../core/proof-state.ts';
import { parseTactic } from '../provers/rocq/syntax/tactics.ts';
import { atomsOf } from '../provers/rocq/syntax/tactic-tree.ts';

/** Tactics whose arguments are names of hypotheses or new names. */
const WITHOUT_PREMISES = new Set(
  'intros intro clear clearbody rename revert subst symmetry split left right constructor exists eexists move'.split(
    ' ',
  ),
);
const WORDS = new Set(
  'in at with as using by eqn into fun forall exists let match end if then else return goal Goal Type Prop Set after before top bottom only'.split(
    ' ',
  ),
);

/**
 * In the order of the text, each once. Too many rather than too few: new names behind `as` are left out where they
 * stand alone.
 */
export function namesInTactic(tactic: string, goal: Goal): string[] {
  const locals = new Set(goal.hypotheses.map(({ name }) => name));
  const names = new Set<string>();
  for (const atom of atomsOf(parseTactic(tactic))) {
    if (WITHOUT_PREMISES.has(atom.head)) continue;
    let introduces = false;
    for (const token of atom.arguments) {
      if (token.kind === 'identifier' && WORDS.has(token.text))
        introduces = token.text === 'as' || token.text === 'eqn';
      else if (token.kind === 'identifier' && !introduces && !locals.has(token.text)) names.add(token.text);
    }
  }
  return [...names];
}
