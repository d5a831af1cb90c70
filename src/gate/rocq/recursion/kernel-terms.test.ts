import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lifted, made, mentions, reduced, spineOf, substituted, type Term } from './kernel-terms.ts';

const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: 1, max: 6 }).map((number) => made({ kind: 'variable', number })),
    fc.constant(made({ kind: 'other' })),
    fc
      .record({
        kind: fc.constantFrom('product' as const, 'function' as const),
        domain: tie('term'),
        body: tie('term'),
      })
      .map((one) => made(one)),
    fc
      .record({ value: tie('term'), type: tie('term'), body: tie('term') })
      .map((one) => made({ kind: 'let', ...one })),
    fc
      .record({ head: tie('term'), arguments: fc.array(tie('term'), { minLength: 1, maxLength: 3 }) })
      .map((one) => made({ kind: 'application', ...one })),
    fc
      .tuple(tie('term'), tie('term'))
      .map(([type, body]) => made({ kind: 'fix', places: [0], which: 0, types: [type], bodies: [body] })),
    fc.tuple(tie('term'), tie('term'), tie('term')).map(([result, scrutinee, branch]) =>
      made({
        kind: 'match',
        type: { block: 'L#t', place: 0 },
        parts: [],
        returns: { bound: 1, body: result },
        scrutinee,
        parameters: 0,
        branches: [{ bound: 2, body: branch, isPlain: true }],
      }),
    ),
  ),
}));

it('a value put for a variable that is not there changes nothing', () => {
  fc.assert(
    fc.property(term, fc.array(term, { minLength: 1, maxLength: 3 }), (one, values) => {
      expect(substituted(lifted(one, values.length), values)).toEqual(one);
    }),
  );
});

it('the value of a variable stands where the variable stood', () => {
  fc.assert(
    fc.property(term, fc.integer({ min: 1, max: 6 }), (one, number) => {
      const variable = made({ kind: 'variable', number });
      const put = substituted(one, [variable]);
      expect(mentions(put, number, 1)).toBe(mentions(one, 1, 1) || mentions(one, number + 1, 1));
    }),
  );
});

it('a term mentions the largest variable that is open in it, and none beyond', () => {
  fc.assert(
    fc.property(term, (one) => {
      const largest = one.opening;
      if (largest > 0) expect(mentions(one, largest, 1)).toBe(true);
      expect(mentions(one, largest + 1, 10)).toBe(false);
    }),
  );
});

it('a function takes its arguments in order', () => {
  const variable = (number: number): Term => made({ kind: 'variable', number });
  const type = made({ kind: 'other' });
  const pair = made({ kind: 'application', head: variable(2), arguments: [variable(1), variable(4)] });
  const one = made({ kind: 'function', domain: type, body: pair });
  const both = made({ kind: 'function', domain: type, body: one });
  expect(reduced(both, [variable(7), variable(8)])).toEqual(
    made({ kind: 'application', head: variable(7), arguments: [variable(8), variable(2)] }),
  );
  expect(spineOf(reduced(both, [variable(7)])).arguments).toEqual([]);
});
