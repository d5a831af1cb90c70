import { describe, expect, it } from 'vitest';
import { mayHoldSources } from './source-folders.ts';

describe('folders that may hold sources', () => {
  it.each(['theories', 'a.b', 'build_', 'node_modules2', 'Lists'])('%s does', (name) => {
    expect(mayHoldSources(name)).toBe(true);
  });

  it.each(['.git', '.quod', '_build', '_opam', '_old', 'node_modules'])('%s does not', (name) => {
    expect(mayHoldSources(name)).toBe(false);
  });
});
