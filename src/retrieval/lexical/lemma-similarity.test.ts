import { expect, it } from 'vitest';
import { viewGoal } from '../../provers/rocq/goals/goal-view.ts';
import { LemmaMemory } from './lemma-similarity.ts';

it('knows a variable of the section by its name, and no other local', () => {
  const memory = new LemmaMemory();
  memory.add({ name: 'about_l', statement: 'forall l : list M, rev (rev l) = l' });
  memory.add({
    name: 'product_app',
    statement: 'forall l k : list M, product (l ++ k) = op (product l) (product k)',
  });
  for (const name of ['sum', 'length', 'weight', 'height'])
    memory.add({
      name: `${name}_app`,
      statement: `forall l k : list M, ${name} (l ++ k) = ${name} l + ${name} k`,
    });
  const goal = viewGoal({
    id: '1',
    hypotheses: [
      { name: 'product', type: 'list M -> M' },
      { name: 'l', type: 'list M' },
    ],
    conclusion: 'product (l ++ l) = product l',
  });
  expect(memory.similarToGoal(goal, 1).map(({ lemma }) => lemma.name)).toEqual(['product_app']);
});

it('finds a lemma by the equation that its notation hides', () => {
  const memory = new LemmaMemory();
  memory.add({ name: 'mem_rev', statement: 'forall (T : eqType) (s : seq T), rev s =i s' });
  for (const name of ['size', 'rot', 'undup', 'sumn', 'behead'])
    memory.add({
      name: `${name}_rev`,
      statement: `forall (T : eqType) (s : seq T), ${name} (rev s) = ${name} s`,
    });
  const goal = viewGoal({
    id: '1',
    hypotheses: [{ name: 's', type: 'seq T' }],
    conclusion: '(x \\in rev (s ++ t)) = (x \\in s) || (x \\in t)',
  });
  expect(memory.similarToGoal(goal, 1).map(({ lemma }) => lemma.name)).toEqual(['mem_rev']);
  const named = viewGoal({ ...goal.goal, conclusion: 'rev t =i t' });
  expect(memory.similarToGoal(named, 1).map(({ lemma }) => lemma.name)).toEqual(['mem_rev']);
});
