/** Large declarations: what is long takes time in proportion, and what grows faster is paid for in steps. */
import { expect, it } from 'vitest';
import type { ConstructorConstant, InductiveBlock } from '../declaration.ts';
import { Environment } from '../environment.ts';
import type { FreeVariable } from '../expression.ts';
import { TermStore } from '../term-store.ts';
import { Kernel } from './kernel.ts';
import { bindAll } from './substitution.ts';

it('100,000 variables, each in the type of the next, are bound in one pass', () => {
  const store = new TermStore();
  const family = store.constant(store.names.of('family'), []);
  const variables: FreeVariable[] = [store.free(0, family)];
  for (let last = variables.at(-1); last !== undefined && variables.length < 100_000; last = variables.at(-1))
    variables.push(store.free(variables.length, store.apply(family, last)));
  const bound = bindAll(store, 'pi', variables, family);
  expect(bound.freeBound).toBe(0);
  expect(bound.kind === 'pi' && bound.body.kind === 'pi' && bound.body.type).toBe(
    store.apply(family, store.bound(0)),
  );
});

it('the rules of a recursor, each with a premise for every constructor, are counted', () => {
  const store = new TermStore();
  const shared = { levelParameters: [], parameterCount: 0, isUnsafe: false };
  const inductive = store.names.of('Enumeration');
  const type = store.constant(inductive, []);
  const constructors = Array.from({ length: 300 }, (_, index): ConstructorConstant => {
    const name = inductive.child(`c${index}`);
    return { kind: 'constructor', ...shared, name, type, inductive, index, fieldCount: 0 };
  });
  const block: InductiveBlock = {
    kind: 'inductive-block',
    types: [
      {
        ...{
          kind: 'inductive',
          ...shared,
          name: inductive,
          type: store.sort(store.levels.one),
          indexCount: 0,
        },
        ...{ all: [inductive], constructors: constructors.map(({ name }) => name), nestedCount: 0 },
        ...{ isRecursive: false, isReflexive: false },
      },
    ],
    constructors,
    recursors: [],
  };
  const answer = (steps: number) => new Kernel(store, new Environment(), { steps }).add(block).kind;
  expect(answer(50_000)).toBe('declined');
  expect(answer(200_000)).toBe('accepted');
});
