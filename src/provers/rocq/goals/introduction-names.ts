/** How the search names what `intros` brings. */
import { boundBy, type Term } from './term.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from './names.ts';

/** Names for what `intros` brings: those that Rocq printed, `H`, `H0`, … for premises; none that is taken. */
export function introductionNames(conclusion: Term, locals: ReadonlySet<string>): string[] {
  const taken = new Set(locals);
  const names: string[] = [];
  let at: Term | undefined = conclusion;
  while (at !== undefined && names.length < 30) {
    if (at.symbol === 'forall' || at.symbol === '∀') {
      const body: Term | undefined = at.children.at(-1);
      for (const name of boundBy(at)) {
        const fresh =
          name === '_' ? freshHypothesis(taken, 0) : taken.has(name) ? freshName(name, taken) : name;
        names.push(fresh);
        taken.add(fresh);
      }
      at = body;
    } else if ((at.symbol === '->' || at.symbol === '→') && at.children.length === 2) {
      const name = freshHypothesis(taken, 0);
      names.push(name);
      taken.add(name);
      at = at.children[1];
    } else break;
  }
  return names.every((name) => PLAIN_NAME.test(name)) ? names : [];
}
