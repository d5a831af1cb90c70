/** How the search names what `intros` brings. */
import { boundBy, type Term } from './term.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from './names.ts';

export interface Introduction {
  readonly name: string;
  /** Whether the statement itself binds it by a name; a premise has none. */
  readonly isBound: boolean;
  readonly premise: Term | undefined;
}

/** What `intros` brings: the names that Rocq printed, `H`, `H0`, … for premises; none that is taken. */
export function introductions(conclusion: Term, locals: ReadonlySet<string>): Introduction[] {
  const taken = new Set(locals);
  const brought: Introduction[] = [];
  const add = (bound: string | undefined, premise?: Term): void => {
    const isBound = bound !== undefined && bound !== '_';
    const name = !isBound ? freshHypothesis(taken, 0) : taken.has(bound) ? freshName(bound, taken) : bound;
    brought.push({ name, isBound, premise });
    taken.add(name);
  };
  let at: Term | undefined = conclusion;
  while (at !== undefined && brought.length < 30) {
    if (at.symbol === 'forall' || at.symbol === '∀') {
      const body: Term | undefined = at.children.at(-1);
      for (const name of boundBy(at)) add(name);
      at = body;
    } else if ((at.symbol === '->' || at.symbol === '→') && at.children.length === 2) {
      add(undefined, at.children[0]);
      at = at.children[1];
    } else break;
  }
  return brought.every(({ name }) => PLAIN_NAME.test(name)) ? brought : [];
}

export function introductionNames(conclusion: Term, locals: ReadonlySet<string>): string[] {
  return introductions(conclusion, locals).map(({ name }) => name);
}
