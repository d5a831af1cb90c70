import { expect, it } from 'vitest';
import { isInside } from './inside.ts';

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c/d.v', true],
  ['/a/b', '/a/b/..c.v', true],
  ['/a/b', '/a/b/../c.v', false],
  ['/a/b', '/a', false],
  ['/a/b', '/a/bc', false],
  ['/', '/a', true],
])('%s holds %s: %s', (folder, path, expected) => {
  expect(isInside(folder, path)).toBe(expected);
});
