/** `npm run reference`: writes the files that are made from the operations and the commands. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { commandEntries } from '../cli/man-and-completions/command-tree.ts';
import { manPage } from '../cli/man-and-completions/man-page.ts';
import { wholeProgram } from '../cli/whole-program.ts';
import { referenceFiles } from './reference-pages.ts';

const made = [
  ...referenceFiles(CATALOGUE),
  ['man/quod.1', manPage(commandEntries(wholeProgram()), readPackageVersion())] as const,
];
for (const [path, text] of made) {
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
