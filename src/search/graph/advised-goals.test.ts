/** Which goals of a search in vain say the theorem over again, and which of their hypotheses are idle. */
import { describe, expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import { adviceFor } from './advised-goals.ts';

function goal(conclusion: string, hypotheses: Readonly<Record<string, string>> = {}): Goal {
  return {
    id: '1',
    hypotheses: Object.entries(hypotheses).map(([name, type]) => ({ name, type })),
    conclusion,
  };
}

const STAR = 'forall (T : Type) (s : list T) (r : re T), s =~ r -> s =~ Star r';
const SORTED = 'forall t x a, bst t -> bst (ins x a t)';

describe('a goal says the theorem over again', () => {
  it.each<[name: string, theorem: string, said: Goal]>([
    ['as it was introduced', SORTED, goal('bst (ins x a t)', { x: 'nat', a: 'A', t: 'tree A', H: 'bst t' })],
    [
      'under an idle hypothesis',
      SORTED,
      goal('bst (ins x a t)', { x: 'nat', a: 'A', t: 'tree A', H: 'bst t', H0: 'x <= x' }),
    ],
    [
      'under other names and one hypothesis more',
      STAR,
      goal('s =~ Star r0', { s: 'list T', r: 're T', r0: 're T', H: 's =~ r0', E: 'Star r0 = Star r' }),
    ],
    [
      'with its premise about what an equation says to be the same',
      STAR,
      goal('s =~ Star r0', { s: 'list T', r: 're T', H: 's =~ r', r0: 're T', E: 'Star r0 = Star r' }),
    ],
    ['with some variables introduced', SORTED, goal('forall a, bst t -> bst (ins x a t)', { t: 'tree A' })],
    ['of a value', SORTED, goal('bst (ins x a Leaf)', { H: 'bst Leaf' })],
    [
      'where it speaks of a function',
      'forall f x, f (f x) = f x',
      goal('g (g y) = g y', { g: 'nat -> nat' }),
    ],
  ])('%s', (_, theorem, said) => {
    expect(adviceFor([goal(theorem)]).restates(said)).toBe(true);
  });

  it.each<[name: string, theorem: string, other: Goal]>([
    ['not without its premise', SORTED, goal('bst (ins x a t)', { x: 'nat', a: 'A', t: 'tree A' })],
    ['not of another conclusion', SORTED, goal('bst (del x a t)', { t: 'tree A', H: 'bst t' })],
    ['not where a value differs', 'forall n, f n n = 0', goal('f n m = 0', { n: 'nat', m: 'nat' })],
    [
      'not as the case of an induction',
      'forall n m, n + m = m + n',
      goal('S n + m = m + S n', { n: 'nat', m: 'nat', IHn: 'n + m = m + n' }),
    ],
  ])('%s', (_, theorem, other) => {
    expect(adviceFor([goal(theorem)]).restates(other)).toBe(false);
  });
});

describe('hypotheses are idle', () => {
  const left = (one: Goal): string[] =>
    adviceFor([goal('True')])
      .withoutIdle(one)
      .hypotheses.map(({ name }) => name);

  it.each<[name: string, all: Goal, kept: string[]]>([
    [
      'that say nothing, or twice the same',
      goal('f x', { x: 'nat', H: 'x <= x', H0: 'x = x', K: 'g x', K0: 'g x' }),
      ['x', 'K'],
    ],
    [
      'that share no variable with the rest, and what they are about',
      goal('f x', { x: 'nat', y: 'nat', z: 'nat', u: 'nat', H: 'x < y', K: 'y < u', L: 'z < 3' }),
      ['x', 'y', 'u', 'H', 'K'],
    ],
    ['but not types', goal('x = y', { A: 'Type', B: 'Type', x: 'A', y: 'A' }), ['A', 'x', 'y']],
    ['but none of a contradiction', goal('False', { z: 'nat', L: 'z < 0' }), ['z', 'L']],
    ['but no law', goal('g 3 = x', { x: 'nat', L: 'forall n, g n = n' }), ['x', 'L']],
  ])('%s', (_, all, kept) => {
    expect(left(all)).toEqual(kept);
  });
});
