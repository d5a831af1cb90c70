/** Which files operations take: none that Quod keeps for itself, and of a prover's operations only that prover's. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sha256 } from '../core/sha256.ts';
import { findExecutable } from '../process/executable.ts';
import { openCaller, type Caller } from './testing/caller.ts';

const SECRET = 'first line of a secret';
const text = `${SECRET}\nand more\n`;
let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'notes.txt': text });
  await mkdir(join(caller.folder, '.quod', 'verdicts'), { recursive: true });
  for (const name of ['key.pem', 'A.v', 'A.fst', 'AScript.sml', 'A.lean'])
    await writeFile(join(caller.folder, '.quod', 'verdicts', name), text);
  await symlink('notes.txt', join(caller.folder, 'Linked.v'));
});
afterAll(() => caller.close());

/** A call that names one file. */
type Naming = readonly [operation: string, input: (file: string) => Record<string, unknown>];

const OF_ROCQ: readonly Naming[] = [
  ['rocq_fill', (file) => ({ file, theorem: 'a', proof: 'easy.', unjudged: true })],
  ['rocq_open', (file) => ({ file, theorem: 'a' })],
  ['rocq_outline', (file) => ({ file })],
  ['rocq_compile', (file) => ({ file })],
  ['rocq_theorem', (file) => ({ file, theorem: 'a' })],
  ['proof_search', (file) => ({ file })],
];
const OF_OTHERS: readonly Naming[] = [
  ['fstar_audit', (file) => ({ file_path: file })],
  ['lean_show', (file) => ({ file })],
  ['lean_check', (file) => ({ file })],
  ['proof_check', (file) => ({ file })],
  ['gate_verify', (file) => ({ target: file, submission: file })],
  ['gate_submit', (file) => ({ target: file, submission: file })],
  ['gate_report', (file) => ({ file, key: file })],
];

describe('operations', () => {
  it.each([...OF_ROCQ, ...OF_OTHERS])('%s opens nothing that Quod keeps for itself', async (name, input) => {
    for (const own of ['key.pem', 'A.v', 'A.fst', 'AScript.sml', 'A.lean']) {
      const failure = await caller.failure(name, input(`.quod/verdicts/${own}`));
      expect(failure.text).not.toContain(SECRET);
      expect(failure.text).not.toContain(sha256(Buffer.from(text)));
      expect(failure.text, own).toMatch(/keeps for itself/);
    }
  });

  it.each(OF_ROCQ)('%s takes no file that no Rocq reads', async (name, input) => {
    for (const file of ['notes.txt', 'Linked.v']) {
      const failure = await caller.failure(name, input(file));
      expect(failure).toMatchObject({ reason: 'invalid-input' });
      expect(failure.text).toMatch(/not one of Rocq.*ends in `\.v`/s);
    }
    expect(await readFile(join(caller.folder, 'notes.txt'), 'utf8')).toBe(text);
  });

  it.each([...OF_ROCQ, ['fstar_audit', (file: string) => ({ file_path: file })] as const])(
    '%s takes no folder, and names its own files in it',
    async (name, input) => {
      const folder = join(caller.folder, 'inside');
      await mkdir(folder, { recursive: true });
      for (const one of ['A.v', 'B.fst', 'C.lean']) await writeFile(join(folder, one), text);
      const failure = await caller.failure(name, input('inside'));
      expect(failure).toMatchObject({ reason: 'file-unreadable' });
      const own = name.startsWith('rocq') || name.startsWith('proof') ? 'inside/A.v' : 'inside/B.fst';
      expect(failure.text).toMatch(/This is a folder, where a file is asked for\./u);
      expect(failure.text).toContain(`Name a file in it: \`${own}\``);
    },
  );

  it('proof_check of a folder names what checks all files of it', async () => {
    await mkdir(join(caller.folder, 'all'), { recursive: true });
    await writeFile(join(caller.folder, 'all', 'A.v'), text);
    const failure = await caller.failure('proof_check', { file: 'all' });
    expect(failure).toMatchObject({ reason: 'file-unreadable' });
    expect(failure.text).toContain(
      'Name a file in it: `all/A.v`. `proof_status` with `check` checks all files in a folder and below it.',
    );
  });

  it.each(OF_OTHERS)('%s quotes nothing of a file that it does not know', async (name, input) => {
    const answer = await caller.call(name, input('notes.txt')).then(JSON.stringify, String);
    expect(answer).not.toContain(SECRET);
  });
});

it.skipIf(findExecutable(['coqc']) === undefined)('a file that is named twice counts once', async () => {
  const twice = await openCaller({
    'A.v': 'Lemma a : True.\nProof. exact I. Qed.\n',
    _CoqProject: '-Q . P\n',
  });
  onTestFinished(() => twice.close());
  vi.stubEnv('QUOD_CACHE', join(twice.folder, 'cache'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  await symlink('A.v', join(twice.folder, 'Linked.v'));
  const paths = ['A.v', './A.v', join(twice.folder, 'A.v'), 'Linked.v'];
  expect(await twice.call('proof_status', { paths })).toMatchObject({ files: [{ file: 'A.v' }] });
  expect(await twice.call('proof_build', { paths })).toMatchObject({ steps: [{ file: 'A.v' }] });
  expect(await twice.call('data_index', { paths })).toMatchObject({ indexed: 1, unchanged: 0, left: 0 });
  expect(await twice.call('data_mine', { paths, output: 'out' })).toMatchObject({
    sources: [{ file: 'A.v' }],
  });
});
