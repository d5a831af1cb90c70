/** Scripts that call SafeVerify read these lines, this JSON and these exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Build, openStatement, proved } from '../../../gate/lean/judge/testing/attack.ts';
import { ModuleBuilder } from '../../../gate/lean/judge/testing/module-builder.ts';
import { smallLibrary } from '../../../gate/lean/judge/testing/small-library.ts';
import { runQuod } from '../testing/run-quod.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-safe-verify-'));
  const library = smallLibrary();
  const write = (name: string, build: Build): void => {
    const module = new ModuleBuilder(['Init'], [library]);
    build(module);
    writeFileSync(join(folder, `${name}.olean`), module.bytes());
  };
  writeFileSync(join(folder, 'Init.olean'), library.bytes());
  write('target', openStatement);
  write('good', proved);
  write('sorry', openStatement);
  write('other', (m) => m.theorem('t', 'True', 'True.intro'));
  write('empty', (m) => m.definition('f', 'Nat', '0'));
  write('unsafe', (m) => m.definition('f', 'Nat', 'f', { safety: 'unsafe' }));
  write('axiom', (m) => {
    m.axiom('ax', '∀ (n : Nat), Eq.{1} Nat n n');
    m.theorem('t', '∀ (n : Nat), Eq.{1} Nat n n', 'ax');
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = (submission: string): string[] => [
  'Currently running on Lean v4.29.1',
  `Running SafeVerify on target file: target.olean and submission file: ${submission}.`,
  '------------------',
  'Replaying target.olean',
  'Finished setting up the environment.',
  'Finished replay. Found 1 declarations.',
  '------------------',
  `Replaying ${submission}`,
];

const lines = (text: string): string[] => text.trimEnd().split('\n');

it('accepts, and says so on standard output alone', async () => {
  const run = await runQuod(['safe-verify', 'target.olean', 'good.olean'], folder);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(lines(run.stdout)).toEqual([
    ...HEAD('good.olean'),
    'Finished setting up the environment.',
    'Finished replay. Found 1 declarations.',
    '------------------',
    'Finished.',
  ]);
});

describe('rejects, and says why on standard error', () => {
  it.each([
    ['other', 'Found a problem in other.olean with declaration t: theorem type mismatch'],
    ['empty', 'Found a problem in empty.olean with declaration t: declaration not found in submission'],
    ['axiom', 'Found a problem in axiom.olean with declaration t: uses disallowed axioms'],
    ['sorry', 'Found a problem in sorry.olean with declaration t: uses disallowed axioms'],
    ['unsafe', 'uncaught exception: unsafe constant f detected'],
  ])('%s', async (name, message) => {
    const run = await runQuod(['safe-verify', 'target.olean', `${name}.olean`], folder);
    expect(run.exitCode).toBe(1);
    expect(lines(run.stderr)).toContain(message);
    expect(run.stdout).not.toContain('Finished.\n');
  });

  it('with details when asked', async () => {
    const run = await runQuod(['safe-verify', '-v', 'target.olean', 'other.olean'], folder);
    expect(lines(run.stderr)).toEqual(
      expect.arrayContaining(['  Expected type: ∀ (n : Nat), Eq.{1} Nat n n', '  Got type:      True']),
    );
  });
});

it('saves outcomes as JSON, accepted or not', async () => {
  const run = await runQuod(['safe-verify', '-s', 'out.json', 'target.olean', 'axiom.olean'], folder);
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))).toEqual([
    {
      targetInfo: { constInfo: { kind: 'theorem' }, axioms: ['sorryAx'] },
      solutionInfo: { constInfo: { kind: 'theorem' }, axioms: ['ax'] },
      failureMode: 'axioms',
      name: 't',
    },
  ]);
});

it('allows the axioms that it is told to allow', async () => {
  const run = await runQuod(['safe-verify', 'target.olean', 'axiom.olean', '--allow-axiom', 'ax'], folder);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  writeFileSync(join(folder, 'axioms.txt'), '# mine\nax\n');
  const other = await runQuod(
    ['verify', 'target.olean', 'axiom.olean', '--axioms', 'axioms.txt', '--json'],
    folder,
  );
  expect(JSON.parse(other.stdout)).toMatchObject({
    verdict: 'accepted',
    statements: [{ name: 't', assumptions: ['ax'] }],
    files: [{ path: 'target.olean' }, { path: 'axiom.olean' }],
    trusted_modules: 1,
  });
});

it('a file that is no module is neither accepted nor rejected', async () => {
  writeFileSync(join(folder, 'text.olean'), 'theorem t : ∀ n : Nat, n = n := fun n => rfl');
  const run = await runQuod(['safe-verify', 'target.olean', 'text.olean'], folder);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(/text\.olean: At byte 0x0: the file does not begin/);
});

it('shows and exports constants', async () => {
  const show = await runQuod(['lean', 'show', 'good.olean', 't'], folder);
  expect(show.stderr).toBe('');
  expect(lines(show.stdout)).toEqual([
    'theorem t : ∀ (n : Nat), Eq.{1} Nat n n',
    '  := fun (n : Nat) => Eq.refl.{1} Nat n',
    '  axioms: none',
  ]);
  const exported = await runQuod(['lean', 'export', 'good.olean', '--closure', 't'], folder);
  writeFileSync(join(folder, 'closure.ndjson'), exported.stdout);
  expect(await runQuod(['lean', 'check', 'closure.ndjson'], folder)).toMatchObject({ exitCode: 0 });
});
