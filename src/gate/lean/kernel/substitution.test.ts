/** Laws of substitution, on random terms, against plain recursive definitions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../expression.ts';
import { arbitraryTerm, testStore as store } from '../testing/arbitrary-term.ts';
import { abstract, bindAll, instantiate, instantiateLevels, lift } from './substitution.ts';

const x = store.free(0, store.sort(store.levels.zero));
const y = store.free(1, store.sort(store.levels.zero));

/** What is meant by putting a term for the variable `index` binders out, without sharing and without shortcuts. */
function substitute(term: Expression, index: number, value: Expression): Expression {
  const name = store.names.anonymous;
  switch (term.kind) {
    case 'bound':
      if (term.index === index) return raise(value, index, 0);
      return term.index > index ? store.bound(term.index - 1) : term;
    case 'application':
      return store.apply(substitute(term.fn, index, value), substitute(term.argument, index, value));
    case 'lambda':
      return store.lambda(name, substitute(term.type, index, value), substitute(term.body, index + 1, value));
    case 'pi':
      return store.pi(name, substitute(term.type, index, value), substitute(term.body, index + 1, value));
    case 'let':
      return store.let(
        name,
        substitute(term.type, index, value),
        substitute(term.value, index, value),
        substitute(term.body, index + 1, value),
      );
    case 'projection':
      return store.projection(term.name, term.index, substitute(term.subject, index, value));
    default:
      return term;
  }
}

function raise(term: Expression, by: number, from: number): Expression {
  const name = store.names.anonymous;
  switch (term.kind) {
    case 'bound':
      return term.index >= from ? store.bound(term.index + by) : term;
    case 'application':
      return store.apply(raise(term.fn, by, from), raise(term.argument, by, from));
    case 'lambda':
      return store.lambda(name, raise(term.type, by, from), raise(term.body, by, from + 1));
    case 'pi':
      return store.pi(name, raise(term.type, by, from), raise(term.body, by, from + 1));
    case 'let':
      return store.let(
        name,
        raise(term.type, by, from),
        raise(term.value, by, from),
        raise(term.body, by, from + 1),
      );
    case 'projection':
      return store.projection(term.name, term.index, raise(term.subject, by, from));
    default:
      return term;
  }
}

/** The first number above all loose variables, found the slow way. */
function looseBound(term: Expression): number {
  switch (term.kind) {
    case 'bound':
      return term.index + 1;
    case 'application':
      return Math.max(looseBound(term.fn), looseBound(term.argument));
    case 'lambda':
    case 'pi':
      return Math.max(looseBound(term.type), looseBound(term.body) - 1, 0);
    case 'let':
      return Math.max(looseBound(term.type), looseBound(term.value), looseBound(term.body) - 1, 0);
    case 'projection':
      return looseBound(term.subject);
    default:
      return 0;
  }
}

describe('substitution', () => {
  it('puts a term for the outermost loose variable as its definition says', () => {
    fc.assert(
      fc.property(arbitraryTerm(3), arbitraryTerm(2), (body, value) => {
        expect(instantiate(store, body, [value])).toBe(substitute(body, 0, value));
      }),
      { numRuns: 300 },
    );
  });

  it('puts several terms at once as it does one after the other', () => {
    fc.assert(
      fc.property(arbitraryTerm(3), arbitraryTerm(0), arbitraryTerm(0), (body, outer, inner) => {
        const together = instantiate(store, body, [outer, inner]);
        expect(together).toBe(instantiate(store, instantiate(store, body, [inner]), [outer]));
      }),
      { numRuns: 300 },
    );
  });

  it('lifts as its definition says, and putting anything for the new variable undoes it', () => {
    fc.assert(
      fc.property(arbitraryTerm(3), arbitraryTerm(0), fc.integer({ min: 0, max: 3 }), (term, value, by) => {
        expect(lift(store, term, by)).toBe(raise(term, by, 0));
        expect(instantiate(store, lift(store, term, 1), [value])).toBe(term);
      }),
      { numRuns: 300 },
    );
  });

  it('binds free variables again: abstract undoes instantiate', () => {
    fc.assert(
      fc.property(arbitraryTerm(2), (body) => {
        expect(abstract(store, instantiate(store, body, [x, y]), [x, y])).toBe(body);
        const closed = bindAll(store, 'lambda', [x, y], instantiate(store, body, [x, y]));
        expect(closed.freeBound).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('knows which variables are loose', () => {
    fc.assert(
      fc.property(arbitraryTerm(4), (term) => {
        expect(term.looseBound).toBe(looseBound(term));
      }),
      { numRuns: 300 },
    );
  });

  it('puts levels for parameters, in levels and nowhere else', () => {
    const u = store.names.of('u');
    fc.assert(
      fc.property(arbitraryTerm(2), (term) => {
        const same = instantiateLevels(store, term, [u], [store.levels.parameter(u)]);
        expect(same).toBe(term);
        const closed = instantiateLevels(
          store,
          term,
          [u, store.names.of('v')],
          [store.levels.zero, store.levels.one],
        );
        expect(closed.hasParameters).toBe(false);
        expect(closed.looseBound).toBe(term.looseBound);
      }),
      { numRuns: 300 },
    );
  });
});
