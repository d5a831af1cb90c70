/** `mine` and `dataset` as a user runs them. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});
const quod = (...commandLine: string[]) => runQuod(commandLine, folder);

mkdirSync(join(folder, 'lib'));
writeFileSync(join(folder, '_CoqProject'), '-Q lib Lib\n');
writeFileSync(join(folder, 'lib', 'A.v'), 'Lemma a : True /\\ True.\nProof. split; exact I. Qed.\n');
writeFileSync(join(folder, 'lib', 'B.v'), 'Lemma b : 1 = 2.\nProof. reflexivity. Qed.\n');

test('mine and index say where in which file a proof did not run', async () => {
  // What an earlier run of this test stored is not run again.
  const settings = { QUOD_CACHE: join(folder, 'cache') };
  for (const words of [
    ['mine', 'lib/B.v', '-o', 'told'],
    ['index', 'lib/B.v'],
  ]) {
    const run = await runQuod(words, folder, settings);
    expect(run.stdout, run.stderr).toMatch(/^ {4}lib\/B\.v:2:7: .*[Uu]nable to unify/mu);
  }
});

test('mine writes each source once, and dataset reads what it wrote', async () => {
  const first = await quod('mine', 'lib', '-o', 'out', '--json');
  expect(first.exitCode).toBe(0);
  const { sources } = JSON.parse(first.stdout) as { sources: Record<string, unknown>[] };
  expect(sources).toContainEqual(
    expect.objectContaining({ kind: 'mined', library: 'Lib.A', proofs: 1, replayed: 1, errors: [] }),
  );
  expect(sources).toContainEqual(
    expect.objectContaining({ library: 'Lib.B', proofs: 1, replayed: 0, items: 0 }),
  );
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'Lib.A.jsonl',
    'Lib.A.source.json',
    'Lib.B.jsonl',
    'Lib.B.source.json',
    'dataset.json',
  ]);
  const again = await quod('mine', 'lib', '-o', 'out');
  expect(again).toMatchObject({ exitCode: 0, stdout: '' });
  expect(again.stderr).toContain('0 files mined, 2 unchanged, 0 failed');

  const stats = await quod('dataset', 'stats', 'out', '--json');
  expect(JSON.parse(stats.stdout)).toMatchObject({ sources: 2, counts: { proofs: 2, replayed: 1 } });
  expect(await quod('dataset', 'check', 'out')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await quod('dataset', 'merge', 'out', 'out', '-o', 'all')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, 'all', 'Lib.A.jsonl'))).toEqual(
    readFileSync(join(folder, 'out', 'Lib.A.jsonl')),
  );

  appendFileSync(join(folder, 'all', 'Lib.A.jsonl'), 'no item\n');
  const broken = await quod('dataset', 'check', 'all');
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toMatch(/Lib\.A\.jsonl:\d+: This line is no item/u);
});

test('what is not there, and settings that do not go together, are clear errors', async () => {
  mkdirSync(join(folder, 'empty'), { recursive: true });
  const none = await quod('mine', 'empty', '-o', 'other');
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[not-found]') as unknown });
  expect(await quod('dataset', 'stats', 'empty')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('`quod mine` makes one. [not-found]') as unknown,
  });
  await quod('mine', 'lib/A.v', '-o', 'seeded', '--seed', '3');
  expect(await quod('mine', 'lib/A.v', '-o', 'seeded')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('[invalid-input]') as unknown,
  });
});

test('an index of a data set is made once, by the model that is there', async () => {
  await quod('mine', 'lib/A.v', '-o', 'indexed');
  vi.stubEnv('QUOD_RANKER_MODEL', join(folder, 'no-model'));
  expect(await quod('dataset', 'index', 'indexed', '-o', 'index')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('There is no model') as unknown,
  });
  vi.stubEnv(
    'QUOD_RANKER_MODEL',
    fileURLToPath(new URL('../../../retrieval/testing/tiny-model', import.meta.url)),
  );
  const first = await quod('dataset', 'index', 'indexed', '-o', 'index', '--json');
  expect(first, first.stderr).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(first.stdout)).toMatchObject({ sources: [{ library: 'Lib.A', added: true }] });
  expect(first.stderr).toMatch(/^[1-9]\d* proofs in the index/mu);
  const again = await quod('dataset', 'index', 'indexed', '-o', 'index', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ sources: [{ library: 'Lib.A', added: false }] });

  writeFileSync(join(folder, 'lib', 'A.v'), 'Lemma a : True /\\ True.\nProof. now split. Qed.\n');
  await quod('mine', 'lib/A.v', '-o', 'indexed');
  expect(await quod('dataset', 'index', 'indexed', '-o', 'index')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('[invalid-input]') as unknown,
  });
});
