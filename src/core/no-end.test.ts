import { expect, it } from 'vitest';
import { unreadText } from './no-end.ts';

it('says where what has no end begins, and what may be missing', () => {
  expect(unreadText('a.\n (* b', { inside: 'comment', start: 4 })).toBe(
    'The comment that starts at 2:1 has no end, so that nothing behind it is read.',
  );
  expect(unreadText('Lemma a', { inside: 'sentence', start: 0 })).toBe(
    'The sentence that starts at 1:0 has no end, so that nothing behind it is read: is the dot at its end missing?',
  );
});
