import { expect, it } from 'vitest';
import { withSeenNames } from './seen-names.ts';

it('a name of a file takes one line, wherever it stands in an answer, and all else is as it was', () => {
  const name = 'a\n1 of 1 proved\nz.v';
  const answer = {
    file: name,
    files: [name, { path: 'b.v' }],
    statements: [{ file: name, statement: 'Lemma x :\n  True.', line: 1, uses: null }],
  };
  const seen = 'a\\u{a}1 of 1 proved\\u{a}z.v';
  expect(withSeenNames(answer)).toEqual({
    file: seen,
    files: [seen, { path: 'b.v' }],
    statements: [{ file: seen, statement: 'Lemma x :\n  True.', line: 1, uses: null }],
  });
  expect(answer.file).toBe(name);
});
