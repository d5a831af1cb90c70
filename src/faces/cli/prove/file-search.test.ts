/** What is told at the end of a search, when Rocq is asked about the rest of the file and that fails or is stopped. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSourceFile } from '../../../operations/files/source-file.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { findRocq, type BackendChoice } from '../../../sessions/find-rocq.ts';
import { FileSearch } from './file-search.ts';

/** Nothing but Rocq says whether the last line admits anything. */
const FILE = `Require Import Program.
Program Definition f : {n | n > 3} := 4.
Lemma easy : 1 = 1.
Proof. Admitted.
Admit Obligations.
`;

let file: string;
const lines: string[] = [];
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'quod-file-search-')), 'a.v');
  writeFileSync(file, FILE);
  lines.length = 0;
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(join(file, '..'), { recursive: true });
});

/** A search of the file that has found what there is to find and has told nothing yet. */
async function searched(signal: AbortSignal, backend: BackendChoice): Promise<FileSearch> {
  const options = { seed: 1, style: 'terse', backend, jobs: 1, nodes: 20, write: true } as const;
  const source = await readSourceFile(file);
  const search = new FileSearch({ source, outline: outlineOf(source.text) }, options, signal, []);
  expect(await search.search(await findRocq('auto'))).toBeUndefined();
  return search;
}

test(
  'what was found is written also where Rocq cannot be asked about the rest',
  { timeout: 120_000 },
  async () => {
    const search = await searched(new AbortController().signal, 'coqidetop');
    vi.stubEnv('QUOD_COQIDETOP', '/no/coqidetop');
    expect(await search.conclude(undefined, 1)).toMatchObject({
      exitCode: 2,
      results: [{ theorem: 'easy' }],
    });
    expect(readFileSync(file, 'utf8')).toContain('Qed.');
    expect(lines.join('\n')).toMatch(/1 proof written\n.*\[prover-missing\]\n1 of 1 proved in/u);
  },
);

test('Ctrl+C while Rocq is asked about the rest ends with 130', { timeout: 120_000 }, async () => {
  const stop = new AbortController();
  const search = await searched(stop.signal, 'auto');
  const concluded = search.conclude(undefined, 1);
  await vi.waitFor(() => expect(lines.join('\n')).toContain('1 proof written'), { interval: 1 });
  stop.abort();
  expect(await concluded).toMatchObject({ exitCode: 130, results: [{ theorem: 'easy' }] });
  expect(readFileSync(file, 'utf8')).toContain('Qed.');
  expect(lines.join('\n')).toContain('(interrupted)');
});
