/** What starts `quod` can be read by a Node that is too old for the rest, says so, and how to get another. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../../bin/quod.mjs', import.meta.url));

test('the file that starts quod is ES2020 and names no export of a built-in module', () => {
  const found = new Linter().verify(readFileSync(bin, 'utf8'), [
    {
      languageOptions: { ecmaVersion: 2020, sourceType: 'module' },
      rules: { 'no-restricted-syntax': ['error', 'ImportSpecifier'] },
    },
  ]);
  expect(found).toEqual([]);
});

const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((program) => /^v(?:1\d|20|21)\./.test(versionOf(program)));

/** Skipped where every Node is new enough: then only the test above says what an old one would read. */
test.skipIf(oldNode === undefined)(
  'an old Node says which one is needed, and a command that brings it',
  () => {
    const run = spawnSync(String(oldNode), [bin, '--version'], { encoding: 'utf8' });
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toMatch(/^quod needs Node 22\.12 or newer; this is Node [\d.]+\.\n/);
    expect(run.stderr).toContain(`\nnpx --yes node@24 ${bin} …\n`);
  },
);

function versionOf(program: string): string {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
