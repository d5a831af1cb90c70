/**
 * When two universe levels mean the same and when one is at most the other, for every value of the parameters: complete, not a
 * heuristic.
 *
 * A level is a maximum of atoms. An atom is worth `parameter + offset` (or `offset` alone) where all parameters of its guard are
 * above 0, and 0 elsewhere; its own parameter is always in its guard. For `imax a b`, the atoms of `a` are guarded by
 * what makes `b` positive. Levels are monotone in their parameters, so an atom is below a level exactly when it is below one
 * atom of it: set the parameters outside its guard to 0 and those in the guard, other than its own, to 1.
 */
import type { Level, LevelTable } from '../level.ts';
import type { Name } from '../name.ts';
import { Declined, type Fuel } from './answer.ts';

interface Atom {
  readonly guard: ReadonlySet<Name>;
  readonly parameter: Name | undefined;
  readonly offset: number;
}

/** `imax` can multiply atoms; no level of an honest file comes near. */
const MOST_ATOMS = 512;

const NO_GUARD: ReadonlySet<Name> = new Set();

export class LevelOrder {
  readonly #normalForms = new Map<Level, readonly Atom[]>();
  readonly #fuel: Fuel;

  constructor(fuel: Fuel) {
    this.#fuel = fuel;
  }

  isEqual(left: Level, right: Level): boolean {
    return left === right || (this.isAtMost(left, right) && this.isAtMost(right, left));
  }

  areEqual(left: readonly Level[], right: readonly Level[]): boolean {
    return (
      left === right ||
      (left.length === right.length &&
        left.every((level, position) => {
          const other = right[position];
          return other !== undefined && this.isEqual(level, other);
        }))
    );
  }

  isAtMost(low: Level, high: Level): boolean {
    if (low === high) return true;
    const [atoms, bounds] = [this.#atoms(low), this.#atoms(high)];
    this.#fuel.spend(atoms.length * work(bounds));
    return atoms.every((atom) => bounds.some((bound) => isBelow(atom, bound)));
  }

  /** Whether the level is 0 whatever the parameters are. */
  isZero(level: Level): boolean {
    return level.kind === 'zero' || this.#atoms(level).length === 0;
  }

  /** Whether the level is above 0 whatever the parameters are. */
  isNeverZero(level: Level): boolean {
    return this.#atoms(level).some(({ guard }) => guard.size === 0);
  }

  #atoms(level: Level): readonly Atom[] {
    let atoms = this.#normalForms.get(level);
    if (atoms === undefined) {
      atoms = this.#normalize(level);
      this.#normalForms.set(level, atoms);
    }
    return atoms;
  }

  #normalize(level: Level): readonly Atom[] {
    switch (level.kind) {
      case 'zero':
        return [];
      case 'parameter':
        return [{ guard: new Set([level.name]), parameter: level.name, offset: 0 }];
      case 'successor': {
        let offset = 0;
        let base: Level = level;
        for (; base.kind === 'successor'; base = base.of) offset++;
        this.#fuel.spend(offset);
        const raised = this.#atoms(base).map((atom) => ({ ...atom, offset: atom.offset + offset }));
        return this.#withoutRedundant([{ guard: NO_GUARD, parameter: undefined, offset }, ...raised]);
      }
      case 'max':
        return this.#withoutRedundant([...this.#atoms(level.left), ...this.#atoms(level.right)]);
      case 'imax': {
        const right = this.#atoms(level.right);
        const left = this.#atoms(level.left);
        return this.#withoutRedundant(guarded(left, right));
      }
    }
  }

  #withoutRedundant(atoms: Iterable<Atom>): readonly Atom[] {
    const kept: Atom[] = [];
    for (const atom of atoms) {
      this.#fuel.spend(1 + atom.guard.size + work(kept));
      if (kept.some((other) => isBelow(atom, other))) continue;
      let count = 0;
      for (const other of kept) if (!isBelow(other, atom)) kept[count++] = other;
      kept.length = count;
      kept.push(atom);
      if (kept.length > MOST_ATOMS) throw new Declined('a universe level is too complicated');
    }
    return kept;
  }
}

function isBelow(atom: Atom, bound: Atom): boolean {
  for (const parameter of bound.guard) if (!atom.guard.has(parameter)) return false;
  if (atom.parameter === bound.parameter) return atom.offset <= bound.offset;
  // The parameter of the bound is in the guard, hence at least 1.
  return atom.parameter === undefined && atom.offset <= bound.offset + 1;
}

/** The steps of a comparison with each. */
function work(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, { guard }) => sum + 1 + guard.size, 0);
}

/** The atoms of `imax`, one after the other: there can be very many before redundant ones are left out. */
function* guarded(left: readonly Atom[], right: readonly Atom[]): Generator<Atom> {
  yield* right;
  for (const { guard } of right)
    for (const atom of left) yield { ...atom, guard: new Set([...guard, ...atom.guard]) };
}

/** The level with others in place of parts: `done` has them for parameters, and gets what each part becomes. */
export function substituteLevel(table: LevelTable, level: Level, done: Map<Level, Level>): Level {
  if (!level.hasParameters) return level;
  let result = done.get(level);
  if (result !== undefined || level.kind === 'zero' || level.kind === 'parameter') return result ?? level;
  if (level.kind === 'successor') result = table.successor(substituteLevel(table, level.of, done));
  else {
    const left = substituteLevel(table, level.left, done);
    result = table[level.kind](left, substituteLevel(table, level.right, done));
  }
  done.set(level, result);
  return result;
}
