/** What is counted in a script. */
import { expect, it } from 'vitest';
import { BLEMISHES } from './blemishes.ts';

it('each thing to stumble over is counted where it is, and only there', () => {
  const script = {
    sentences: ['rewrite a', 'rewrite <- a, b', 'destruct n eqn:E0'],
    children: [
      { sentences: ['simpl in *', 'eauto 7 using c'], children: [] },
      { sentences: ['destruct m eqn:E1', 'rewrite E1 in H', 'rewrite d'], children: [] },
      { sentences: ['induction k', 'solve [auto | easy]'], children: [] },
    ],
  };
  expect(BLEMISHES.map(([, count]) => count(script))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  const plain = { sentences: ['rewrite a, b', 'destruct n; auto'], children: [] };
  expect(BLEMISHES.map(([, count]) => count(plain))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});
