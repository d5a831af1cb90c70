import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmbeddedRocq, findEmbeddedRocq } from '../../../provers/rocq/embedded/adapter.ts';
import { findJscoq, shippedLibraries } from '../../../provers/rocq/embedded/installation.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
import type { Verdict } from '../../verdict.ts';
import { verify } from '../../verify.ts';
import { EmbeddedJudge } from './embedded-judge.ts';
import { readCompiledFile } from '../compiled/compiled-file.ts';
import { declaresMachineValues, MACHINE_LIBRARIES } from './machine-values.ts';

const PROJECT = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const STATEMENTS = `Axiom zero_right : forall n, n + 0 = n.
Section S. Variable A : Type. Variable a : A.
Lemma same : forall x : A, x = a -> a = x.
Proof.
Admitted.
End S.
Definition value : nat. Proof. exact 2. Qed.
Lemma plus_zero : forall n, n + 0 = n.
Proof.
Admitted.
`;
const PROVED = STATEMENTS.replace(
  'a = x.\nProof.\nAdmitted.',
  'a = x.\nProof. intros x e. now rewrite e. Qed.',
);
const BY_INDUCTION = 'Proof. induction n; simpl; congruence. Qed.';

function judge(target: string, text: string): Promise<Verdict> {
  return verify(
    { path: 'Target.v', text: target },
    { path: 'Submission.v', text },
    { project: PROJECT, backend: new EmbeddedJudge() },
  );
}

const withProof = (proof: string): string => PROVED.replace('Proof.\nAdmitted.', proof);

describe.skipIf(!findEmbeddedRocq())('a submission that the embedded Rocq compiles', () => {
  it('is compared with the target in the kernel’s terms', async () => {
    expect(await judge(STATEMENTS, `Set Printing All.\n${withProof(BY_INDUCTION)}`)).toMatchObject({
      kind: 'accepted',
      statements: [
        { name: 'same', assumptions: [], openStatements: [] },
        { name: 'plus_zero', assumptions: [], openStatements: [] },
      ],
      restsOn: { backend: 'embedded', pinnedBy: ['compiled-objects'], warnings: [{ kind: 'not-rechecked' }] },
    });
    const shadowed = `Time Definition nat := bool.\n${withProof(BY_INDUCTION)}`;
    expect((await judge(STATEMENTS, shadowed)).kind).toBe('rejected');
    const remade = withProof(BY_INDUCTION).replace('exact 2. Qed', 'exact 3. Qed');
    expect(await judge(STATEMENTS, remade)).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'definition-changed', subject: 'value' }],
    });
  });

  it('is looked at with the files of its project, which have no compiled file on the disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-embedded-judge-'));
    try {
      writeFileSync(join(folder, '_CoqProject'), '-Q . P\n');
      writeFileSync(join(folder, 'Base.v'), 'Lemma open : 0 = 1.\nAdmitted.\nAxiom taken : 1 = 2.\n');
      const target =
        'From P Require Import Base.\nDefinition own := 1 = 2.\nTheorem t : 0 = 1 /\\ P.T.own.\nAdmitted.\n';
      const proof = 'Proof. exact (conj open taken). Qed.';
      const verdict = await verify(
        { path: join(folder, 'T.v'), text: target },
        { path: join(folder, 'S.v'), text: target.replace('Admitted.', proof) },
        { project: await findRocqProject(join(folder, 'T.v')), backend: new EmbeddedJudge() },
      );
      expect(verdict).toMatchObject({
        kind: 'accepted',
        statements: [{ name: 't', assumptions: ['P.Base.taken'], openStatements: ['P.Base.open'] }],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is told what it rests on, and where it fails', async () => {
    expect(await judge(STATEMENTS, withProof('Proof. exact zero_right. Qed.'))).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 'same' }, { name: 'plus_zero', assumptions: ['zero_right'] }],
    });
    expect(await judge(STATEMENTS, withProof('Proof.\n  reflexivity. Qed.'))).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'does-not-compile', position: { line: 9, column: 2 }, subject: 'plus_zero' }],
    });
  });

  it('is not judged when checks were off, or when its sentences can be cut otherwise', async () => {
    const target = 'Unset Guard Checking.\nSet Guard Checking.\nTheorem t : True.\nAdmitted.\n';
    const submission = target.replace('Admitted.', 'Proof. exact I. Qed.');
    expect(await judge(target, submission)).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    const notation = 'Notation "a .( b" := (a + b) (at level 50).\n';
    const statement = 'Theorem t : 1 .( 1 = 2.\n';
    const hidden = `${notation}${statement}Proof. exact (eq_refl (1.(* 1) = 2). Qed. *)\n1)). Qed.\n`;
    expect((await judge(`${notation}${statement}Admitted.\n`, hidden)).kind).not.toBe('accepted');
  });

  it.each([
    ['floats', '(0 / 0 =? 0 / 0)%float = true'],
    ['numbers', 'forall x : int, x = x'],
  ])('is not judged when it rests on the machine’s %s', async (_, statement) => {
    const target = `Require Import Floats Uint63.\nTheorem t : ${statement}.\nProof.\nAdmitted.\n`;
    expect(
      await judge(target, target.replace('Proof.\nAdmitted.', 'Proof. reflexivity. Qed.')),
    ).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  });

  it('finds in its own libraries those that declare machine values, and no others', async () => {
    const rocq = await createEmbeddedRocq();
    const installed = findJscoq();
    if (installed === undefined) throw new Error('There is no embedded Rocq.');
    const declaring = [...shippedLibraries(installed.root).keys()]
      .filter((file) => file.endsWith('.vo'))
      .map((file) => file.slice(0, -'.vo'.length).replaceAll('/', '.'))
      .filter((name) => declaresMachineValues(readCompiledFile(rocq.libraryFile(name) ?? new Uint8Array())));
    expect(declaring.sort()).toEqual([...MACHINE_LIBRARIES].sort());
  }, 120_000);
});
