import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Prover } from '../../core/prover.ts';
import { createCoqidetop, findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { createEmbeddedRocq, findEmbeddedRocq } from '../../provers/rocq/embedded/adapter.ts';
import { verify } from '../verify.ts';
import type { Verdict } from '../verdict.ts';
import { SessionJudge } from './session-judge.ts';

const PROJECT = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const STATEMENTS = `Axiom zero_right : forall n, n + 0 = n.
Lemma plus_zero : forall n, n + 0 = n.
Proof.
Admitted.
`;

function judges(open: () => Promise<Prover>): void {
  it('names what a proof rests on, refuses one that fails, and says nothing of what is more than a proof', async () => {
    const backend = new SessionJudge(await open());
    const judge = (text: string): Promise<Verdict> =>
      verify(
        { path: 'Target.v', text: STATEMENTS },
        { path: 'Submission.v', text },
        { project: PROJECT, backend },
      );
    const withProof = (proof: string): string => STATEMENTS.replace('Proof.\nAdmitted.', proof);

    expect(await judge(withProof('Proof. induction n; simpl; congruence. Qed.'))).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 'plus_zero', assumptions: [], openStatements: [] }],
      restsOn: { backend: backend.name, pinnedBy: ['text'] },
    });
    expect(await judge(withProof('Proof. exact zero_right. Qed.'))).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: ['zero_right'] }],
    });
    expect(await judge(withProof('Proof.\n  reflexivity. Qed.'))).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'does-not-compile', position: { line: 4, column: 2 }, subject: 'plus_zero' }],
    });
    expect(await judge(`Set Printing All.\n${withProof('Proof. exact zero_right. Qed.')}`)).toMatchObject({
      kind: 'unknown',
      reason: 'unsupported',
    });
  });

  it('looks at each of several statements, whatever notations the target has', async () => {
    const backend = new SessionJudge(await open());
    const target = `Notation "( x , y )" := x (at level 0).
Axiom zero_right : forall n, n + 0 = n.
Lemma one : True.
Admitted.
Lemma two : forall n, n + 0 = n.
Admitted.
`;
    const submission = (two: string): string =>
      target
        .replace('Lemma one : True.\nAdmitted.', 'Lemma one : True.\nProof. exact I. Qed.')
        .replace(/Admitted\.\n$/u, `Proof. ${two} Qed.\n`);
    const judge = (text: string): Promise<Verdict> =>
      verify(
        { path: 'Target.v', text: target },
        { path: 'Submission.v', text },
        { project: PROJECT, backend },
      );
    expect(await judge(submission('exact zero_right.'))).toMatchObject({
      kind: 'accepted',
      statements: [
        { name: 'one', assumptions: [] },
        { name: 'two', assumptions: ['zero_right'] },
      ],
    });
    expect(await judge(submission('induction n; simpl; congruence.'))).toMatchObject({
      kind: 'accepted',
      statements: [
        { name: 'one', assumptions: [] },
        { name: 'two', assumptions: [] },
      ],
    });
  });
}

describe('a session of coqidetop', () => {
  if (findCoqidetop() === undefined) it.skip('needs coqidetop, which is not on this machine', () => {});
  else judges(() => createCoqidetop());
});

describe('a session of the embedded Rocq', () => {
  if (!findEmbeddedRocq()) it.skip('needs the optional package jscoq', () => {});
  else judges(() => createEmbeddedRocq({ cache: join(tmpdir(), 'quod-test-cache') }));
});
