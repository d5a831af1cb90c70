/**
 * Laws of definitional equality, on the terms that real declarations are made of: it is symmetric, and naming a part of a term by a
 * definition or a let changes nothing.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DefinitionConstant, TheoremConstant } from '../declaration.ts';
import type { Expression } from '../expression.ts';
import { forEachSubterm } from '../expression.ts';
import { CheckedExport, smallExport } from '../testing/recorded-exports.ts';
import type { Kernel } from './kernel.ts';

let checked: CheckedExport;
/** Closed terms with the type that each has, of the declarations of the environment. */
let typed: { readonly term: Expression; readonly type: Expression }[];
let closed: Expression[];

beforeAll(() => {
  checked = new CheckedExport(smallExport('closure nat-add-comm').text);
  expect(checked.answer).toEqual({ kind: 'accepted' });
  const declared = checked.declarations.filter(
    (one): one is DefinitionConstant | TheoremConstant =>
      (one.kind === 'definition' || one.kind === 'theorem') && one.levelParameters.length === 0,
  );
  typed = declared.map(({ value, type }) => ({ term: value.plain, type: type.plain }));
  closed = [];
  forEachSubterm(
    typed.flatMap(({ term, type }) => [term, type]),
    (part) => {
      if (part.looseBound === 0 && !part.hasParameters) closed.push(part.plain);
    },
  );
});

/** Properties choose by number: terms are too large to be printed when one fails. */
function chosen<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}

const kernel = (): Kernel => checked.kernel;

describe('definitional equality', () => {
  it('is symmetric', () => {
    let equal = 0;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const [left, right] = [chosen(closed, one), chosen(closed, other)];
        const answer = kernel().areEqual(left, right);
        expect(kernel().areEqual(right, left)).toBe(answer);
        if (answer) equal++;
      }),
      { numRuns: 1500 },
    );
    expect(equal).toBeGreaterThan(0);
  });

  it('does not see whether a part is named by a let', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (which, choice) => {
        const { term, type } = chosen(typed, which);
        const { store } = checked;
        const [part, partType] = chooseTyped(term, choice);
        const named = store.let(store.names.anonymous, partType, part, abstractOccurrences(term, part));
        expect(kernel().areEqual(named, term)).toBe(true);
        expect(kernel().areEqual(term, named)).toBe(true);
        expect(kernel().areEqual(kernel().typeOf(named), type)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('does not see whether a term is named by a definition', () => {
    const { store } = checked;
    for (const [position, { term, type }] of typed.entries()) {
      const name = store.names.of('abbreviation', BigInt(position));
      const hints = { kind: 'regular', height: position } as const;
      const constant = {
        name,
        type,
        value: term,
        levelParameters: [],
        all: [name],
        hints,
        safety: 'safe',
      } as const;
      expect(kernel().add({ kind: 'definition', ...constant })).toEqual({ kind: 'accepted' });
      expect(kernel().areEqual(store.constant(name, []), term)).toBe(true);
      expect(kernel().areEqual(term, store.constant(name, []))).toBe(true);
    }
  });

  it('finds the type that was declared', () => {
    for (const { term, type } of typed) expect(kernel().areEqual(kernel().typeOf(term), type)).toBe(true);
  });
});

/** A closed part of the term, and its type. */
function chooseTyped(term: Expression, choice: number): [Expression, Expression] {
  const parts: Expression[] = [];
  forEachSubterm([term], (part) => {
    if (part.looseBound === 0) parts.push(part);
  });
  const part = chosen(parts, choice);
  return [part, kernel().typeOf(part)];
}

/** The term with a new bound variable, outside all others, for a closed part. */
function abstractOccurrences(term: Expression, part: Expression): Expression {
  const { store } = checked;
  const walk = (here: Expression, binders: number): Expression => {
    if (here === part) return store.bound(binders);
    switch (here.kind) {
      case 'application':
        return store.apply(walk(here.fn, binders), walk(here.argument, binders));
      case 'lambda':
        return store.lambda(here.name, walk(here.type, binders), walk(here.body, binders + 1));
      case 'pi':
        return store.pi(here.name, walk(here.type, binders), walk(here.body, binders + 1));
      case 'let':
        return store.let(
          here.name,
          walk(here.type, binders),
          walk(here.value, binders),
          walk(here.body, binders + 1),
        );
      case 'projection':
        return store.projection(here.name, here.index, walk(here.subject, binders));
      default:
        return here;
    }
  };
  return walk(term, 0);
}
