import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ModuleBuilder } from '../judge/testing/module-builder.ts';
import { TermStore } from '../term-store.ts';
import { ImportGraph } from './import-graph.ts';
import { CompiledModule } from './module.ts';
import { findModule, searchRoots } from './search-path.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-roots-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const store = new TermStore();
const { names } = store;

function write(path: string, imports: readonly string[] = [], constants: readonly string[] = []): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  const module = new ModuleBuilder(imports);
  for (const name of constants) module.definition(name, 'Prop', 'Prop');
  writeFileSync(full, module.bytes());
  return full;
}

function graphOf(path: string, environment: NodeJS.ProcessEnv = {}): ImportGraph {
  const open = (file: string): CompiledModule => CompiledModule.open(file, store);
  return new ImportGraph(open(path), searchRoots(path, { environment }), open);
}

it('finds modules in the project, its packages, the toolchain, and beside the file, in this order', () => {
  const main = write('project/.lake/build/lib/lean/Main.olean', ['Own', 'Pack.Age', 'Init', 'Old', 'Twice']);
  write('project/.lake/build/lib/lean/Own.olean');
  write('project/.lake/packages/pack/.lake/build/lib/lean/Pack/Age.olean');
  write('project/.lake/packages/old/.lake/build/lib/Old.olean');
  write('project/.lake/packages/old/.lake/build/lib/Twice.olean');
  const first = write('project/.lake/build/lib/Twice.olean');
  write('elan/toolchains/leanprover--lean4---v4.29.1/lib/lean/Init.olean');
  write('elan/toolchains/leanprover--lean4---v4.28.0/lib/lean/Init.olean');
  writeFileSync(join(folder, 'project', 'lean-toolchain'), 'leanprover/lean4:v4.29.1\n');
  const graph = graphOf(main, { ELAN_HOME: join(folder, 'elan') });
  const found = new Map(graph.closure().map(({ name, path, root }) => [name.toString(), { path, root }]));
  expect([...found].map(([name, { root }]) => [name, root.origin])).toEqual([
    ['Own', 'project'],
    ['Pack.Age', 'package'],
    ['Init', 'toolchain'],
    ['Old', 'package'],
    ['Twice', 'project'],
  ]);
  expect(found.get('Init')?.path).toContain('v4.29.1');
  expect(found.get('Twice')?.path).toBe(first);
});

it('LEAN_PATH comes before the project; packages in it count as packages', () => {
  const main = write('project/Main.olean', ['A']);
  write('project/A.olean');
  const other = write('elsewhere/.lake/packages/a/.lake/build/lib/A.olean');
  const [module] = graphOf(main, { LEAN_PATH: dirname(other) }).closure();
  expect(module).toMatchObject({ path: other, root: { origin: 'package' } });
});

it('names all missing modules, also those that others import', () => {
  const main = write('Main.olean', ['A', 'Gone.First']);
  write('A.olean', ['Gone.Second']);
  expect(() => graphOf(main).closure()).toThrow(
    /modules Gone\.First, Gone\.Second were not found in .*quod-roots/,
  );
});

it('a name does not lead out of a root', () => {
  write('secret.olean');
  const roots = searchRoots(write('root/Main.olean'), { environment: {} });
  for (const component of ['../secret', '..', 'a/../../secret', '', '/etc/passwd']) {
    expect(findModule(roots, names.of(component)), component).toBeUndefined();
  }
  expect(findModule(roots, names.of('..', 'secret'))).toBeUndefined();
  expect(findModule(roots, names.of(1n))).toBeUndefined();
  expect(findModule(roots, names.of('Main'))?.path).toBe(join(folder, 'root', 'Main.olean'));
});

it('opens no more modules than looking a name up needs', () => {
  const main = write('Main.olean', ['M0']);
  for (let number = 0; number < 20; number++) {
    write(`M${number}.olean`, number < 19 ? [`M${number + 1}`] : [], [`c${number}`]);
  }
  const graph = graphOf(main);
  expect(graph.moduleOf(names.of('c3'))?.name.toString()).toBe('M3');
  expect(graph.openedCount).toBe(4);
  expect(graph.find(names.of('nothing'))).toBeUndefined();
  expect(graph.openedCount).toBe(20);
});
