/** Random terms and levels for property tests. Terms are plain and need not have a type. */
import fc from 'fast-check';
import type { Expression } from '../expression.ts';
import type { Level } from '../level.ts';
import { TermStore } from '../term-store.ts';

/** The store of all random terms. */
export const testStore = new TermStore();

const { levels, names } = testStore;
export const LEVEL_PARAMETERS = ['u', 'v'].map((name) => names.of(name));

export const arbitraryLevel: fc.Arbitrary<Level> = fc.letrec<{ level: Level }>((tie) => ({
  level: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.constantFrom<Level>(levels.zero, ...LEVEL_PARAMETERS.map((name) => levels.parameter(name))),
    tie('level').map((of) => levels.successor(of)),
    fc.tuple(tie('level'), tie('level')).map(([left, right]) => levels.max(left, right)),
    fc.tuple(tie('level'), tie('level')).map(([left, right]) => levels.imax(left, right)),
  ),
})).level;

/** Terms whose loose variables are below `loose`. */
export function arbitraryTerm(loose: number): fc.Arbitrary<Expression> {
  return termAt(loose, 4);
}

const made = new Map<string, fc.Arbitrary<Expression>>();

function termAt(loose: number, depth: number): fc.Arbitrary<Expression> {
  const key = `${loose} ${depth}`;
  const known = made.get(key) ?? makeTermAt(loose, depth);
  made.set(key, known);
  return known;
}

function makeTermAt(loose: number, depth: number): fc.Arbitrary<Expression> {
  const leaves: fc.Arbitrary<Expression>[] = [
    arbitraryLevel.map((level) => testStore.sort(level)),
    fc
      .tuple(fc.constantFrom('a', 'b'), arbitraryLevel)
      .map(([name, level]) => testStore.constant(names.of(name), [level])),
    fc.bigInt({ min: 0n, max: 1n << 70n }).map((natural) => testStore.natural(natural)),
    fc.string({ maxLength: 3 }).map((text) => testStore.string(text.toWellFormed())),
  ];
  if (loose > 0) leaves.push(fc.nat(loose - 1).map((index) => testStore.bound(index)));
  if (depth === 0) return fc.oneof(...leaves);
  const same = () => termAt(loose, depth - 1);
  const under = () => termAt(loose + 1, depth - 1);
  return fc.oneof(
    ...leaves,
    fc.tuple(same(), same()).map(([fn, argument]) => testStore.apply(fn, argument)),
    fc.tuple(same(), under()).map(([type, body]) => testStore.lambda(names.anonymous, type, body)),
    fc.tuple(same(), under()).map(([type, body]) => testStore.pi(names.anonymous, type, body)),
    fc
      .tuple(same(), same(), under())
      .map(([type, value, body]) => testStore.let(names.anonymous, type, value, body)),
    fc
      .tuple(fc.nat(3), same())
      .map(([index, subject]) => testStore.projection(names.of('S'), index, subject)),
  );
}
