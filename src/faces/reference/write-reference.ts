/** `npm run reference`: writes the files that are made from the operations. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { referenceFiles } from './reference-pages.ts';

for (const [path, text] of referenceFiles(CATALOGUE)) {
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
