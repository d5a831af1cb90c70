import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestFile, nearestNames } from './nearest-names.ts';

test('the nearest names come first and strangers not at all', () => {
  const names = ['rev_snoc', 'length_snoc', 'map_snoc', 'insert_sorted', 'x'];
  expect(nearestNames('rev_sonc', names)).toEqual(['rev_snoc', 'map_snoc']);
  expect(nearestNames('sorted', names)).toEqual(['insert_sorted']);
  expect(nearestNames('File.Module.x', names)).toEqual(['x']);
  expect(nearestNames('completely_different_name', names)).toEqual([]);
});

test('a name whose first words are meant is nearer than another with fewer letters', () => {
  const names = ['rocq_open', 'rocq_check_proof', 'rocq_check_text', 'rocq_try', 'app_nil_r'];
  expect(nearestNames('rocq_chek', names)).toEqual(['rocq_check_text', 'rocq_check_proof', 'rocq_open']);
  expect(nearestNames('app_nl', names)).toEqual(['app_nil_r']);
  expect(nearestNames('rocq_opne', names)[0]).toBe('rocq_open');
});

test('the distance is zero for equals only, symmetric, and at most the longer length', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '𝔸'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (left, right) => {
      const distance = editDistance(left, right);
      expect(distance === 0).toBe(left === right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance).toBeLessThanOrEqual(Math.max(Array.from(left).length, Array.from(right).length));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(Array.from(left).length - Array.from(right).length));
    }),
  );
});

test('one slip of the keyboard costs one', () => {
  expect(['ab', 'abd', 'abcd', 'acb', 'abx'].map((name) => editDistance('abc', name))).toEqual([
    1, 1, 1, 1, 1,
  ]);
});

test.each([
  ['nope.v', ['bom.v', 'one.v'], undefined],
  ['list.v', ['bom.v', 'lists.v'], 'lists.v'],
  ['lists', ['lists.vo.v', 'lists.v'], 'lists.v'],
  ['sortScript.sml', ['sotrScript.sml', 'a.sml'], 'sotrScript.sml'],
  ['insertion_sort.v', ['insert_sort.v'], 'insert_sort.v'],
])('a file that is meant by %s has nearly its name, its ending aside', (wanted, names, meant) => {
  expect(nearestFile(wanted, names)).toBe(meant);
});
