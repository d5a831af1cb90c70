import { describe, expect, it } from 'vitest';
import { COSTS } from './costs.ts';
import { Definitions } from '../libraries/definitions.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { caseSubjects, structuralCandidates } from './goal-shape-steps.ts';

function tactics(view: GoalView): string[] {
  return structuralCandidates(view, { definitions: new Definitions(), ssreflect: false, costs: COSTS })
    .sort((left, right) => left.cost - right.cost)
    .map(({ text }) => text);
}

describe('structuralCandidates', () => {
  it('introduces with the names that Rocq prints and fresh ones for premises', () => {
    expect(
      introductionNames(goal({}, 'forall (n m : nat) l, n < m -> In n l -> True').conclusion, new Set(['H'])),
    ).toEqual(['n', 'm', 'l', 'H0', 'H1']);
    expect(tactics(goal({}, 'forall n : nat, n = n'))[0]).toBe('intros n');
  });

  it.each([
    ['A /\\ B', 'split'],
    ['exists n, n = 0', 'eexists'],
    ['f a b = f c d', 'f_equal'],
    ['A \\/ B', 'left'],
  ])('for %s offers %s', (conclusion, tactic) => {
    expect(tactics(goal({}, conclusion))).toContain(tactic);
  });

  it.each([
    'forall n m : nat, n = m \\/ n <> m',
    'x <> y \\/ x = y',
    'x = y \\/ ~ x = y',
    'forall x y : tree, {x = y} + {x <> y}',
  ])('has Rocq decide %s', (conclusion) => {
    expect(tactics(goal({ x: 'tree', y: 'tree' }, conclusion))).toContain('decide equality');
  });

  it.each(['x = y \\/ y <> x', 'x = y + x', 'x = y \\/ P', 'H -> x = y \\/ x <> y', '{x = y} + {x = y}'])(
    'does not take %s for a question of equality',
    (conclusion) => {
      expect(tactics(goal({ x: 'nat', y: 'nat' }, conclusion))).not.toContain('decide equality');
    },
  );

  it('asks of objects of the goal which of two things a hypothesis says of them', () => {
    const known = { n: 'nat', m: 'nat', IHn: 'forall m : nat, P n m \\/ Q n m' };
    expect(tactics(goal(known, 'P (S n) m \\/ Q (S n) m'))).toContain('destruct (IHn m) as [H|H]');
    const both = { d: 'forall x y : A, {x = y} + {x <> y}', a: 'A', b: 'A' };
    expect(tactics(goal(both, 'f a b = c'))).toContain('destruct (d a b) as [H|H]');
  });

  it('takes apart what hypotheses say', () => {
    const offered = tactics(goal({ H: 'A /\\ B', H1: 'exists x, P x', n: 'nat', IH: 'P n -> Q n' }, 'Q n'));
    for (const tactic of ['destruct H as [H H0]', 'destruct H1', 'induction n', 'apply IH'])
      expect(offered).toContain(tactic);
  });

  it('keeps in an induction what it would forget', () => {
    const offered = tactics(goal({ n: 'nat', m: 'nat', H: 'le (S n) (f m)' }, 'n + m = m + n'));
    expect(offered).toContain('generalize dependent m; induction n');
    expect(offered).toContain(
      'remember (S n) as x0 eqn:Heq0; remember (f m) as x1 eqn:Heq1; induction H; try discriminate',
    );
  });

  it('offers as witnesses locals, numbers and terms of the goal that do not speak of the witness', () => {
    const offered = tactics(goal({ k: 'nat' }, 'exists n, n + f a = S k'));
    for (const tactic of ['exists k', 'exists 0', 'exists (f a)', 'exists (S k)'])
      expect(offered).toContain(tactic);
    expect(offered).not.toContain('exists (n + f a)');
  });
});

it('finds what a match or an if waits for', () => {
  expect(
    caseSubjects(goal({ H: 'match g y with | 0 => A | S _ => B end' }, 'if x =? y then A else B'), 1),
  ).toEqual(['x =? y', 'g y']);
});
