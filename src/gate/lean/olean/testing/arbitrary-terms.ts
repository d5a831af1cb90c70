/** Random names, levels, terms and constants, well formed as data but not well typed: for round trips. */
import fc from 'fast-check';
import type { ConstantDeclaration, ReducibilityHints } from '../../declaration.ts';
import type { Expression } from '../../expression.ts';
import type { Level } from '../../level.ts';
import type { Name } from '../../name.ts';
import type { TermStore } from '../../term-store.ts';

const naturals = fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 1n << 200n }));
const counts = fc.nat({ max: 2 ** 31 - 1 });

/** Lone surrogates are no Lean strings. */
const texts = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed());

function arbitraryName(store: TermStore): fc.Arbitrary<Name> {
  return fc
    .array(fc.oneof(texts, naturals), { maxLength: 3 })
    .map((components) => store.names.of(...components));
}

function arbitraryLevel(store: TermStore): fc.Arbitrary<Level> {
  const { levels } = store;
  return fc.letrec<{ level: Level }>((tie) => ({
    level: fc.oneof(
      { maxDepth: 4 },
      fc.constant(levels.zero),
      arbitraryName(store).map((name) => levels.parameter(name)),
      tie('level').map((level) => levels.successor(level)),
      fc.tuple(tie('level'), tie('level')).map(([left, right]) => levels.max(left, right)),
      fc.tuple(tie('level'), tie('level')).map(([left, right]) => levels.imax(left, right)),
    ),
  })).level;
}

export function arbitraryTerm(store: TermStore): fc.Arbitrary<Expression> {
  const name = arbitraryName(store);
  const info = fc.constantFrom('default', 'implicit', 'strictImplicit', 'instImplicit');
  return fc.letrec<{ term: Expression }>((tie) => {
    const term = tie('term');
    return {
      term: fc.oneof(
        { maxDepth: 5 },
        counts.map((index) => store.bound(index)),
        arbitraryLevel(store).map((level) => store.sort(level)),
        fc
          .tuple(name, fc.array(arbitraryLevel(store), { maxLength: 3 }))
          .map(([constant, levels]) => store.constant(constant, levels)),
        naturals.map((value) => store.natural(value)),
        texts.map((text) => store.string(text)),
        fc.tuple(term, term).map(([fn, argument]) => store.apply(fn, argument)),
        fc.tuple(name, term, term, info).map((parts) => store.lambda(...parts)),
        fc.tuple(name, term, term, info).map((parts) => store.pi(...parts)),
        fc.tuple(name, term, term, term, fc.boolean()).map((parts) => store.let(...parts)),
        fc
          .tuple(name, counts, term)
          .map(([structure, index, subject]) => store.projection(structure, index, subject)),
      ),
    };
  }).term;
}

export function arbitraryConstant(store: TermStore): fc.Arbitrary<ConstantDeclaration> {
  const name = arbitraryName(store);
  const names = fc.array(name, { maxLength: 3 });
  const term = arbitraryTerm(store);
  const base = { name, levelParameters: names, type: term };
  const hints = fc.oneof(
    fc.constantFrom<ReducibilityHints>({ kind: 'opaque' }, { kind: 'abbreviation' }),
    fc.nat({ max: 2 ** 32 - 1 }).map((height): ReducibilityHints => ({ kind: 'regular', height })),
  );
  const rule = fc.record({ constructor: name, fieldCount: counts, value: term });
  const flag = fc.boolean();
  return fc.oneof<fc.Arbitrary<ConstantDeclaration>[]>(
    fc.record({ kind: fc.constant('axiom'), ...base, isUnsafe: flag }),
    fc.record({
      kind: fc.constant('definition'),
      ...base,
      value: term,
      hints,
      safety: fc.constantFrom('safe', 'unsafe', 'partial'),
      all: names,
    }),
    fc.record({ kind: fc.constant('theorem'), ...base, value: term, all: names }),
    fc.record({ kind: fc.constant('opaque'), ...base, value: term, isUnsafe: flag, all: names }),
    fc.record({
      kind: fc.constant('quotient'),
      ...base,
      role: fc.constantFrom('type', 'constructor', 'lift', 'induction'),
    }),
    fc.record({
      kind: fc.constant('inductive'),
      ...base,
      parameterCount: counts,
      indexCount: counts,
      all: names,
      constructors: names,
      nestedCount: counts,
      isRecursive: flag,
      isUnsafe: flag,
      isReflexive: flag,
    }),
    fc.record({
      kind: fc.constant('constructor'),
      ...base,
      inductive: name,
      index: counts,
      parameterCount: counts,
      fieldCount: counts,
      isUnsafe: flag,
    }),
    fc.record({
      kind: fc.constant('recursor'),
      ...base,
      all: names,
      parameterCount: counts,
      indexCount: counts,
      motiveCount: counts,
      minorCount: counts,
      rules: fc.array(rule, { maxLength: 3 }),
      isK: flag,
      isUnsafe: flag,
    }),
  );
}
