import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { KnownProjects } from '../../provers/rocq/build/known-projects.ts';
import { openCaller } from '../testing/caller.ts';
import { sourcesToBuild } from './build-sources.ts';

test('a project file with the name of no folder is what is told of, by build and check', async () => {
  const caller = await openCaller({ _CoqProject: '-Q theoris Shop\n' });
  await mkdir(join(caller.folder, 'theories'));
  await caller.write('theories/Base.v', 'Definition a := 1.\n');
  await caller.write('theories/Top.v', 'From Shop Require Import Base.\n');
  const why = 'says `-Q theoris Shop`, and there is no folder theoris';
  expect((await caller.failure('proof_build')).text).toContain(why);
  expect(await caller.call('proof_check', { file: 'theories/Top.v' })).toMatchObject({
    errors: [{ reason: 'library-missing', message: expect.stringContaining(why) as unknown }],
  });
  await caller.close();
});

test('where the only line that could bind the sources is misspelt, that is what is told of', async () => {
  const caller = await openCaller({ _CoqProject: '-arg -noinit\n-Qq theories Shop\n' });
  await mkdir(join(caller.folder, 'theories'));
  await caller.write('theories/Base.v', 'Definition a := 1.\n');
  for (const path of ['.', 'theories/Base.v']) {
    const { reason, text } = await caller.failure('proof_build', { paths: [path] });
    expect(reason).toBe('not-found');
    expect(text).toMatch(/_CoqProject:2:0: .* passed over: `-Qq theories Shop`\. Did you mean -Q\?/u);
    expect(text).not.toContain('Write a _CoqProject');
  }
  await caller.write('_CoqProject', '-arg -noinit\n');
  expect((await caller.failure('proof_build')).text).toContain('Write a _CoqProject');
  await caller.close();
});

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined)(
  'what is named twice, by itself and in a folder, is built and told once (skipped without Rocq)',
  async () => {
    const caller = await openCaller({ _CoqProject: '-Q . Shop\n', 'Top.v': 'From Shop Require sub.Low.\n' });
    await mkdir(join(caller.folder, 'sub'));
    await caller.write('sub/Low.v', 'Definition a := 1.\n');
    const { steps } = await caller.call('proof_build', { paths: ['Top.v', '.', 'sub', 'Top.v'] });
    await caller.close();
    const done = (steps as { kind: string; library?: string }[]).filter(({ kind }) => kind !== 'started');
    expect(done.map(({ library }) => library)).toEqual(['Shop.sub.Low', 'Shop.Top']);
    expect(caller.progress.map(({ total }) => total)).not.toContain(4);
    expect(caller.progress.map(({ total }) => total)).toContain(2);
  },
);

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined)(
  'a folder of which no project file says anything is built by the project that binds it, and once (skipped without Rocq)',
  async () => {
    const caller = await openCaller({ 'plain.v': 'Definition p := 1.\n' });
    for (const name of ['lib', 'ex']) await mkdir(join(caller.folder, name));
    await caller.write('lib/A.v', 'Definition a := 1.\n');
    await caller.write('ex/_CoqProject', '-R ../lib Lib\n-R . Ex\n');
    await caller.write('ex/B.v', 'Require Import Lib.A.\nDefinition b := a.\n');
    const built = async (): Promise<Record<string, string>> => {
      const { steps } = await caller.call('proof_build');
      const each = steps as { kind: string; library: string }[];
      return Object.fromEntries(each.map(({ kind, library }) => [library, kind]));
    };
    expect(await built()).toEqual({ plain: 'compiled', 'Lib.A': 'compiled', 'Ex.B': 'compiled' });
    expect(await built()).toEqual({ plain: 'fresh', 'Lib.A': 'fresh', 'Ex.B': 'fresh' });
    await caller.close();
  },
);

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined).each([
  ['_CoqProject', '-Q . Sub\n'],
  ['Makefile.coq.conf', 'COQMF_COQLIBS = -Q . Sub\n'],
])(
  'what a nearer %s names otherwise is left as that project compiles it (skipped without Rocq)',
  async (file, says) => {
    const caller = await openCaller({ _CoqProject: '-Q . Top\n', 'M.v': 'Require Import Top.sub.L.\n' });
    await mkdir(join(caller.folder, 'sub'));
    await caller.write(`sub/${file}`, says);
    await caller.write('sub/L.v', 'Definition l := 1.\n');
    for (const whole of [true, false]) {
      const built = await caller.call('proof_build', whole ? {} : { paths: ['M.v'] });
      const text = JSON.stringify(built);
      expect(built).toMatchObject({ complete: false });
      expect(text).toMatch(/where it is Sub\.L: as Top\.sub\.L it cannot be compiled in the same place/u);
      const glob = await readFile(join(caller.folder, 'sub/L.glob'), 'utf8');
      expect(glob).toMatch(/^FSub\.L$/mu);
    }
    await caller.write('_CoqProject', '-Q . Top\n-Q sub Sub\n');
    await caller.write('M.v', 'Require Import Sub.L.\n');
    expect(await caller.call('proof_build')).toMatchObject({ complete: true });
    await caller.close();
  },
);

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined).each([
  {
    how: 'beside',
    ...{ inner: 'lib/_CoqProject', itsNames: '-R . Lib', outer: 'ex/_CoqProject' },
    ...{ names: '-R ../lib Lib\n-R . Ex', library: 'Lib.A', asked: 'ex/B.v' },
  },
  {
    how: 'around',
    ...{ inner: 'lib/_CoqProject', itsNames: '-Q . Top.lib', outer: '_CoqProject' },
    ...{ names: '-Q . Top', library: 'Top.lib.A', asked: 'B.v' },
  },
])(
  'what another project compiles is taken as it is by one $how (skipped without Rocq)',
  async ({ inner, itsNames, outer, names, library, asked }) => {
    const caller = await openCaller({ 'plain.txt': '' });
    for (const name of ['lib', 'ex']) await mkdir(join(caller.folder, name));
    await caller.write(inner, `${itsNames}\n-arg -w -arg -all\n`);
    await caller.write('lib/A.v', 'Definition a := 1.\n');
    await caller.write(outer, `${names}\n`);
    await caller.write(asked, `Require Import ${library}.\nDefinition b := a.\n`);
    const built = async (paths?: readonly string[]): Promise<readonly string[]> => {
      const { steps } = await caller.call('proof_build', paths === undefined ? {} : { paths });
      const each = steps as { kind: string; library: string }[];
      return each.map((step) => `${step.kind} ${step.library.split('.').at(-1) ?? ''}`);
    };
    expect(await built()).toEqual(['compiled A', 'compiled B']);
    expect(await built()).toEqual(['fresh A', 'fresh B']);
    expect(await built([asked])).toEqual(['fresh A', 'fresh B']);
    expect(caller.progress.map(({ total }) => total)).not.toContain(3);
    await caller.write('lib/A.v', 'Definition a := 2.\n');
    expect(await built([asked])).toEqual(['compiled A', 'compiled B']);
    await caller.write('lib/A.v', 'Definition a := nonsense.\n');
    expect(await built()).toEqual(['failed A', 'left-out B']);
    await caller.close();
  },
);

test('of two theories in one file of dune each is built, and its state told', async () => {
  const says = '(subdir a (coq.theory (name A)))\n(subdir b (coq.theory (name B)))\n';
  const caller = await openCaller({ 'dune-project': '(lang dune 2.9)\n(using coq 0.3)\n', dune: says });
  for (const [folder, file] of [
    ['a', 'a/X.v'],
    ['b', 'b/Y.v'],
  ] as const) {
    await mkdir(join(caller.folder, folder));
    await caller.write(file, 'Definition d := 1.\n');
  }
  const { wanted } = await sourcesToBuild('.', caller.folder, new KnownProjects());
  expect(wanted.map(({ sources }) => sources.map(({ library }) => library))).toEqual([['A.X'], ['B.Y']]);
  const { files } = await caller.call('proof_status');
  expect(files).toMatchObject([
    { file: 'a/X.v', compiled: 'no' },
    { file: 'b/Y.v', compiled: 'no' },
  ]);
  await caller.close();
});

test.skipIf(findExecutable(['dune']) === undefined)(
  'of dune: what every theory stops at is told once (skipped without dune)',
  async () => {
    const caller = await openCaller({ 'dune-project': '(lang dune 99.0)\n' });
    for (const theory of ['X', 'Y']) {
      await mkdir(join(caller.folder, theory));
      await caller.write(join(theory, 'dune'), `(coq.theory (name ${theory}))\n`);
      await caller.write(join(theory, 'a.v'), 'Definition a := 1.\n');
    }
    const { steps } = await caller.call('proof_build');
    const failed = (steps as { kind: string }[]).filter(({ kind }) => kind === 'failed');
    expect(failed).toMatchObject([{ file: '.', reason: 'does-not-compile' }]);
    await caller.close();
  },
);

test.skipIf(findExecutable(['dune']) === undefined)(
  'of dune: a dot that may be missing, and a file that no theory takes in, with its command told once (skipped without dune)',
  async () => {
    const caller = await openCaller({ 'dune-project': '(lang dune 2.8)\n(using coq 0.3)\n' });
    await mkdir(join(caller.folder, 'th', 'below'), { recursive: true });
    await caller.write('th/dune', '(coq.theory (name Th))\n');
    await caller.write('th/A.v', 'Definition a := 1\nDefinition b := 2.\n');
    await caller.write('th/below/B.v', 'Definition a := 1.\n');
    const stepOf = async (path: string) => {
      const { steps } = await caller.call('proof_build', { paths: [path] });
      return (steps as { kind: string }[]).find(({ kind }) => kind === 'failed');
    };
    expect(await stepOf('th/A.v')).toMatchObject({
      ...{ file: 'th/A.v', line: 2, column: 0 },
      message: expect.stringMatching(/\n\s*Is a dot missing before `Definition`, at 2:0\?/u) as unknown,
    });
    expect(await stepOf('th/below/B.v')).toMatchObject({
      file: 'th/below/B.v',
      message: expect.stringContaining('No theory of dune takes this file in.') as unknown,
    });
    expect(caller.progress.filter(({ message }) => message.startsWith('dune build'))).toEqual([]);
    await caller.close();
  },
);

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined)(
  'a build says where a dot may be missing (skipped without Rocq)',
  async () => {
    const caller = await openCaller({
      _CoqProject: '-Q . P\n',
      'A.v': 'Definition a := 1\nDefinition b := 2.\n',
    });
    const { steps } = await caller.call('proof_build', { paths: ['A.v'] });
    expect(steps).toMatchObject([
      {
        kind: 'failed',
        message: expect.stringContaining('Is a dot missing before `Definition`, at 2:0?') as unknown,
      },
    ]);
    await caller.close();
  },
);
