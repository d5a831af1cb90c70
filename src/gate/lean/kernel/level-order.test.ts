/** The order of levels against their meaning: tried for all small values of the parameters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';
import type { Level } from '../level.ts';
import { arbitraryLevel, LEVEL_PARAMETERS, testStore } from '../testing/arbitrary-term.ts';
import { Fuel } from './answer.ts';
import { Kernel } from './kernel.ts';
import { LevelOrder, substituteLevel } from './level-order.ts';

type Values = ReadonlyMap<unknown, number>;

function meaning(level: Level, values: Values): number {
  switch (level.kind) {
    case 'zero':
      return 0;
    case 'parameter':
      return values.get(level.name) ?? 0;
    case 'successor':
      return meaning(level.of, values) + 1;
    case 'max':
      return Math.max(meaning(level.left, values), meaning(level.right, values));
    case 'imax': {
      const right = meaning(level.right, values);
      return right === 0 ? 0 : Math.max(meaning(level.left, values), right);
    }
  }
}

/** Levels of the random kind have at most 5 successors around a parameter: beyond that nothing new happens. */
const LARGEST = 9;

function allValues(): Values[] {
  const result: Values[] = [];
  for (let u = 0; u <= LARGEST; u++) {
    for (let v = 0; v <= LARGEST; v++) {
      result.push(new Map([u, v].map((value, position) => [LEVEL_PARAMETERS[position], value])));
    }
  }
  return result;
}

const VALUES = allValues();
const order = new LevelOrder(new Fuel(Infinity));

const inPlaceOfParameters = (values: readonly Level[]): Map<Level, Level> =>
  new Map(
    LEVEL_PARAMETERS.flatMap((name, position) => {
      const value = values[position];
      return value === undefined ? [] : [[testStore.levels.parameter(name), value] as const];
    }),
  );

/** 2^2000 nodes when it is written out. */
const sharing = (bottom: Level): Level =>
  Array.from({ length: 2000 }).reduce<Level>((part) => testStore.levels.max(part, part), bottom);

describe('the order of levels', () => {
  it('is that of their values, for all values of the parameters', () => {
    fc.assert(
      fc.property(arbitraryLevel, arbitraryLevel, (low, high) => {
        const below = VALUES.every((values) => meaning(low, values) <= meaning(high, values));
        expect(order.isAtMost(low, high)).toBe(below);
        const equal = VALUES.every((values) => meaning(low, values) === meaning(high, values));
        expect(order.isEqual(low, high)).toBe(equal);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds levels that are always zero or never', () => {
    fc.assert(
      fc.property(arbitraryLevel, (level) => {
        expect(order.isZero(level)).toBe(VALUES.every((values) => meaning(level, values) === 0));
        expect(order.isNeverZero(level)).toBe(VALUES.every((values) => meaning(level, values) > 0));
      }),
      { numRuns: 1000 },
    );
  });

  it('goes with substitution', () => {
    fc.assert(
      fc.property(arbitraryLevel, arbitraryLevel, arbitraryLevel, (level, forU, forV) => {
        const result = substituteLevel(testStore.levels, level, inPlaceOfParameters([forU, forV]));
        for (const values of VALUES.slice(0, 30)) {
          const inner = new Map(
            [forU, forV].map((value, position) => [LEVEL_PARAMETERS[position], meaning(value, values)]),
          );
          expect(meaning(result, values)).toBe(meaning(level, inner));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is not fooled by imax', () => {
    const { levels } = testStore;
    const [u, v] = LEVEL_PARAMETERS.map((name) => levels.parameter(name));
    if (u === undefined || v === undefined) throw new Error('no parameters');
    expect(order.isAtMost(levels.imax(u, v), levels.max(u, v))).toBe(true);
    expect(order.isAtMost(levels.max(u, v), levels.imax(u, v))).toBe(false);
    expect(order.isZero(levels.imax(levels.one, levels.zero))).toBe(true);
    expect(order.isEqual(levels.imax(u, levels.imax(v, u)), levels.imax(v, u))).toBe(true);
  });

  it('looks at shared parts once', () => {
    const { levels } = testStore;
    const [u, v] = LEVEL_PARAMETERS.map((name) => levels.parameter(name));
    if (u === undefined || v === undefined) throw new Error('no parameters');
    expect(order.isEqual(sharing(u), u)).toBe(true);
    expect(substituteLevel(levels, sharing(u), inPlaceOfParameters([v, v]))).toBe(sharing(v));
  });

  it('looks at shared parts of a declaration once', () => {
    const { levels, names } = testStore;
    const type = testStore.sort(sharing(levels.parameter(names.of('u'))));
    const kernel = new Kernel(testStore, new Environment());
    const name = names.of('shared');
    const axiom = { kind: 'axiom', name, type, isUnsafe: false } as const;
    expect(kernel.add({ ...axiom, levelParameters: [] }).kind).toBe('rejected');
    expect(kernel.add({ ...axiom, levelParameters: [names.of('u')] }).kind).toBe('accepted');
  });

  it('pays for its steps', () => {
    const { levels, names } = testStore;
    const parameters = Array.from({ length: 200 }, (_, number) =>
      levels.parameter(names.of('w', BigInt(number))),
    );
    const level = parameters.reduce<Level>((sum, parameter) => levels.max(sum, parameter), levels.zero);
    const poor = new LevelOrder(new Fuel(2000));
    expect(() => poor.isAtMost(level, levels.zero)).toThrow('more than 2000 steps');
  });
});
