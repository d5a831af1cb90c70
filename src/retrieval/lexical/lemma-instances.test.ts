import fc from 'fast-check';
import { expect, it } from 'vitest';
import { viewGoal, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { instancesFor } from './lemma-instances.ts';
import { LemmaMemory } from './lemma-similarity.ts';

function lemmas(...statements: readonly (readonly [string, string])[]): LemmaMemory {
  const memory = new LemmaMemory();
  for (const [name, statement] of statements) memory.add({ name, statement });
  return memory;
}

function instances(view: GoalView, memory: LemmaMemory): string[] {
  return instancesFor(view, memory, new Map()).map(
    ({ lemma, arguments: given }) => `@${[lemma, ...given].join(' ')}`,
  );
}

function goal(conclusion: string, ...hypotheses: readonly (readonly [string, string])[]): GoalView {
  return viewGoal({
    id: 'goal',
    conclusion,
    hypotheses: hypotheses.map(([name, type]) => ({ name, type })),
  });
}

const SQUARE_ROOT = ['sqrt_pos', 'forall x : R, 0 <= sqrt x'] as const;

it('finds the terms that a lemma is about in the goal and its hypotheses', () => {
  expect(
    instances(
      goal('sqrt (x + 1) <= y', ['x', 'R'], ['H', 'sqrt x = 2']),
      lemmas(SQUARE_ROOT, ['mod_bound', 'forall a b : nat, b <> 0 -> a mod b < b']),
    ),
  ).toEqual(['@sqrt_pos (x + 1)', '@sqrt_pos x']);
});

it('gives implicit arguments their place', () => {
  const known = lemmas([
    'app_length',
    'forall {A : Type} (l k : list A), length (l ++ k) = length l + length k',
  ]);
  expect(instances(goal('length (u ++ v :: w) = n'), known)).toEqual(['@app_length _ u (v :: w)']);
});

it('takes a hypothesis that holds for all as a lemma, before the others', () => {
  const view = goal('f (f a) <= a', ['f', 'nat -> nat'], ['a', 'nat'], ['H', 'forall n, f n <= n']);
  expect(instances(view, lemmas(['f_bound', 'forall n, f n <= 7']))).toEqual([
    '@H (f a)',
    '@H a',
    '@f_bound (f a)',
    '@f_bound a',
  ]);
});

it('wants one value for a variable that stands twice', () => {
  const twice = lemmas(['min_same', 'forall n, Nat.min n n = n']);
  expect(instances(goal('P (Nat.min a b) (Nat.min c c)'), twice)).toEqual(['@min_same c']);
});

it('leaves out what a binder of the goal binds, what is undetermined, and what only speaks of plain arithmetic', () => {
  const vague = lemmas(
    ['mono', 'forall x y, x <= y -> sqrt x <= sqrt y'],
    ['comm', 'forall x y, x + y = y + x'],
  );
  expect(instances(goal('forall z, 0 <= sqrt z'), lemmas(SQUARE_ROOT))).toEqual([]);
  expect(instances(goal('sqrt a + sqrt b = c'), vague)).toEqual([]);
});

it('gives every part of the goal its turn, and facts without premises the first', () => {
  const known = lemmas(
    ['sqrt_inv', 'forall x, 0 <= x -> sqrt x * sqrt x = x'],
    SQUARE_ROOT,
    ['sqrt_again', SQUARE_ROOT[1]],
    ['abs_pos', 'forall x, 0 <= Rabs x'],
  );
  expect(instances(goal('Rabs a <= sqrt b'), known)).toEqual(['@abs_pos a', '@sqrt_pos b', '@sqrt_inv b']);
});

it('only names what stands in the goal', () => {
  const word = fc.constantFrom('x', 'y', 'f', 'sqrt', '+', '(', ')', '<=', ',', 'forall', ':', '{', '}');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 25 }), fc.array(word, { maxLength: 25 }), (left, right) => {
      const text = left.join(' ');
      const names = new Set(text.match(/\w+/gu));
      for (const instance of instances(goal(text), lemmas(['l', right.join(' ')], SQUARE_ROOT)))
        for (const name of instance.replace(/^@\S+/u, '').match(/\w+/gu) ?? [])
          expect(name === '_' || names.has(name)).toBe(true);
    }),
  );
});
