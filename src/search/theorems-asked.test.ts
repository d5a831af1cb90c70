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

it('takes names for the holes that they mean, and never for what is finished', () => {
  const outline = outlineOf(
    'Module N. Theorem t : 2 = 2. exact eq_refl. Qed. End N. Theorem t : 1 = 1. Admitted. Module A. Definition x : nat. exact 1. Defined. Lemma y : True. Admitted. End A. Module B. Lemma x : True. Admitted. Lemma y : True. Admitted. End B. Lemma z : True. exact I. Qed.',
  );
  const asked = (...names: string[]) =>
    theoremsAsked(outline, names).map(({ path, name }) => [...path, name].join('.'));
  expect(asked('t')).toEqual(['t']);
  expect(asked('N.t')).toEqual([]);
  expect(asked('x')).toEqual(['B.x']);
  expect(asked('y')).toEqual([]);
  expect(asked('B.y', 'A.y', 't')).toEqual(['t', 'A.y', 'B.y']);
  expect(asked('z', 'A.x')).toEqual([]);
});
