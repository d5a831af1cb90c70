import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CompiledUnit, CompileRequest, JudgeBackend } from './backends/judge-backend.ts';
import { ReferenceCache } from './reference-cache.ts';

let folder: string;
let libraries: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-references-test-'));
  libraries = mkdtempSync(join(tmpdir(), 'quod-libraries-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(libraries, { recursive: true });
});

/** Compiles nothing; says in what it would have. */
function backend(isolation: 'bubblewrap' | 'none', version = '8.16.1'): JudgeBackend {
  const never = () => Promise.reject(new Error('Nothing is compiled here.'));
  return {
    name: 'coqc',
    version: () => Promise.resolve(version),
    isolation: () => Promise.resolve(isolation),
    libraryPlaces: () =>
      Promise.resolve({ folders: [libraries], loadable: [libraries], suffixes: ['.vo'], variables: {} }),
    compile: never,
    unitOf: (_, bytes): Promise<CompiledUnit> =>
      Promise.resolve({
        bytes,
        installedDigest: () => Promise.resolve(undefined),
        libraryFiles: async function* () {},
        assumptions: never,
        propositions: never,
      }),
  };
}

const request = (text: string): CompileRequest => ({
  path: 'T.v',
  moduleName: 'T',
  text,
  project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
  limits: { timeoutMs: 1, memoryLimit: 1 },
});
const BYTES = new Uint8Array([1, 2, 3]);

async function keep(references: ReferenceCache, text: string): Promise<void> {
  const place = await references.placeOf(request(text));
  if (place !== undefined) await references.put(place, BYTES);
  await references.makeRoom();
}

async function found(references: ReferenceCache, text: string): Promise<CompiledUnit | undefined> {
  const place = await references.placeOf(request(text));
  return place === undefined ? undefined : references.get(request(text), place);
}

it('what was kept is found again for the same target and prover, and only then', async () => {
  const kept = new ReferenceCache(folder, backend('bubblewrap'));
  expect(await found(kept, 'a')).toBeUndefined();
  await keep(kept, 'a');
  expect(Buffer.from((await found(kept, 'a'))?.bytes ?? [])).toEqual(Buffer.from(BYTES));
  expect(await found(kept, 'b')).toBeUndefined();
  expect(await found(new ReferenceCache(folder, backend('bubblewrap', '9.0.0')), 'a')).toBeUndefined();
});

it('a file that is not whole counts as none', async () => {
  const kept = new ReferenceCache(folder, backend('bubblewrap'));
  await keep(kept, 'a');
  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length - 1] = 9;
  writeFileSync(join(folder, name), bytes);
  expect(await found(kept, 'a')).toBeUndefined();
});

it('without a sandbox nothing is kept, and nothing that was kept is used', async () => {
  await keep(new ReferenceCache(folder, backend('none')), 'a');
  expect(readdirSync(folder)).toEqual([]);
  await keep(new ReferenceCache(folder, backend('bubblewrap')), 'a');
  expect(await found(new ReferenceCache(folder, backend('none')), 'a')).toBeUndefined();
});

it('what was not used for longest goes first', async () => {
  const kept = new ReferenceCache(folder, backend('bubblewrap'), 100);
  for (const text of ['a', 'b', 'c', 'd']) await keep(kept, text);
  const left = await Promise.all(['a', 'b', 'c', 'd'].map((text) => found(kept, text)));
  expect(left.filter((unit) => unit !== undefined)).toHaveLength(2);
});

it.each([
  ['added', () => writeFileSync(join(libraries, 'sub', 'Other.vo'), 'new')],
  ['removed', () => rmSync(join(libraries, 'sub', 'Lib.vo'))],
  ['written again', () => writeFileSync(join(libraries, 'sub', 'Lib.vo'), 'one')],
])('what was kept is not used when a library was %s', async (_, change) => {
  mkdirSync(join(libraries, 'sub'));
  writeFileSync(join(libraries, 'sub', 'Lib.vo'), 'one');
  const kept = new ReferenceCache(folder, backend('bubblewrap'));
  await keep(kept, 'a');
  writeFileSync(join(libraries, 'sub', 'Lib.v'), 'no compiled file');
  expect(await found(kept, 'a')).toBeDefined();
  await setTimeout(5);
  change();
  expect(await found(kept, 'a')).toBeUndefined();
});

it.each([
  ['Load loaded.', 'loaded.v'],
  ['Load "d.d/loaded".', 'd.d/loaded.v'],
  ['Elpi Accumulate File "loaded.elpi" From L.', 'loaded.elpi'],
  ['Load naming.', 'loaded.v'],
  ['Some Command "loaded-2".', 'loaded-2'],
])('%s: what was kept is not used when %s has changed', async (text, file) => {
  mkdirSync(join(libraries, 'd.d'));
  writeFileSync(join(libraries, 'naming.v'), 'Load loaded.');
  writeFileSync(join(libraries, file), 'one');
  writeFileSync(join(libraries, 'Unnamed.v'), 'one');
  const kept = new ReferenceCache(folder, backend('bubblewrap'));
  await keep(kept, text);
  await setTimeout(5);
  writeFileSync(join(libraries, 'Unnamed.v'), 'another');
  expect(await found(kept, text)).toBeDefined();
  writeFileSync(join(libraries, file), 'another');
  expect(await found(kept, text)).toBeUndefined();
});

it('what was kept is not used when a file of a name that the text has was added', async () => {
  const kept = new ReferenceCache(folder, backend('bubblewrap'));
  await keep(kept, 'Load loaded.');
  writeFileSync(join(libraries, 'loaded.v'), '');
  expect(await found(kept, 'Load loaded.')).toBeUndefined();
});
