import { describe, expect, it } from 'vitest';
import { adaptTactic, namesIntroduced } from './adapt.ts';
import { COSTS } from './costs.ts';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { tacticWords } from '../../provers/rocq/goals/names.ts';

describe('adaptTactic', () => {
  it('leaves a tactic that names nothing local', () => {
    expect(adaptTactic('apply le_n', goal({}, '0 <= 0'), goal({ n: 'nat' }, 'n <= n'), COSTS)).toEqual([
      { text: 'apply le_n', penalty: 0 },
    ]);
  });

  it('renames a variable by its place in the conclusion', () => {
    const from = goal({ n: 'nat', m: 'nat' }, 'n + 0 = n');
    const to = goal({ k: 'nat', j: 'nat' }, 'j + 0 = j');
    expect(adaptTactic('induction n', from, to, COSTS)[0]?.text).toBe('induction j');
  });

  it('renames a hypothesis by the shape of its type', () => {
    const from = goal({ x: 'nat', l: 'list nat', Hin: 'In x l' }, 'length l > 0');
    const to = goal({ y: 'nat', s: 'list nat', Hlen: 'length s = 3', Hmem: 'In y s' }, 'length s > 0');
    expect(adaptTactic('inversion Hin', from, to, COSTS)[0]?.text).toBe('inversion Hmem');
  });

  it('puts a term where a variable stood, in brackets', () => {
    const from = goal({ x: 'nat' }, 'f x = x');
    const to = goal({ a: 'nat' }, 'f (S a) = S a');
    expect(adaptTactic('destruct x', from, to, COSTS).map(({ text }) => text)).toContain('destruct (S a)');
  });

  it('gives fresh names to what it introduces when they are taken', () => {
    const [first] = adaptTactic('intros H', goal({}, 'A -> B'), goal({ H: 'C' }, 'A -> B'), COSTS);
    expect(first?.text).toBe('intros H0');
  });
});

it('finds words but not those in strings and comments', () => {
  expect(tacticWords('rewrite (Nat.add_comm x) "in" (* y *).').map(({ text }) => text)).toEqual([
    'rewrite',
    'Nat.add_comm',
    'x',
  ]);
});

it('finds what is introduced', () => {
  expect([...namesIntroduced('destruct H as [x Hx]')]).toEqual(['x', 'Hx']);
  expect([...namesIntroduced('move=> x y')]).toEqual(['x', 'y']);
});
