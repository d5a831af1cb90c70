/**
 * Whether a theorem says the same in two files: the same type, and behind it the same definitions, inductive types
 * and axioms to the end. What a string literal stands for belongs to what it says, though it mentions none of it.
 * Proofs may differ, in the theorem and in those that definitions mention.
 */
import { type ConstantDeclaration, termsOf } from './declaration.ts';
import { constantsIn, hasString } from './expression.ts';
import { difference } from './judge/same-constant.ts';
import type { Name } from './name.ts';

type Find = (name: Name) => ConstantDeclaration | undefined;

export interface StatementDifference {
  /** The theorem itself, or a constant that its statement rests on. */
  readonly name: Name;
  /** What of it is different, as the object of a sentence. */
  readonly what: string;
}

/**
 * The first difference, or undefined. Both sides have their terms of one store. `behindStrings` is what string
 * literals rest on; of these names only those count that one of the sides declares.
 */
export function statementDifference(
  theorem: Name,
  target: Find,
  given: Find,
  behindStrings: readonly Name[],
): StatementDifference | undefined {
  const ofStrings = behindStrings.filter((name) => target(name) !== undefined || given(name) !== undefined);
  const pending = [theorem];
  const seen = new Set(pending);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const [expected, found] = [target(name), given(name)];
    if (expected === undefined) return { name, what: 'no declaration in the target' };
    if (found === undefined) return { name, what: 'no declaration' };
    const what = difference(expected, found, { ignoreValue: expected.kind === 'theorem' });
    if (what !== undefined) return { name, what: `another ${what}` };
    const terms = expected.kind === 'theorem' ? [expected.type] : termsOf(expected);
    const behind = hasString(terms) ? ofStrings : [];
    for (const used of [...constantsIn(...terms), ...behind, ...companions(expected)]) {
      if (seen.has(used)) continue;
      seen.add(used);
      pending.push(used);
    }
  }
  return undefined;
}

/** What belongs to the meaning of a constant without standing in its terms. Recursors follow from their types. */
function companions(constant: ConstantDeclaration): readonly Name[] {
  switch (constant.kind) {
    case 'inductive':
      return [...constant.all, ...constant.constructors];
    case 'constructor':
      return [constant.inductive];
    case 'recursor':
      return constant.all;
    case 'axiom':
    case 'definition':
    case 'theorem':
    case 'opaque':
    case 'quotient':
      return [];
  }
}
