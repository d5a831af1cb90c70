import { describe, expect, it } from 'vitest';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { Definitions } from '../libraries/definitions.ts';
import { COSTS } from './costs.ts';
import { finisher, rollOut, strategyCandidates, type Finish } from './compound-steps.ts';
import { atom, tacticText } from './tactic.ts';

const FINISH: Finish = {
  quick: atom('quick'),
  last: atom('last'),
  ...{ equations: ['eq'], rules: ['rule'], splits: [] },
};

function offered(view: GoalView, ssreflect = false): string[] {
  const setting = { definitions: new Definitions(), ssreflect, costs: COSTS };
  return strategyCandidates(view, FINISH, setting).map(({ text }) => text);
}

describe('strategyCandidates', () => {
  it('are sentences that close the goal or fail', () => {
    const setting = { definitions: new Definitions(), ssreflect: false, costs: COSTS };
    const candidates = strategyCandidates(goal({ n: 'nat' }, 'n + 0 = n'), FINISH, setting);
    expect(candidates.length).toBeGreaterThan(3);
    for (const { closing, ingredient, text, tactic } of candidates)
      expect([closing, ingredient, text]).toEqual([true, 'strategies', tacticText(tactic)]);
  });

  it('go by induction with what else the goal speaks of made general, and then without', () => {
    const tactics = offered(goal({ n: 'nat', m: 'nat' }, 'n + m = m + n'));
    const general = tactics.indexOf('revert n; induction m; simpl in *; intros; subst; last');
    expect(general).toBeGreaterThanOrEqual(0);
    expect(tactics.indexOf('induction m; simpl in *; intros; subst; last')).toBeGreaterThan(general);
  });

  it('rewrite with equations in every round, and end with what closes', () => {
    const rounds = offered(goal({}, 'a = b')).filter((text) => text.includes('do 4 try'));
    expect(rounds).toHaveLength(1);
    expect(rounds[0]).toMatch(/\(first \[quick \| .* \| rewrite eq\]; subst; try discriminate\); last$/u);
  });

  it('remember what an induction on a fact would forget', () => {
    expect(offered(goal({ n: 'nat', H: 'even (S n)' }, 'odd n'))).toContain(
      'remember (S n) as x0 eqn:Heq0; induction H; simpl in *; intros; first [discriminate | inversion Heq0; subst; last]',
    );
  });

  it('look behind premises for arithmetic, after an induction', () => {
    const setting = { definitions: new Definitions(), ssreflect: false, costs: COSTS };
    const texts = (conclusion: string): string[] =>
      strategyCandidates(
        goal({ x: 'nat', l: 'list nat' }, conclusion),
        { ...FINISH, arithmetic: atom('intuition', 'lia') },
        setting,
      ).map(({ text }) => text);
    expect(texts('In x l -> x <= sum l')).toContain('induction l; simpl in *; intuition lia');
    expect(texts('x <= sum l').filter((text) => text.includes('intuition lia'))).toEqual([]);
    expect(offered(goal({ l: 'list nat' }, 'P l -> 0 <= sum l')).join()).not.toContain('intuition');
  });

  it('speak SSReflect only where the file does', () => {
    const view = goal({ n: 'nat' }, 'n + 0 = n');
    expect(offered(view).filter((text) => text.startsWith('by elim:'))).toEqual([]);
    expect(offered(view, true)).toContain('by elim: n => //= *; congruence');
  });

  it('go by induction on one of two objects and take the other apart, where one of two things is to hold', () => {
    const cases = 'induction n; intros m; destruct m; try destruct (IHn m); first [left; ';
    const beginning = (texts: readonly string[]): string[] =>
      texts.filter((text) => text.includes(cases)).map((text) => text.slice(0, text.indexOf('first [left')));
    expect(beginning(offered(goal({}, 'forall n m : nat, P n m \\/ Q n m')))).toEqual([
      'induction n; intros m; destruct m; try destruct (IHn m); ',
    ]);
    expect(beginning(offered(goal({ n: 'nat', b: 'bool', m: 'nat' }, 'P n m \\/ Q b')))).toEqual([
      'revert m; induction n; intros m; destruct m; try destruct (IHn m); ',
    ]);
    expect(beginning(offered(goal({ n: 'nat', m: 'nat' }, 'P n m /\\ Q n m')))).toEqual([]);
    // What speaks of the other object would be lost.
    expect(beginning(offered(goal({ n: 'nat', m: 'nat', H: 'R m' }, 'P n m \\/ Q n m')))).toEqual([]);
  });

  it('try what might exist one after the other', () => {
    expect(offered(goal({ k: 'nat' }, 'exists n : nat, n = k')).join('\n')).toContain(
      'first [eexists; subst; last | exists k; subst; last',
    );
  });
});

it('always has something to end with', () => {
  expect(tacticText(finisher([]))).toBe('solve [auto]');
  expect(tacticText(finisher([atom('lia'), atom('easy')]))).toBe('solve [lia | easy]');
  expect(tacticText(rollOut(atom('quick'), []))).toMatch(/^intros; simpl in \*; subst; do 6 try .*; quick$/u);
});
