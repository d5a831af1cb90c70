import { expect, it } from 'vitest';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { theoremsAsked } from './prove-file.ts';

it('leaves out attempts that are given up and stated again in the same place', () => {
  const outline = outlineOf(
    'Lemma t : 2 = 2. Abort. Lemma t : 2 = 2. Admitted. Lemma alone : True. Abort. Module M. Lemma alone : True. exact I. Qed. End M. Goal True. Abort. Goal True. exact I. Qed.',
  );
  const places = (theorems: 'all-holes' | string[]) =>
    theoremsAsked(outline, theorems).map(({ name, sentence }) => [name, sentence]);
  const standing = [
    ['t', 2],
    ['alone', 4],
  ];
  expect(places('all-holes')).toEqual(standing);
  expect(places(['t'])).toEqual(standing.slice(0, 1));
});
