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
