import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CompiledUnit, CompileRequest, JudgeBackend } from './provers/judge-backend.ts';
import { KeptReferences } from './kept-references.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-references-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Compiles nothing; says in what it would have. */
function backend(isolation: 'bubblewrap' | 'none', version = '8.16.1'): JudgeBackend {
  const never = () => Promise.reject(new Error('Nothing is compiled here.'));
  return {
    name: 'coqc',
    version: () => Promise.resolve(version),
    isolation: () => Promise.resolve(isolation),
    compile: never,
    unitOf: (_, bytes): Promise<CompiledUnit> =>
      Promise.resolve({
        bytes,
        installedLibrary: () => Promise.resolve(undefined),
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

it('what was kept is found again for the same target and prover, and only then', async () => {
  const kept = new KeptReferences(folder, backend('bubblewrap'));
  expect(await kept.get(request('a'))).toBeUndefined();
  await kept.put(request('a'), BYTES);
  expect(Buffer.from((await kept.get(request('a')))?.bytes ?? [])).toEqual(Buffer.from(BYTES));
  expect(await kept.get(request('b'))).toBeUndefined();
  expect(await new KeptReferences(folder, backend('bubblewrap', '9.0.0')).get(request('a'))).toBeUndefined();
});

it('a file that is not whole counts as none', async () => {
  const kept = new KeptReferences(folder, backend('bubblewrap'));
  await kept.put(request('a'), BYTES);
  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length - 1] = 9;
  writeFileSync(join(folder, name), bytes);
  expect(await kept.get(request('a'))).toBeUndefined();
});

it('without a sandbox nothing is kept, and nothing that was kept is used', async () => {
  await new KeptReferences(folder, backend('none')).put(request('a'), BYTES);
  expect(readdirSync(folder)).toEqual([]);
  await new KeptReferences(folder, backend('bubblewrap')).put(request('a'), BYTES);
  expect(await new KeptReferences(folder, backend('none')).get(request('a'))).toBeUndefined();
});

it('what was not used for longest goes first', async () => {
  const kept = new KeptReferences(folder, backend('bubblewrap'), 100);
  for (const text of ['a', 'b', 'c', 'd']) await kept.put(request(text), BYTES);
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((text) => kept.get(request(text))));
  expect(found.filter((unit) => unit !== undefined)).toHaveLength(2);
});
