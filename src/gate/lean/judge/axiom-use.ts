/**
 * On which axioms constants rest, followed through types, values and constructors to the end. What imported modules rest
 * on is read from their terms, never from what they store about themselves. Imported terms are walked and not decoded.
 */
import type { CompiledModule } from '../olean/module.ts';
import type { Name } from '../name.ts';

/** Where a constant is declared. */
export type ConstantPlaces = (name: Name) => CompiledModule | undefined;

interface Uses {
  readonly isAxiom: boolean;
  readonly names: ReadonlySet<Name>;
}

export class AxiomUse {
  readonly #places: ConstantPlaces;
  readonly #usersOf = new Map<Name, Name[]>();
  readonly #axioms = new Set<Name>();
  /** For each axiom the constants that rest on it. */
  readonly #dependents = new Map<Name, ReadonlySet<Name>>();

  /** Looks at everything that `roots` rest on. */
  constructor(roots: Iterable<Name>, places: ConstantPlaces) {
    this.#places = places;
    const pending = [...roots];
    const seen = new Set(pending);
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const uses = this.#usesOf(name);
      if (uses.isAxiom) this.#axioms.add(name);
      for (const used of uses.names) {
        const users = this.#usersOf.get(used);
        if (users === undefined) this.#usersOf.set(used, [name]);
        else users.push(name);
        if (seen.has(used)) continue;
        seen.add(used);
        pending.push(used);
      }
    }
    for (const axiom of this.#axioms) this.#dependents.set(axiom, this.#dependentsOf(axiom));
  }

  /** The axioms that a constant rests on; an axiom rests on itself. */
  of(name: Name): Name[] {
    return [...this.#axioms].filter((axiom) => this.#dependents.get(axiom)?.has(name));
  }

  #dependentsOf(axiom: Name): Set<Name> {
    const found = new Set([axiom]);
    const pending = [axiom];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      for (const user of this.#usersOf.get(name) ?? []) {
        if (found.has(user)) continue;
        found.add(user);
        pending.push(user);
      }
    }
    return found;
  }

  #usesOf(name: Name): Uses {
    const module = this.#places(name);
    const number = module?.names.get(name);
    // A name that nothing declares is found by the kernel; it rests on nothing.
    if (module === undefined || number === undefined) return { isAxiom: false, names: new Set() };
    return module.uses(number);
  }
}
