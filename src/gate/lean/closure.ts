/** Sets of constants that are closed: with each constant everything that it rests on, and whole inductive blocks. */
import { type ConstantDeclaration, termsOf } from './declaration.ts';
import { constantsIn, hasString } from './expression.ts';
import type { Name } from './name.ts';

export interface Closure {
  readonly constants: readonly ConstantDeclaration[];
  /** Names that are mentioned and that nothing declares. */
  readonly missing: readonly Name[];
}

/** `behindStrings` is what string literals rest on, as far as `find` knows it. */
export function closureOf(
  roots: Iterable<Name>,
  find: (name: Name) => ConstantDeclaration | undefined,
  behindStrings: readonly Name[],
): Closure {
  const ofStrings = behindStrings.filter((name) => find(name) !== undefined);
  const pending = [...roots];
  const seen = new Set(pending);
  const constants: ConstantDeclaration[] = [];
  const missing: Name[] = [];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const constant = find(name);
    if (constant === undefined) {
      missing.push(name);
      continue;
    }
    constants.push(constant);
    const terms = termsOf(constant);
    const behind = hasString(terms) ? ofStrings : [];
    for (const used of [...constantsIn(...terms), ...behind, ...companions(constant, find)]) {
      if (seen.has(used)) continue;
      seen.add(used);
      pending.push(used);
    }
  }
  return { constants, missing };
}

/** What belongs to the same inductive block. */
function companions(
  constant: ConstantDeclaration,
  find: (name: Name) => ConstantDeclaration | undefined,
): Name[] {
  switch (constant.kind) {
    case 'constructor':
      return [constant.inductive];
    case 'recursor':
      return [...constant.all];
    case 'inductive': {
      const recursors = constant.all.map((name) => name.child('rec'));
      for (let number = 1; number <= constant.nestedCount; number++) {
        const nested = constant.all[0]?.child(`rec_${number}`);
        if (nested !== undefined) recursors.push(nested);
      }
      return [
        ...constant.all,
        ...constant.constructors,
        ...recursors.filter((name) => find(name) !== undefined),
      ];
    }
    case 'axiom':
    case 'definition':
    case 'theorem':
    case 'opaque':
    case 'quotient':
      return [];
  }
}
