/**
 * How many recursive functions of the installed libraries the guard checker of Quod confirms, and which it does not:
 *
 *   npx node bench/gate/recursion.ts [--only TEXT]
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCompiledFile, type CompiledFile } from '../../src/gate/rocq/compiled/compiled-file.ts';
import { blocksIn } from '../../src/gate/rocq/compiled/ocaml-values.ts';
import { isRecursion } from '../../src/gate/rocq/recursion/kernel-terms.ts';
import { unconfirmedRecursion } from '../../src/gate/rocq/recursion/unconfirmed-recursion.ts';
import { installedLibrary } from '../../src/gate/rocq/testing/installed-rocq.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const files = new Map(
  globSync('{theories,user-contrib}/**/*.vo', { cwd: installedLibrary }).map((path) => [
    path
      .replace(/^theories/, 'Coq')
      .replace(/^user-contrib\//, '')
      .replace(/\.vo$/, '')
      .replaceAll('/', '.'),
    join(installedLibrary, path),
  ]),
);

/** What libraries were read last: all of them are more than fits. */
const read = new Map<string, CompiledFile>();
const MOST_READ = 60;

function library(name: string): CompiledFile | undefined {
  const path = files.get(name);
  const known = read.get(name) ?? (path === undefined ? undefined : readCompiledFile(readFileSync(path)));
  if (known === undefined) return undefined;
  read.delete(name);
  read.set(name, known);
  for (const oldest of read.keys()) if (read.size > MOST_READ) read.delete(oldest);
  return known;
}

let functions = 0;
let unconfirmed = 0;
for (const name of [...files.keys()].filter((one) => one.includes(values.only)).sort()) {
  const file = library(name);
  if (file === undefined) continue;
  functions += [...blocksIn(file.segment('library'), file.segment('opaques'))].filter(isRecursion).length;
  const found = await unconfirmedRecursion(file, (needed) => Promise.resolve(library(needed)));
  unconfirmed += found.length;
  const names = new Set(found.flatMap(({ names }) => (names.length === 0 ? ['(no name)'] : names)));
  if (found.length > 0) console.log(`${name}: ${found.length} (${[...names].join(', ')})`);
}
console.log(
  `${files.size} compiled files, ${functions} recursive functions (copies of functors among them), ${unconfirmed} not confirmed`,
);
