/**
 * What is known of the theories that were replayed: their constants, type operators and theorems, as texts
 * (kernel/statement.ts), so that the terms of a theory can be forgotten once it is done.
 */
import { Refusal } from '../kernel/refusal.ts';
import type { ForeignNames, Signature } from '../kernel/signature.ts';
import { decodeType, type StatementText } from '../kernel/statement.ts';
import type { TypeId } from '../kernel/types.ts';

export interface ReplayedStatement {
  readonly statement: StatementText;
  /** The axioms below its proof, as `theory$name`. */
  readonly restsOn: readonly string[];
}

export interface ReplayedTheorem extends ReplayedStatement {
  /** HOL4's own word for it: theorem, definition or axiom. */
  readonly kind: 'theorem' | 'definition' | 'axiom';
}

export interface UnprovedExport {
  readonly name: string;
  /** The statements without proof that it rests on; perhaps too many when not `isExact`. */
  readonly on: readonly StatementText[];
  readonly isExact: boolean;
}

export interface ReplayedConstant {
  /** Its own type, as text. */
  readonly type: string;
  /** The theorem that its definition gave; absent when it was only declared. */
  readonly definition?: StatementText;
}

export interface ReplayedOperator {
  readonly arity: number;
  readonly definition?: StatementText;
}

export interface ParentTheory {
  readonly name: string;
  /** HOL4's hash of the parent's data; empty for `min`. */
  readonly hash: string;
}

export interface ReplayedTheory {
  readonly name: string;
  /** Of the file that was replayed. */
  readonly sha256: string;
  readonly parents: readonly ParentTheory[];
  /** SHA-256 of the file of every theory that this one took something from. */
  readonly uses: ReadonlyMap<string, string>;
  /** By qualified name. */
  readonly constants: ReadonlyMap<string, ReplayedConstant>;
  readonly operators: ReadonlyMap<string, ReplayedOperator>;
  /** By name in the theory. */
  readonly theorems: ReadonlyMap<string, ReplayedTheorem>;
  /** Theorems without a name, by index. */
  readonly unnamed: readonly ReplayedStatement[];
  /** Those of the four axioms that this theory asserts. */
  readonly axioms: readonly string[];
  /** Other statements that it asserts, because the caller allowed them. */
  readonly asserted: readonly StatementText[];
  /**
   * Exports that rest on something without proof, in the order in which they were made; a theory that has any never
   * becomes part of what is known.
   */
  readonly unproved: readonly UnprovedExport[];
  readonly steps: number;
}

/** A theory is needed that was not replayed: nothing can be said about those that rest on it. */
export class MissingTheory extends Error {
  override readonly name = 'MissingTheory';
  readonly theory: string;

  constructor(theory: string) {
    super(`The theory ${theory} is needed and was not replayed.`);
    this.theory = theory;
  }
}

export class ReplayedTheories {
  readonly #theories = new Map<string, ReplayedTheory>();
  /** The build of each theory that others name as their parent. */
  readonly #builds = new Map<string, { readonly hash: string; readonly namedBy: string }>();

  get(name: string): ReplayedTheory | undefined {
    return this.#theories.get(name);
  }

  get all(): Iterable<ReplayedTheory> {
    return this.#theories.values();
  }

  add(theory: ReplayedTheory): void {
    if (this.#theories.has(theory.name)) {
      throw new Refusal('duplicate-name', `The theory ${theory.name} was replayed already.`);
    }
    const [unproved] = theory.unproved;
    if (unproved !== undefined)
      throw new Refusal(
        'unproved-statement',
        `${theory.name}$${unproved.name} rests on a statement without proof.`,
      );
    this.checkParents(theory.name, theory.parents);
    for (const { name, hash } of theory.parents) this.#builds.set(name, { hash, namedBy: theory.name });
    this.#theories.set(theory.name, theory);
  }

  /** @throws MissingTheory where a parent was not replayed, whether anything is taken from it or not. */
  insistOnParents({ name: theory, parents }: Pick<ReplayedTheory, 'name' | 'parents'>): void {
    const missing = parents.find(
      ({ name }) => name !== 'min' && name !== theory && !this.#theories.has(name),
    );
    if (missing !== undefined) throw new MissingTheory(missing.name);
  }

  checkParents(theory: string, parents: readonly ParentTheory[]): void {
    for (const [at, { name, hash }] of parents.entries()) {
      const twice = parents.find((other, place) => place < at && other.name === name);
      if (twice !== undefined && twice.hash !== hash)
        throw new Refusal('parents-disagree', `${theory} names two builds of ${name}.`);
      const other = this.#builds.get(name);
      if (other !== undefined && other.hash !== hash) {
        throw new Refusal(
          'parents-disagree',
          `${theory} was built on another build of ${name} than ${other.namedBy} was.`,
        );
      }
    }
    if (parents.some(({ name }) => this.#ancestorsOf(name).has(theory))) {
      throw new Refusal('parents-disagree', `${theory} is its own ancestor.`);
    }
  }

  /** The names that a theory may use; `onUse` hears of each theory that it takes something from. */
  visibleFrom(parents: readonly ParentTheory[], onUse: (theory: ReplayedTheory) => void): VisibleTheories {
    const ancestors = new Set<string>();
    let isComplete = true;
    for (const { name } of parents) {
      for (const ancestor of this.#ancestorsOf(name)) {
        ancestors.add(ancestor);
        isComplete &&= ancestor === 'min' || this.#theories.has(ancestor);
      }
    }
    return new VisibleTheories(this.#theories, isComplete ? ancestors : undefined, onUse);
  }

  /** With the theory itself. */
  #ancestorsOf(name: string): Set<string> {
    const found = new Set([name]);
    for (const theory of found) {
      for (const parent of this.#theories.get(theory)?.parents ?? []) found.add(parent.name);
    }
    return found;
  }
}

export class VisibleTheories implements ForeignNames {
  readonly #theories: ReadonlyMap<string, ReplayedTheory>;
  /** Undefined when an ancestor was not replayed, so that the list cannot be known. */
  readonly #ancestors: ReadonlySet<string> | undefined;
  readonly #onUse: (theory: ReplayedTheory) => void;

  constructor(
    theories: ReadonlyMap<string, ReplayedTheory>,
    ancestors: ReadonlySet<string> | undefined,
    onUse: (theory: ReplayedTheory) => void,
  ) {
    this.#theories = theories;
    this.#ancestors = ancestors;
    this.#onUse = onUse;
  }

  theory(name: string): ReplayedTheory {
    const theory = this.#theories.get(name);
    if (theory === undefined) throw new MissingTheory(name);
    if (this.#ancestors !== undefined && !this.#ancestors.has(name)) {
      throw new Refusal('not-an-ancestor', `The theory ${name} is not among the ancestors.`);
    }
    this.#onUse(theory);
    return theory;
  }

  arity(name: string): number | undefined {
    return this.theory(theoryOf(name)).operators.get(name)?.arity;
  }

  typeOf(name: string, signature: Signature): TypeId | undefined {
    const constant = this.theory(theoryOf(name)).constants.get(name);
    return constant === undefined
      ? undefined
      : decodeType({ types: signature.types, signature }, constant.type);
  }
}

/** The theory part of a qualified name. */
export function theoryOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('$')));
}
