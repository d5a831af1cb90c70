import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installedPage } from './installed-package.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(SOURCES, file), 'utf8') }));

test('every page that a message names comes with the package', () => {
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(/installedPage\('([^']+)'\)/gu)].map((match) => String(match[1])),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((page) => !existsSync(installedPage(page)))).toEqual([]);
});

test('no message names a page as if it were in the folder of who reads it', () => {
  // What makes the pages names them by where they are written; the gate's messages are recorded in verdicts.
  const messages = sources.filter(({ file }) => !/^(?:gate|faces\/reference)\b/u.test(file));
  const naming = messages.filter(({ text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '');
    return /docs\/[a-z]+\/[a-z-]+\.md/u.test(code);
  });
  expect(naming.map(({ file }) => file)).toEqual([]);
});
