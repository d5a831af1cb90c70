/** Terms that are applied, made by hand: up to what they are compared, and what that may take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM, termLayout } from '../compiled/term-layout.ts';
import { ComparisonWork, TooMuchWork } from './comparison-work.ts';
import { KernelEquality } from './kernel-equality.ts';
import { applied, isApplied } from './substitution.ts';

const layout = termLayout(816);
const SET = new Block(TERM.sort, [0]);
const rel = (index: number) => new Block(TERM.rel, [index]);
const lambda = (body: OcamlValue) => new Block(TERM.lambda, [new Block(0, [0, 0]), SET, body]);
const application = (head: OcamlValue, ...given: OcamlValue[]) =>
  new Block(TERM.application, [head, new Block(0, given)]);

function equal(left: OcamlValue, right: OcamlValue, steps?: number): boolean {
  return new KernelEquality(0, new ComparisonWork(steps), layout).same(layout.term, left, right);
}

/** Two, applied to two, and so on: of as many as `height`. */
function tower(height: number): Block {
  const two = () => lambda(lambda(application(rel(2), application(rel(2), rel(1)))));
  const others = Array.from({ length: height - 1 }, two);
  return application(two(), ...others, lambda(rel(1)), SET);
}

/** @param depth how many variables are bound. */
const terms = (depth: number, size: number): fc.Arbitrary<Block> => {
  const leaf = fc.integer({ min: 1, max: depth + 3 }).map(rel);
  if (size === 0) return fc.oneof(leaf, fc.constant(SET));
  const part = terms(depth, size - 1);
  const inner = terms(depth + 1, size - 1);
  return fc.oneof(
    leaf,
    inner.map(lambda),
    fc
      .tuple(part, part)
      .filter(([head]) => head.tag !== TERM.application)
      .map(([head, one]) => application(head, one)),
  );
};

describe('functions that are applied', () => {
  it('are what they come to, also where they come about only so', () => {
    expect(equal(tower(3), SET)).toBe(true);
    // (fun f => f Set Set) (Rel 5 Set), whose arguments come together.
    const joined = application(lambda(application(rel(1), SET, SET)), application(rel(5), SET));
    expect(equal(joined, application(rel(5), SET, SET, SET))).toBe(true);
    expect(equal(joined, application(rel(5), SET, SET))).toBe(false);
  });

  it('are equal to what they come to, whatever they are', () => {
    fc.assert(
      fc.property(terms(1, 4), terms(0, 3), (body, argument) => {
        const whole = application(lambda(body), argument);
        const work = new ComparisonWork(100_000);
        const result = isApplied(whole) ? applied({ layout, work }, whole) : whole;
        try {
          expect(equal(whole, result, 100_000)).toBe(true);
          expect(equal(result, whole, 100_000)).toBe(true);
        } catch (error) {
          // Some come to no end.
          if (!(error instanceof TooMuchWork)) throw error;
        }
      }),
    );
  });

  it('end when there is too much to do', () => {
    expect(() => equal(tower(6), SET)).toThrow(TooMuchWork);
    const itself = lambda(application(rel(1), rel(1)));
    expect(() => equal(application(itself, itself), SET, 1_000_000)).toThrow(TooMuchWork);
  });

  it('take no more than a few steps for each, one inside another', () => {
    const nested = (depth: number, last: OcamlValue): OcamlValue =>
      depth === 0 ? last : application(lambda(nested(depth - 1, last)), SET);
    expect(equal(nested(60, rel(99)), nested(60, rel(98)), 2_000_000)).toBe(false);
  });
});
