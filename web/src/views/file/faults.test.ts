import { expect, it } from 'vitest';
import type { Checking } from './checking.ts';
import { faultsText, ownFaults } from './faults.ts';

type Sentence = Checking['sentences'][number];

const place = (line: number) => ({ line, column: 0, end_line: line, end_column: 1 });

function sentence(line: number, follows?: number | null): Sentence {
  const error =
    follows === undefined
      ? null
      : {
          ...{ message: `no ${line}`, reason: null, ...place(line) },
          ...{ follows: follows === null ? null : 'cause', follows_line: follows },
        };
  const status = error === null ? 'ran' : 'refused';
  return { ...place(line), status, error, elapsed_ms: 0, messages: [], from: line * 10, to: line * 10 + 1 };
}

const shown = (sentences: readonly Sentence[]) =>
  ownFaults(sentences).map(({ line, following }) => [line, ...following.map((one) => one.line)]);

it('what follows stands under its cause, and what has none for itself', () => {
  const sentences = [sentence(1), sentence(2, null), sentence(3, null), sentence(5, 2), sentence(7, 2)];
  expect(shown(sentences)).toEqual([[2, 5, 7], [3]]);
  expect(faultsText(ownFaults(sentences))).toBe('2 errors, and 2 that may follow from them');
  // The cause is not known to the page: nothing is hidden.
  expect(shown([sentence(4, 1)])).toEqual([[4]]);
});

it('of two causes in one line nothing that follows is told twice', () => {
  const sentences = [sentence(2, null), sentence(2, null), sentence(5, 2)];
  expect(shown(sentences)).toEqual([[2, 5], [2]]);
  expect(faultsText(ownFaults([sentence(2, null), sentence(3, 2)]))).toBe(
    '1 error, and 1 that may follow from it',
  );
});
