/** Compiled modules have the same declarations as their exports by other tools. */
import { afterAll, expect, it } from 'vitest';
import { join } from 'node:path';
import { constantsOf } from '../declaration.ts';
import { readExport } from '../export/read-export.ts';
import { CompiledModule } from '../olean/module.ts';
import { moduleBytes, unpackModules } from '../olean/testing/module-files.ts';
import { TermStore } from '../term-store.ts';
import { difference } from './same-constant.ts';

const modules = unpackModules();
afterAll(modules.remove);

it.each([
  ['AxeyumProbe', ['AxeyumProbe'], 8],
  ['Base', ['Base'], 30],
  ['Top', ['Base', 'Top'], 54],
  ['Extra', ['Extra'], 45],
])('%s', (name, files, count) => {
  const store = new TermStore();
  const opened = files.map((file) => CompiledModule.open(join(modules.folder, `${file}.olean`), store));
  const lines = new TextDecoder()
    .decode(moduleBytes(`${name}.ndjson`))
    .trimEnd()
    .split('\n');
  const exported = [...readExport(lines, store)].flatMap(constantsOf);
  expect(exported).toHaveLength(count);
  for (const constant of exported) {
    const [own] = opened.flatMap((module) => module.find(constant.name) ?? []);
    expect(own, constant.name.toString()).toBeDefined();
    if (own !== undefined) expect(difference(own, constant), constant.name.toString()).toBeUndefined();
  }
  // What is not in the export is what the compiler needs, and one private constant that nothing reaches.
  const names = new Set(exported.map((constant) => constant.name));
  const left = opened.flatMap((module) => [...module.names.keys()]).filter((one) => !names.has(one));
  expect(
    left.map(String).filter((one) => !/^lc(Any|Erased)$|_flat_ctor$|^_private\.Extra\.0\.hidden$/.test(one)),
  ).toEqual([]);
});
