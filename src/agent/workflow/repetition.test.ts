import { expect, test } from 'vitest';
import { Repetition } from './repetition.ts';

const call = (input: string) => ({ id: 'x', name: 'hol_send', input });

test('the third of the same calls in a row is not made; another one between them begins anew', () => {
  const repetition = new Repetition();
  expect(['a', 'a', 'a', 'a', 'b', 'a', 'a', 'a'].map((input) => repetition.notes(call(input)))).toEqual([
    ...[false, false, true, true],
    ...[false, false, false, true],
  ]);
});

test('what the answers depend on has changed: the same words are another call', () => {
  const repetition = new Repetition();
  expect([repetition.notes(call('a')), repetition.notes(call('a'))]).toEqual([false, false]);
  repetition.forget();
  expect([repetition.notes(call('a')), repetition.notes(call('a')), repetition.notes(call('a'))]).toEqual([
    ...[false, false, true],
  ]);
});

test('in a session that moves on, only a call that gets the same answer is the same', () => {
  const repetition = new Repetition();
  const refused = ['3 goals', '2 goals', '1 goal', 'nothing to undo', 'nothing to undo', ''].map((answer) => {
    const isRefused = repetition.notes(call('b ()'));
    if (!isRefused) repetition.answered(answer);
    return isRefused;
  });
  expect(refused).toEqual([false, false, false, false, false, true]);
});
