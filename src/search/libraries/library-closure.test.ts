import { expect, it } from 'vitest';
import { reachableSources } from './library-closure.ts';

const entry = (
  library: string,
  ...requires: string[]
): { header: { library: string; file: string; requires: { modules: string[] }[] } } => ({
  header: { library, file: `${library}.v`, requires: [{ modules: requires }] },
});

it('follows requires through indexed libraries, nearest first, and nothing else', () => {
  const base = entry('lib.base');
  const list = entry('lib.list', 'base');
  const other = entry('other.list');
  const later = entry('lib.later', 'lib.list');
  const entries = [base, list, other, later];
  expect(reachableSources([{ from: 'lib', modules: ['list'] }], entries)).toEqual([list, base]);
  expect(reachableSources([{ modules: ['later'] }], entries, ['lib'])).toEqual([later, list, base]);
  expect(reachableSources([{ modules: ['list'] }], entries)).toEqual([]);
  expect(reachableSources([{ from: 'li', modules: ['list'] }], entries)).toEqual([]);
});
