/** There is one place that builds the command lines of sandboxes, and one that starts git: a hole is mended for all. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));

/** The sources of the package, without the tests and what only tests use. */
function sourcesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => pattern.test(readFileSync(join(SOURCES, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/testing/'))
    .sort();
}

it('`bwrap` stands in one source file as a program, and no other file makes namespaces', () => {
  const places = sourcesWith(/['"`](?:bwrap|unshare|pivot_root)['"`]|--unshare-|--map-root-user/);
  expect(places).toEqual(['process/sandbox-backends.ts']);
});

it('git is started in one source file, which lets no folder name its programs', () => {
  expect(sourcesWith(/['"`]git['"`]/)).toEqual(['process/foreign-folder/git.ts']);
});
