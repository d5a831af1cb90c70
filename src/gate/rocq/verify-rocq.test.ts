import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { verify } from '../verify.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { Verdict } from '../verdict.ts';
import { installedRelease } from './testing/installed-rocq.ts';

// The gate compiles with coqc; without it, it judges nothing.
const describeWithCoqc = describe.skipIf(findExecutable(['coqc']) === undefined);

const NO_PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

function judge(target: string, submission: string, project = NO_PROJECT): Promise<Verdict> {
  return verify({ path: 'Target.v', text: target }, { path: 'Submission.v', text: submission }, { project });
}

function kinds(verdict: Verdict): unknown {
  switch (verdict.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return verdict.findings.map(({ kind }) => kind);
    case 'unknown':
      return verdict;
  }
}

describeWithCoqc('a statement that was changed', () => {
  const statement = 'Theorem t : forall n : nat, n + 0 = n.\n';
  const said = async (submission: string): Promise<string | undefined> => {
    const verdict = await judge(`${statement}Admitted.\n`, submission);
    return verdict.kind === 'rejected' ? verdict.findings[0]?.message : undefined;
  };

  it('is shown beside the one of the target, where they are written otherwise', async () => {
    const other = 'Theorem t :  forall n : nat, (* easy *) 0 + n = n.\nProof. reflexivity. Qed.\n';
    expect(await said(other)).toBe(
      't: Its type is not the one of the target.\ntarget: Theorem t : forall n : nat, n + 0 = n.\nsubmission: Theorem t : forall n : nat, 0 + n = n.',
    );
    const shadowing = `Notation "x + y" := (Nat.sub x y) : nat_scope.\n${statement}Proof. now destruct n. Qed.\n`;
    expect(await said(shadowing)).toMatch(
      /^t: Its type is not the one of the target\.\nIt is written as in/u,
    );
  });

  it('in a module that is compared in two ways is told once', async () => {
    const given = (module: string, proof: string): string =>
      `Module Type T. Parameter n : nat. End T.\nModule Type O. Declare Module I : T. End O.\n` +
      `Module J <: T. Definition n := 5. End J.\nModule K <: T. Definition n := 5. End K.\n` +
      `Module Type P := O with Module I := ${module}.\nModule Q : P. Module I := ${module}. End Q.\n` +
      `Theorem e : Q.I.n = 5.\nProof. ${proof}\n`;
    const verdict = await judge(given('J', 'Admitted.'), given('K', 'reflexivity. Qed.'));
    const findings = verdict.kind === 'rejected' ? verdict.findings : [];
    expect(findings.length).toBeGreaterThan(3);
    expect(new Set(findings.map((one) => JSON.stringify(one))).size).toBe(findings.length);
  });
});

describeWithCoqc('a submission that does not compile', () => {
  it.each([
    ['does-not-compile', 'exact 3. Qed.'],
    ['unfinished-proof', 'idtac. Qed.'],
    ['admitted', 'admit. Qed.'],
  ])('is told its first error, and where the others are listed: %s', async (kind, end) => {
    const two = `Lemma u : 1 = 2.\nProof. ${end}\nLemma v : 1 = 3.\nProof. reflexivity. Qed.\n`;
    const verdict = await judge(
      'Theorem t : True.\nAdmitted.\n',
      `${two}Theorem t : True.\nProof. exact I. Qed.\n`,
    );
    const found = verdict.kind === 'rejected' ? verdict.findings.find((one) => one.kind === kind) : undefined;
    expect(found?.remedy).toContain('There may be more errors behind this one: `proof_check` lists all.');
  });
});

describeWithCoqc('a submission that the prover has no room for', () => {
  it('is not rejected: with more room it may be right', async () => {
    const deep = `Definition z := ${'('.repeat(100_000)}0${')'.repeat(100_000)}.\n`;
    const verdict = await judge(
      'Theorem t : True.\nAdmitted.\n',
      `Theorem t : True.\nProof. exact I. Qed.\n${deep}`,
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'memory-exceeded' });
  });
});

describeWithCoqc('files beside the target and the submission', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quod-gate-test-'));
    const project = join(folder, 'project');
    await mkdir(project);
    await writeFile(
      join(project, 'Good.v'),
      'Lemma good : forall n : nat, n + 0 = n.\nProof. induction n; simpl; congruence. Qed.\n',
    );
    await writeFile(join(project, 'Evil.v'), 'Axiom evil : forall n : nat, n + 0 = n.\n');
    await writeFile(
      join(project, 'Open.v'),
      'Module Other. Axiom open : True. End Other.\nModule Copy. Include Other. End Copy.\nLemma open : forall n : nat, n + 0 = n.\nAdmitted.\n',
    );
    for (const name of ['Good.v', 'Evil.v', 'Open.v'])
      execFileSync('coqc', ['-q', '-Q', project, 'Proj', join(project, name)]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const statement = 'Theorem t : forall n : nat, n + 0 = n.\n';
  const project = (): RocqProject => ({
    ...NO_PROJECT,
    loadPath: [{ flag: '-Q', physical: join(folder, 'project'), logical: 'Proj' }],
  });

  it('a library of the project that the target does not use is a new dependency; one that it uses is not', async () => {
    const target = `From Proj Require Import Good.\n${statement}Admitted.\n`;
    const honest = `From Proj Require Import Good.\n${statement}Proof. exact good. Qed.\n`;
    expect(kinds(await judge(target, `From Proj Require Import Evil.\n${honest}`, project()))).toEqual([
      'new-dependency',
    ]);
    expect(kinds(await judge(target, honest, project()))).toBe('accepted');
  });

  it("an axiom of a library that the target uses is the target's own, and is named", async () => {
    const target = `From Proj Require Import Evil.\n${statement}Admitted.\n`;
    const verdict = await judge(
      target,
      `From Proj Require Import Evil.\n${statement}Proof. exact evil. Qed.\n`,
      project(),
    );
    expect(verdict).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 't', assumptions: ['Proj.Evil.evil'] }],
    });
    const strict = await verify(
      { path: 'Target.v', text: target },
      { path: 'Submission.v', text: `From Proj Require Import Evil.\n${statement}Proof. exact evil. Qed.\n` },
      { project: project(), policy: { axioms: [] } },
    );
    expect(kinds(strict)).toEqual(['new-axiom']);
  });

  it('a lemma that is admitted there is named as open, though an axiom of another module has its name', async () => {
    const target = `From Proj Require Import Open.\n${statement}Admitted.\n`;
    const submission = `From Proj Require Import Open.\n${statement}Proof. exact open. Qed.\n`;
    expect(await judge(target, submission, project())).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: [], openStatements: ['Proj.Open.open'] }],
    });
    const proof = 'destruct Other.open. induction n; simpl; congruence';
    expect(await judge(target, submission.replace('exact open', proof), project())).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: ['Proj.Open.Other.open'], openStatements: [] }],
    });
  });

  it('a policy without axioms allows what is admitted there, which is none, and nothing that may be one', async () => {
    const target = `From Proj Require Import Open.\n${statement}Admitted.\n`;
    const under = (tactic: string) =>
      verify(
        { path: 'Target.v', text: target },
        {
          path: 'Submission.v',
          text: target.replace('Admitted.', `Proof. ${tactic}. induction n; simpl; congruence. Qed.`),
        },
        { project: project(), policy: { axioms: [], recheck: 'never' } },
      );
    expect(await under('pose proof open as o')).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: [], openStatements: ['Proj.Open.open'] }],
    });
    expect(kinds(await under('destruct Other.open'))).toEqual(['new-axiom']);
    expect(kinds(await under('destruct Copy.open'))).toEqual(['new-axiom']);
  });

  it('compiled files beside the submission are not found', async () => {
    const verdict = await verify(
      { path: 'Target.v', text: `${statement}Admitted.\n` },
      {
        path: join(folder, 'project', 'Submission.v'),
        text: `Require Import Evil.\n${statement}Proof. exact evil. Qed.\n`,
      },
      { project: NO_PROJECT },
    );
    expect(kinds(verdict)).toEqual(['does-not-compile']);
  });

  it('a definition two files away means what it means in the project of the target', async () => {
    for (const [owner, value] of [
      ['theirs', 2],
      ['mine', 3],
    ] as const) {
      const project = join(folder, owner);
      const files = {
        _CoqProject: '-Q . Far\nDeep.v\nMiddle.v\n',
        'Deep.v': `Definition two := ${value}.\n`,
        'Middle.v': 'From Far Require Export Deep.\nDefinition four := two + two.\n',
      };
      await mkdir(project);
      for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
      for (const name of ['Deep.v', 'Middle.v'])
        execFileSync('coqc', ['-q', '-Q', project, 'Far', join(project, name)]);
    }
    const stating = (value: number): string =>
      `From Far Require Import Middle.\nTheorem t : four = ${value}.\n`;
    const judged = async (value: number): Promise<unknown> =>
      kinds(
        await verify(
          { path: join(folder, 'theirs', 'Target.v'), text: `${stating(value)}Admitted.\n` },
          { path: join(folder, 'mine', 'Submission.v'), text: `${stating(value)}Proof. reflexivity. Qed.\n` },
        ),
      );
    expect(await judged(6)).toEqual(['does-not-compile']);
    expect(await judged(4)).toBe('accepted');
  });

  it('a target whose loaded file has changed is judged as what it says now', async () => {
    const loading = join(folder, 'loading');
    await mkdir(loading);
    const inside: RocqProject = {
      ...NO_PROJECT,
      loadPath: [{ flag: '-Q', physical: loading, logical: 'Loading' }],
    };
    const judged = async (value: number): Promise<unknown> => {
      await writeFile(join(loading, 'loaded.v'), `Definition k := ${value}.\n`);
      const submission = 'Definition k := 3.\nTheorem t : k = 3.\nProof. reflexivity. Qed.\n';
      return kinds(await judge('Load loaded.\nTheorem t : k = 3.\nAdmitted.\n', submission, inside));
    };
    expect(await judged(3)).toBe('accepted');
    expect(await judged(4)).toEqual(['definition-changed']);
  });

  it('a project that turns universe checking off is refused', async () => {
    const verdict = await judge(
      `${statement}Admitted.\n`,
      `${statement}Proof. induction n; simpl; congruence. Qed.\n`,
      { ...NO_PROJECT, arguments: ['-type-in-type'] },
    );
    expect(kinds(verdict)).toEqual(['checks-disabled']);
  });

  it('proofs may have a worker for each goal, in the target, too', async () => {
    const parallel = `${statement}Proof. induction n. par: simpl; congruence. Qed.\n`;
    expect((await judge(`${statement}Admitted.\n`, parallel)).kind).toBe('accepted');
    const behind = (proof: string): string => `${parallel}Theorem u : 1 = 1. Proof. ${proof}\n`;
    expect((await judge(behind('Admitted.'), behind('reflexivity. Qed.'))).kind).toBe('accepted');
  });

  it('may require libraries that the environment names, and rests on what these take for granted', async () => {
    const named = join(folder, 'named');
    await mkdir(join(named, 'Ext'), { recursive: true });
    await writeFile(join(named, 'Ext', 'Lib.v'), 'Axiom bad : False.\nDefinition n := 0.\n');
    execFileSync('coqc', ['-q', '-noglob', '-Q', '.', '', join('Ext', 'Lib.v')], { cwd: named });
    vi.stubEnv('COQPATH', named);
    const begun = 'Require Import Ext.Lib.\nTheorem t : n = 0.\n';
    const proofs = ['reflexivity', 'destruct bad'].map((tactic) => `${begun}Proof. ${tactic}. Qed.\n`);
    const verdicts = await Promise.all(proofs.map((proof) => judge(`${begun}Admitted.\n`, proof))).finally(
      () => vi.unstubAllEnvs(),
    );
    expect(
      verdicts.map((verdict) => verdict.kind === 'accepted' && verdict.statements[0]?.assumptions),
    ).toEqual([[], ['Ext.Lib.bad']]);
  });

  it('leaves nothing in the temporary folder', async () => {
    // A temporary folder of its own: other Quods of the machine use the usual one at the same time.
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    vi.stubEnv('TMPDIR', scratch);
    const verdict = await judge(
      `${statement}Admitted.\n`,
      `${statement}Proof. induction n; simpl; congruence. Qed.\n`,
    ).finally(() => vi.unstubAllEnvs());
    expect(kinds(verdict)).toBe('accepted');
    expect(await readdir(scratch)).toEqual([]);
  });
});

describeWithCoqc('what cannot be judged', () => {
  const statement = 'Theorem t : True.\n';
  const honest = `${statement}Proof. exact I. Qed.\n`;

  it.each([
    ['a target with nothing to prove', honest, 'invalid-input'],
    ['an empty target', '', 'invalid-input'],
    [
      'a target that does not compile',
      `Definition broken := nowhere.\n${statement}Admitted.\n`,
      'does-not-compile',
    ],
    [
      'a hole that becomes part of what follows',
      'Section S.\nLet t : True.\nAdmitted.\nEnd S.\n',
      'unsupported',
    ],
  ])('%s', async (_, target, reason) => {
    expect(await judge(target, `Check nat.\n${honest}`)).toMatchObject({ kind: 'unknown', reason });
  });

  it('a section that the target does not close, whatever the submission does', async () => {
    const target = `Section S.\n${statement}Admitted.\n`;
    for (const end of ['', 'End S.\n'])
      expect(await judge(target, `Section S.\n${honest}${end}`)).toMatchObject({
        ...{ kind: 'unknown', reason: 'does-not-compile' },
        message: expect.stringContaining('The target Target.v does not compile') as unknown,
      });
  });

  it('a statement that is asked for and not there', async () => {
    const verdict = await verify(
      { path: 'T.v', text: `${statement}Admitted.\n` },
      { path: 'S.v', text: honest },
      { project: NO_PROJECT, policy: { theorems: ['u'] } },
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'not-found' });
  });

  it('a submission that compiles to what Rocq itself cannot load', async () => {
    const inModule = 'Module Type T. End T.\nModule M : T.\nRequire Import Lia.\nEnd M.\n';
    const verdict = await judge(`${statement}Admitted.\n`, inModule + honest);
    // A defect of older ones: a newer one loads it.
    if (installedRelease < 900) {
      expect(verdict).toMatchObject({
        ...{ kind: 'unknown', reason: 'unsupported' },
        message: expect.stringContaining('cannot load what it compiled') as unknown,
      });
    } else expect(kinds(verdict)).toBe('accepted');
  });

  it('a submission that does not end', async () => {
    const verdict = await verify(
      { path: 'T.v', text: `${statement}Admitted.\n` },
      { path: 'S.v', text: `Ltac forever := idtac; forever.\n${statement}Proof. forever. Qed.\n` },
      { project: NO_PROJECT, policy: { limits: { time: 1500 } } },
    );
    expect(verdict).toMatchObject({ kind: 'unknown' });
  });
});

describeWithCoqc('statements without a name of their own', () => {
  const target = `Axiom given : 1 = 1.
Goal True.
Admitted.
Require Import Program PeanoNat.
Program Definition two (m : nat) : {n : nat | n = m - m + 2} := 2.
Next Obligation. Admitted.
Goal 2 = 2.
Admitted.
`;
  const proved = target
    .replace('Goal True.\nAdmitted.', 'Goal True.\nProof. exact I. Qed.')
    .replace('Next Obligation. Admitted.', 'Next Obligation. Proof. now rewrite Nat.sub_diag. Qed.')
    .replace('Goal 2 = 2.\nAdmitted.', 'Goal 2 = 2.\nProof. reflexivity. Qed.');

  it('are found by their places in the compiled objects', async () => {
    expect(await judge(target, proved)).toMatchObject({
      kind: 'accepted',
      statements: [
        { name: 'Unnamed_thm', assumptions: [] },
        { name: 'two_obligation_1', assumptions: [] },
        { name: 'Unnamed_thm0', assumptions: [] },
      ],
    });
  });

  it('are all to be proved', async () => {
    const half = proved.replace('reflexivity. Qed.', 'Admitted.');
    expect(kinds(await judge(target, half))).toEqual(['admitted']);
  });
});

describeWithCoqc('statements that a proof shapes', () => {
  it('may use some of the section, stay open when not asked for, and keep their modules', async () => {
    const target = `Section S.
Variables A B : Type.
Hypothesis h : forall x y : A, x = y.
Definition pair_of (x : A) := (x, x).
Lemma same : forall x y : A, pair_of x = pair_of y.
Admitted.
Lemma plain : forall n : nat, n = n.
Proof. reflexivity. Qed.
End S.
Module M.
Lemma inside : exists n, n = 0 /\\ forall T : Type, T = T.
Admitted.
End M.
Lemma later : 1 = 2.
Admitted.
`.replaceAll('\\\\', '\\');
    const submission = target
      .replace('pair_of y.\nAdmitted.', 'pair_of y.\nProof. intros x y. now rewrite (h x y). Qed.')
      .replace('T = T.\nAdmitted.', 'T = T.\nProof. exists 0. split; reflexivity. Qed.');
    for (const text of [submission, `Check nat.\n${submission}`]) {
      const verdict = await verify(
        { path: 'T.v', text: target },
        { path: 'S.v', text },
        { project: NO_PROJECT, policy: { theorems: ['same', 'M.inside'] } },
      );
      expect(verdict).toMatchObject({
        kind: 'accepted',
        statements: [
          { name: 'same', assumptions: [], openStatements: [] },
          { name: 'M.inside', assumptions: [], openStatements: [] },
        ],
        restsOn: { pinnedBy: ['compiled-objects'] },
      });
    }
  });

  it('are compared up to the place that does not compile with all variables, and the verdict says so', async () => {
    const warningsOf = async (statement: string) => {
      const text = (proof: string) =>
        `Section S.\nVariable v : nat.\n${statement}\n${proof}\nEnd S.\nCheck (t : 1 = 1).\n`;
      const verdict = await verify(
        { path: 'T.v', text: text('Admitted.') },
        { path: 'S.v', text: text('reflexivity. Qed.') },
        { project: NO_PROJECT, policy: { recheck: 'never' } },
      );
      expect(verdict.kind).toBe('accepted');
      return (verdict.kind === 'accepted' ? verdict.restsOn.warnings : undefined)?.filter(
        ({ kind }) => kind === 'variables-chosen',
      );
    };
    expect(await warningsOf('Lemma t : 1 = 1. Proof.')).toEqual([
      { kind: 'variables-chosen', message: expect.stringMatching(/^T\.v:6:0: .*Proof using/u) as unknown },
    ]);
    expect(await warningsOf('Lemma t : 1 = 1. Proof using.')).toEqual([]);
  });

  it('may use what a default leaves them: a submission that uses more is refused, and the target is not said to be wrong', async () => {
    const target = `Set Default Proof Using "Type".
Section S.
Variable n : nat.
Hypothesis h : n = n.
Lemma a : n = n. Proof. Admitted.
End S.
Lemma d : forall n : nat, n = n. Proof a.
`;
    const proved = (tactic: string): string => target.replace('Admitted.', `${tactic}. Qed.`);
    expect(kinds(await judge(target, proved('reflexivity')))).toBe('accepted');
    expect(kinds(await judge(target, proved('exact h')))).toEqual(['does-not-compile']);
  });
});

describeWithCoqc('a report', () => {
  const said = async (statement: string, notation = '') => {
    const text = (proof: string) => `Theorem t : ${statement}.\nProof. ${proof}\n`;
    const verdict = await verify(
      { path: 'Target.v', text: `${notation}\n${text('Admitted.')}` },
      { path: 'Submission.v', text: `${notation}\n${text('now repeat split. Qed.')}` },
      { project: NO_PROJECT, inDetail: true },
    );
    return verdict.kind === 'accepted' ? verdict.statements.map(({ printed }) => printed) : verdict;
  };

  it('has the statement as it stands in the compiled file, not reduced', async () => {
    expect(await said('(fun n : nat => n = n) 0')).toEqual(['Target.t : (fun n : nat => @eq nat n n) O']);
    expect(await said('0 = 0')).toEqual(['Target.t : @eq nat O O']);
  });

  it('has what the axioms and the open statements say that a proof rests on', async () => {
    const target =
      'Module M. Axiom ax : forall n, n = 1. End M. Lemma open : 1 = 2. Admitted. Theorem t : 3 = 4 /\\ 1 = 2.\n';
    const verdict = await verify(
      { path: 'Target.v', text: `${target}Admitted.\n` },
      {
        path: 'Submission.v',
        text: `${target}Proof. split; [exact (eq_trans (M.ax 3) (eq_sym (M.ax 4))) | exact open]. Qed.\n`,
      },
      { project: NO_PROJECT, inDetail: true, policy: { theorems: ['t'], recheck: 'never' } },
    );
    expect(verdict).toMatchObject({
      statements: [
        {
          ...{ assumptions: ['M.ax'], openStatements: ['open'] },
          printedGrounds: expect.arrayContaining([
            { name: 'M.ax', printed: 'forall n : nat, @eq nat n (S O)' },
            { name: 'open', printed: '@eq nat (S O) (S (S O))' },
          ]) as unknown,
        },
      ],
    });
  });

  it('has nothing else, however long the statement is', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `${index} = ${index}`).join(' /\\ ');
    const [printed = ''] = (await said(many)) as readonly string[];
    expect(printed).toMatch(/^Target\.t : and \(@eq nat O O\).*\)$/u);
    expect(printed).not.toMatch(/universe|Constant|Expands/u);
  });
});
