/** A project whose compiled files are not what the compiler loads. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RUN_REMEDIES } from '../../../core/remedies/run-remedies.ts';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import { findRocqProject, type RocqProject } from '../../../provers/rocq/project/project.ts';
import { verify } from '../../verify.ts';

const TARGET = 'From P Require Import Middle.\nTheorem t : 1 = 1.\nAdmitted.\n';
const hasTools = findExecutable(['coqc']) !== undefined && (await findSandbox()) !== undefined;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-unfinished-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function compile(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.v`), text);
  execFileSync('coqc', ['-q', '-Q', folder, 'P', join(folder, `${name}.v`)]);
}

function judge(target = TARGET, source?: string, given?: RocqProject) {
  const project = given ?? {
    ...{ root: folder, source, ocamlPath: [], arguments: [] },
    loadPath: [{ flag: '-Q' as const, physical: folder, logical: 'P' }],
  };
  return verify(
    { path: join(folder, 'T.v'), text: target },
    { path: join(folder, 'S.v'), text: target.replace('Admitted.', 'Proof. reflexivity. Qed.') },
    { project, policy: { recheck: 'never' } },
  );
}

describe.skipIf(!hasTools)('a library of statements without proofs (`coqc -vio`)', () => {
  it('that is loaded in place of the compiled file is named, with what to do', async () => {
    compile('Lib', 'Lemma l : 1 = 1. Proof using. exact (eq_refl 1). Qed.\n');
    compile('Middle', 'From P Require Export Lib.\n');
    const unfinished = join(folder, 'Lib.vio');
    writeFileSync(unfinished, 'whatever it has in it');
    const named = expect.stringMatching(
      /Lib\.vio has the statements of P\.Lib .* Delete it\. Build/u,
    ) as unknown;
    const answer = { kind: 'unknown', reason: 'library-missing', message: named };
    expect(await judge()).toMatchObject(answer);
    rmSync(join(folder, 'Lib.vo'));
    expect(await judge()).toMatchObject(answer);
    compile('Lib', 'Lemma l : 1 = 1. Proof using. exact (eq_refl 1). Qed.\n');
    compile('Middle', 'From P Require Export Lib.\n');
    expect((await judge()).kind).toBe('accepted');
  });

  it('that is older, or that nobody requires, stands in nobody’s way', async () => {
    compile('Lib', 'Definition a := 1.\n');
    compile('Middle', 'From P Require Export Lib.\n');
    for (const name of ['Lib', 'Other']) writeFileSync(join(folder, `${name}.vio`), '');
    writeFileSync(join(folder, 'Other.v'), '');
    utimesSync(join(folder, 'Lib.vio'), new Date(0), new Date(0));
    expect((await judge()).kind).toBe('accepted');
  });
});

it.skipIf(!hasTools)('a project of dune is built with dune, whatever is not compiled', async () => {
  const dune = join(folder, 'dune');
  writeFileSync(dune, '(coq.theory (name P))\n');
  writeFileSync(join(folder, 'Middle.v'), 'Definition a := 1.\n');
  const message = expect.stringContaining(RUN_REMEDIES.buildWithDune) as unknown;
  expect(await judge(TARGET, dune)).toMatchObject({ reason: 'does-not-compile', message });
  compile('Middle', 'Definition a := 1.\n');
  writeFileSync(join(folder, 'Middle.vio'), 'whatever it has in it');
  expect(await judge(TARGET, dune)).toMatchObject({ reason: 'library-missing', message });
});

it.skipIf(!hasTools)(
  'a source that was changed after it was compiled is told, also where dune compiles',
  async () => {
    const built = join(folder, '_build/default/theories');
    for (const place of [join(folder, 'theories'), built]) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'Loaded.v'), 'Definition a := 1.\n');
      writeFileSync(join(place, 'Lib.v'), 'Load "Loaded".\n');
      writeFileSync(join(place, 'Middle.v'), 'From P Require Export Lib.\n');
    }
    writeFileSync(join(folder, 'dune-project'), '(lang dune 2.9)\n(using coq 0.3)\n');
    writeFileSync(join(folder, 'theories/dune'), '(coq.theory (name P))\n');
    for (const name of ['Lib.v', 'Middle.v'])
      execFileSync('coqc', ['-q', '-R', '.', 'P', name], { cwd: built });
    const project = await findRocqProject(join(folder, 'theories/T.v'));
    const stale = async () => {
      const verdict = await judge(TARGET, undefined, project);
      if (verdict.kind !== 'accepted') return verdict;
      const warnings = verdict.restsOn.warnings ?? [];
      return warnings.filter(({ kind }) => kind === 'stale-libraries').map(({ message }) => message);
    };
    expect(await stale()).toEqual([]);
    writeFileSync(join(folder, 'theories/Middle.v'), 'From P Require Import Lib.\n');
    expect(await stale()).toEqual([expect.stringMatching(/^P\.Middle: the source/u)]);
    writeFileSync(join(folder, 'theories/Loaded.v'), 'Definition a := 2.\n');
    expect(await stale()).toEqual([
      expect.stringMatching(/^P\.(?:Lib, P\.Middle|Middle, P\.Lib): the source/u),
    ]);
  },
);
