/** The edges of the kernel: numbers that it did not give, and theorems that it did not prove. */
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { NO_HYPOTHESES, type HypothesesId } from './hypotheses.ts';
import { Kernel } from './kernel.ts';
import type { ConstantId } from './signature.ts';
import type { TermId } from './term.ts';
import type { Postulate, TheoremId } from './theorems.ts';
import type { OperatorId, TypeId } from './types.ts';

const foreign = { arity: (): undefined => undefined, typeOf: (): undefined => undefined };
const newKernel = (): Kernel => new Kernel({ ownTheory: undefined, foreign, termLimit: 100_000 });

/** The compiler refuses these; the casts are what a defect would be. */
const term = (number: number): TermId => number as TermId;
const type = (number: number): TypeId => number as TypeId;
const theorem = (number: number): TheoremId => number as TheoremId;
const hypotheses = (number: number): HypothesesId => number as HypothesesId;

test('the compiler tells the numbers apart', () => {
  expectTypeOf<TermId>().not.toExtend<TypeId>();
  expectTypeOf<TermId>().not.toExtend<TheoremId>();
  expectTypeOf<TheoremId>().not.toExtend<HypothesesId>();
  expectTypeOf<ConstantId>().not.toExtend<OperatorId>();
  expectTypeOf<number>().not.toExtend<TermId>();
  expectTypeOf<keyof Kernel>().not.toExtend<'add'>();
});

test('no read of a number that was never given answers anything', () => {
  const kernel = newKernel();
  const { terms, types, signature, hypotheses: sets } = kernel;
  kernel.equality.reflexivity(terms.free('p', types.bool));
  const numbers = fc.oneof(
    fc.integer({ min: -5, max: -1 }),
    fc.integer({ min: 5000, max: 2 ** 40 }),
    fc.constantFrom(NaN, Infinity),
  );
  fc.assert(
    fc.property(numbers, (number) => {
      const reads = [
        () => kernel.conclusion(theorem(number)),
        () => kernel.hypothesesOf(theorem(number)),
        () => kernel.taintOf(theorem(number)),
        () => terms.kind(term(number)),
        () => terms.typeOf(term(number)),
        () => terms.freeMask(term(number)),
        () => terms.functionOf(term(number)),
        () => terms.bodyOf(term(number)),
        () => terms.constantOf(term(number)),
        () => terms.apply(term(number), term(number)),
        () => types.mask(type(number)),
        () => types.operatorOf(type(number)),
        () => types.argumentsOf(type(number)),
        () => types.domain(type(number)),
        () => types.isFunction(type(number)),
        () => types.nameOfVariable(type(number)),
        () => sets.members(hypotheses(number)),
        () => signature.constantType(number as ConstantId),
        () => signature.constantName(number as ConstantId),
        () => signature.operatorName(number as OperatorId),
      ];
      for (const read of reads) expect(read).toThrow(/The replay kernel has no/);
      expect(kernel.theoremAt(number)).toBeUndefined();
    }),
  );
});

test('a part that a term does not have cannot be read', () => {
  const { terms, types } = newKernel();
  const variable = terms.free('p', types.bool);
  expect(() => terms.functionOf(variable)).toThrow(/no term of kind/);
  expect(() => terms.binderOf(variable)).toThrow(/no term of kind/);
  expect(() => terms.nameOfFree(terms.abstract(variable, variable))).toThrow(/no term of kind/);
  expect(() => types.nameOfVariable(types.bool)).toThrow(/no type variable/);
});

test('the row behind the last theorem is none yet', () => {
  const kernel = newKernel();
  const first = kernel.equality.reflexivity(kernel.terms.free('p', kernel.types.bool));
  expect(() => kernel.conclusion(theorem(first + 1))).toThrow(/no theorem 1/);
  expect(kernel.theoremAt(first)).toBe(first);
  expect(kernel.theoremAt(first + 1)).toBeUndefined();
});

describe('what rests on a postulate says so', () => {
  const because = (subject: string): Postulate => ({ kind: 'unproved', subject });

  test.each<readonly [string, (kernel: Kernel, falsity: TheoremId, p: TermId) => TheoremId]>([
    ['contradiction', (k, f, p) => k.propositional.contradiction(p, f)],
    ['discharge', (k, f, p) => k.propositional.discharge(p, f)],
    ['conjunction', (k, f, p) => k.propositional.conjunction(k.propositional.assume(p), f)],
    [
      'conjunct',
      (k, f, p) =>
        k.propositional.conjunct(k.propositional.conjunction(k.propositional.assume(p), f), 'left'),
    ],
    ['disjunction', (k, f, p) => k.propositional.disjunction(f, p, 'right')],
    [
      'disjunctionCases',
      (k, f, p) =>
        k.propositional.disjunctionCases(
          k.propositional.disjunction(f, p, 'left'),
          k.propositional.assume(p),
          k.propositional.assume(p),
        ),
    ],
    [
      'modusPonens',
      (k, f, p) =>
        k.propositional.modusPonens(k.propositional.discharge(k.logic.falsity, k.propositional.assume(p)), f),
    ],
    [
      'equality',
      (k, f, p) =>
        k.equality.equalityModusPonens(k.equality.deductAntisymmetric(f, k.propositional.assume(p)), f),
    ],
    ['generalize', (k, f, p) => k.quantifiers.generalize([p], f)],
    ['specialize', (k, f, p) => k.quantifiers.specialize(p, k.quantifiers.generalize([p], f))],
    ['instantiate', (k, f, p) => k.substitution.instantiate(f, [[p, k.logic.falsity]])],
    ['instantiateTypes', (k, f) => k.substitution.instantiateTypes(f, [])],
    ['replace', (k, f) => k.substitution.replace(k.logic.falsity, f, [])],
    [
      'negation',
      (k, f, p) =>
        k.propositional.negationElimination(
          k.propositional.negationIntroduction(k.propositional.discharge(p, f)),
        ),
    ],
  ])('%s', (_, rule) => {
    const kernel = newKernel();
    const p = kernel.terms.free('p', kernel.types.bool);
    const falsity = kernel.postulate(kernel.logic.falsity, NO_HYPOTHESES, [because('F')]);
    expect(kernel.taintOf(rule(kernel, falsity, p))).toEqual([because('F')]);
    const assumed = kernel.propositional.assume(kernel.logic.falsity);
    expect(kernel.taintOf(rule(kernel, assumed, p)), 'the same on an assumption').toEqual([]);
  });

  test('a taint names too many rather than too few, however many postulates there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.array(fc.nat(79), { maxLength: 6 }),
        (count, chosen) => {
          const kernel = newKernel();
          const believed = Array.from({ length: count }, (_, at) =>
            kernel.postulate(kernel.logic.falsity, NO_HYPOTHESES, [because(String(at))]),
          );
          const used = chosen.filter((at) => at < count);
          const result = used.reduce<TheoremId>(
            (sum, at) => kernel.propositional.conjunction(sum, believed[at] ?? sum),
            kernel.propositional.assume(kernel.logic.falsity),
          );
          const named = kernel.taintOf(result).map(({ subject }) => Number(subject));
          for (const at of used) expect(named).toContain(at);
          if (count <= 30) expect(named).toEqual([...new Set(used)].sort((a, b) => a - b));
        },
      ),
    );
  });

  test('a postulate without a reason, and one that is no proposition, are none', () => {
    const kernel = newKernel();
    expect(() => kernel.postulate(kernel.logic.falsity, NO_HYPOTHESES, [])).toThrow(/no reason/);
    const number = kernel.terms.free('n', kernel.types.ind);
    expect(() => kernel.postulate(number, NO_HYPOTHESES, [because('n')])).toThrow(/no proposition/);
  });
});

test('a constant is checked at a type of 2,000 shared parts, each once', () => {
  const { types, signature } = newKernel();
  const nested = (type: TypeId): TypeId =>
    Array.from({ length: 2000 }).reduce<TypeId>((part) => types.fun(part, part), type);
  signature.declareConstant('c', nested(types.variable("'a")));
  const constant = signature.constant('c');
  signature.checkInstance(constant, nested(types.bool));
  const otherwise = types.fun(nested(types.bool), nested(types.ind));
  expect(() => signature.checkInstance(constant, otherwise)).toThrow('no instance');
});
