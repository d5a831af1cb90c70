import { expect, it } from 'vitest';
import { isInside, staysInside } from './inside.ts';

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

it.each([
  ['', true],
  ['a/b.v', true],
  ['..a.v', true],
  ['a/../b.v', true],
  ['..', false],
  ['a/../../b.v', false],
  ['/a', false],
])('%s stays inside: %s', (way, expected) => {
  expect(staysInside(way)).toBe(expected);
});
