/**
 * Whether a theorem says the same in two files: the same type, and behind it the same definitions, inductive types and axioms to
 * the end. Proofs may differ, in the theorem and in those that definitions mention.
 */
import { type ConstantDeclaration, termsOf } from './declaration.ts';
import { constantsIn } from './expression.ts';
import { difference } from './judge/same-constant.ts';
import type { Name } from './name.ts';

type Find = (name: Name) => ConstantDeclaration | undefined;

export interface StatementDifference {
  /** The theorem itself, or a constant that its statement rests on. */
  readonly name: Name;
  /** What of it is different, as the object of a sentence. */
  readonly what: string;
}

/** The first difference, or undefined. Both sides have their terms of one store. */
export function statementDifference(
  theorem: Name,
  target: Find,
  given: Find,
): StatementDifference | undefined {
  const pending = [theorem];
  const seen = new Set(pending);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const [expected, found] = [target(name), given(name)];
    if (expected === undefined) return { name, what: 'no declaration in the target' };
    if (found === undefined) return { name, what: 'no declaration' };
    const what = difference(expected, found, { ignoreValue: expected.kind === 'theorem' });
    if (what !== undefined) return { name, what: `another ${what}` };
    const terms = expected.kind === 'theorem' ? [expected.type] : termsOf(expected);
    for (const used of [...constantsIn(...terms), ...companions(expected)]) {
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
