import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../core/sha256.ts';
import { OwnProofs } from './own-proofs.ts';
import { RunFile, type Dependencies } from './run-file.ts';

const FIRST = 'as it was opened';
const SECOND = 'as somebody else wrote it';

async function opened(runFiles: readonly string[] = [], own?: OwnProofs) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quod-run-file-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'B.v');
  const put = (text: string): void => writeFileSync(path, text);
  put(FIRST);
  const beside = (...names: readonly string[]): Dependencies =>
    new Map(names.map((name) => [join(folder, name), 'one']));
  const disk = { dependencies: beside('A.v') };
  const file = await RunFile.open({
    ...{ path, name: 'B.v', hash: sha256(FIRST), runFiles: runFiles.map((name) => join(folder, name)) },
    dependencies: () => Promise.resolve(disk.dependencies),
    ...(own !== undefined && { own }),
  });
  return { disk, file, folder, put, beside };
}

const compared = (clean: boolean) => ({ clean, accepted: [], unjudged: [], findings: [] });

test.each([
  ['another', [['A.v', 'two']], 'A.v'],
  ['gone', [], 'A.v'],
  [
    'one more',
    [
      ['A.v', 'one'],
      ['../C.v', 'one'],
    ],
    '../C.v',
  ],
] as const)('a dependency that is %s ends the run', async (_, now, named) => {
  const { disk, file, folder } = await opened();
  await file.requireDependencies();
  disk.dependencies = new Map(now.map(([name, digest]) => [join(folder, name), digest]));
  await expect(file.requireDependencies()).rejects.toThrow(
    `A dependency changed while the agent worked on the file: ${named}.`,
  );
});

test.each([
  ['its folder', (folder: string) => folder],
  ['a folder above', dirname],
])('%s is named where that is what changed', async (_, changed) => {
  const { disk, file, folder, beside } = await opened();
  disk.dependencies = new Map([...beside('A.v'), [changed(folder), 'two']]);
  await expect(file.requireDependencies()).rejects.toThrow(
    `A dependency changed while the agent worked on the file: ${changed(folder)}.`,
  );
});

test('what the run writes itself is no change, and what was compared is what counts from then on', async () => {
  const { disk, file, folder, put, beside } = await opened(['A.v', 'B.v']);
  disk.dependencies = new Map([[join(folder, 'A.v'), 'two']]);
  await file.requireDependencies();
  disk.dependencies = beside('C.v');
  await expect(file.requireDependencies()).rejects.toMatchObject({ reason: 'file-changed' });
  put(SECOND);
  await expect(file.read()).rejects.toMatchObject({
    message: 'The file changed while the agent worked on it.',
    remedy: expect.stringContaining('Start a new run') as string,
  });
  expect(await file.compared(({ text }) => Promise.resolve(compared(text === SECOND)))).toEqual(
    compared(true),
  );
  expect(await file.read()).toMatchObject({ text: SECOND });
});

test('where the file was put back, a proof that does not stand there is not refused for that', async () => {
  const places = { proofsIn: () => new Map<string, never>(), withProof: () => 'mine' };
  const { file, put } = await opened([], new OwnProofs(FIRST, places));
  const judged = (verdict: string) =>
    file.judged(
      () => Promise.resolve(verdict),
      (one) => one === 'accepted',
    );
  put(SECOND);
  file.wrote(sha256(SECOND));
  expect(await judged('rejected')).toBe('rejected');
  put(FIRST);
  expect(await judged('accepted')).toBe('accepted');
  await expect(judged('rejected')).rejects.toMatchObject({
    message: 'The file changed while the agent worked on it.',
    remedy: expect.stringContaining('`agent_resume`') as string,
  });
  file.wrote(sha256(FIRST));
  expect(await judged('rejected')).toBe('rejected');
});

test('a version in which more was changed than may be is not the run’s, nor is what it rests on', async () => {
  const { disk, file, put, beside } = await opened();
  put(SECOND);
  disk.dependencies = beside('C.v');
  expect(await file.compared(() => Promise.resolve(compared(false)))).toEqual(compared(false));
  await expect(file.requireDependencies()).rejects.toMatchObject({ reason: 'file-changed' });
  disk.dependencies = beside('A.v');
  await expect(file.read()).rejects.toThrow('The file changed while the agent worked on it.');
});

test('what rests on something else after the comparison than before it is not the run’s', async () => {
  const { disk, file, put, beside } = await opened();
  put(SECOND);
  const comparing = file.compared(() => {
    disk.dependencies = beside('A.v', 'C.v');
    return Promise.resolve(compared(true));
  });
  await expect(comparing).rejects.toThrow('A dependency changed while the agent worked on the file: C.v.');
  disk.dependencies = beside('A.v');
  await expect(file.read()).rejects.toThrow('The file changed while the agent worked on it.');
});

test('who finds a changed file is told to go on', async () => {
  const places = { proofsIn: () => new Map<string, never>(), withProof: () => 'mine' };
  const { file, put } = await opened([], new OwnProofs(FIRST, places));
  put('yours');
  await expect(file.read()).rejects.toMatchObject({
    remedy: expect.stringContaining('`agent_resume`') as string,
  });
});

test('a proof of somebody else is not written over', async () => {
  const places = {
    proofsIn: (text: string) => new Map([['one', { text, work: text, isOpen: false }]]),
    withProof: (_: string, __: string, { proof }: { readonly proof: string }) => proof,
  };
  const { file } = await opened([], new OwnProofs(FIRST, places));
  file.found({ theorem: 'one', proof: 'mine' });
  for (const text of [FIRST, 'mine']) file.requireOwnProof({ text }, 'one');
  expect(() => file.requireOwnProof({ text: SECOND }, 'one')).toThrow(
    'The proof of one is yours by now: it is left as it is.',
  );
});
