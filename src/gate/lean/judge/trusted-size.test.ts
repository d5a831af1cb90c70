/** The promises of docs/judge/trust.md that can be counted. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const KERNEL = new URL('../kernel/', import.meta.url);
const files = readdirSync(KERNEL)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(new URL(name, KERNEL), 'utf8') }));

it('the kernel can be read in an afternoon', () => {
  const lines = files.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  expect(lines).toBeLessThan(3500);
  expect(lines).toBeGreaterThan(1000);
});

it('the kernel rests on the vocabulary and on nothing else', () => {
  const imported = files.flatMap(({ text }) => [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path));
  const outside = imported.filter((path) => path !== undefined && !path.startsWith('./'));
  expect([...new Set(outside)].sort()).toEqual([
    '../at.ts',
    '../declaration.ts',
    '../environment.ts',
    '../expression.ts',
    '../level.ts',
    '../name.ts',
    '../term-store.ts',
  ]);
});
