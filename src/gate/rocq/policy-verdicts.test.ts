/** What a policy changes in verdicts, on a real prover. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { findSandbox } from '../../process/sandbox.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../policy.ts';
import { verify, verifyMany } from '../verify.ts';
import { NativeJudge } from './backends/native-judge.ts';
import { installedRelease } from './testing/installed-rocq.ts';

const STATEMENT = 'Theorem t : forall n : nat, n + 0 = n.\n';
const TARGET = `${STATEMENT}Admitted.\n`;
const HONEST = `${STATEMENT}Proof. induction n; simpl; congruence. Qed.\n`;
const hasChecker = findExecutable(['coqchk', 'rocqchk']) !== undefined;
const sandbox = await findSandbox();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-policy-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const project = (loadPath: RocqProject['loadPath'] = []): RocqProject => ({
  ...{ root: folder, source: undefined, loadPath, ocamlPath: [], arguments: [] },
});

function judge(target: string, submission: string, policy: GatePolicy = {}, of = project()) {
  return verify({ path: 'T.v', text: target }, { path: 'S.v', text: submission }, { project: of, policy });
}

/** A library of the project, compiled. */
function library(
  text: string,
  [logical, name] = ['Lib', 'Base'],
): { readonly of: RocqProject; readonly sha256: string } {
  const physical = join(folder, 'library');
  mkdirSync(physical, { recursive: true });
  writeFileSync(join(physical, `${name}.v`), text);
  execFileSync('coqc', ['-q', '-Q', physical, logical, join(physical, `${name}.v`)]);
  const sha256 = createHash('sha256')
    .update(readFileSync(join(physical, `${name}.vo`)))
    .digest('hex');
  return { of: project([{ flag: '-Q', physical, logical }]), sha256: `sha256:${sha256}` };
}

describe.skipIf(findExecutable(['coqc']) === undefined)('a policy', () => {
  it('whose target has checks off: the verdict says against itself what was not checked', async () => {
    const off = 'Unset Guard Checking. Fixpoint f (n : nat) : False := f n. Set Guard Checking.\n';
    const submission = `${off}Lemma t : False. Proof. exact (f 0). Qed.\nLemma u : True. Proof. exact I. Qed.\n`;
    const target = submission.replaceAll(/Proof\. .*? Qed\./gu, 'Proof. Admitted.');
    expect(await judge(target, submission, { recheck: 'never', theorems: ['t'] })).toMatchObject({
      kind: 'accepted',
      restsOn: {
        warnings: expect.arrayContaining([
          { kind: 'unchecked', message: 'T.f is assumed to be guarded.' },
        ]) as unknown,
      },
    });
    const inModule = (proof: string): string =>
      `Module Type S. Parameter f : nat -> False. End S.\nModule M : S. ${off.replaceAll(/\bf\b/gu, 'bad')}Definition f := bad. End M.\nLemma t : False. Proof. ${proof}\n`;
    const named = await judge(inModule('Admitted.'), inModule('exact (M.f 0). Qed.'), { recheck: 'never' });
    expect(JSON.stringify(named)).toContain('M.bad is assumed to be guarded');
    expect(JSON.stringify(named)).not.toContain('QuodJudged');
    const left = submission.replace('exact (f 0). Qed', 'Admitted');
    const { kind, ...twin } = await judge(target, left, { recheck: 'never', theorems: ['u'] });
    expect(kind).toBe('accepted');
    expect(JSON.stringify(twin)).not.toContain('"unchecked"');
  });

  it('is asked while a library is exchanged: nothing is concluded, whatever the exchanged one would mean', async () => {
    const coqc = findExecutable(['coqc']) ?? '';
    const statement = 'From Lib Require Import Base.\nTheorem t : k = 2.\n';
    const [target, proof] = [`${statement}Admitted.\n`, `${statement}Proof. exact f. Qed.\n`];
    const honest = 'Definition k := 2. Lemma f : k = 2. Proof. reflexivity. Qed.\n';
    const others = [
      'Definition k := 2. Axiom f : k = 2.\n',
      'Definition k := 3. Lemma g : k = 3. Proof. reflexivity. Qed.\n',
    ];
    const { of } = library(honest);
    // Real provers; the library is exchanged before the call that compiles what holds these words, or is asked of it.
    const exchanging = (when: (text: string) => boolean, other: string | undefined) => {
      const native = new NativeJudge(coqc);
      return new Proxy(native, {
        get: (judge, name) => {
          const member: unknown = Reflect.get(judge, name, judge);
          if (typeof member !== 'function') return member;
          return (...given: unknown[]): unknown => {
            const { text } = (given[0] ?? {}) as { text?: string };
            if (name === 'compile' && text !== undefined && other !== undefined && when(text)) library(other);
            return Reflect.apply(member, judge, given) as unknown;
          };
        },
      });
    };
    const judged = (when: (text: string) => boolean, other: string | undefined) => {
      library(honest);
      const cacheDirectory = join(folder, 'cache');
      rmSync(cacheDirectory, { recursive: true, force: true });
      const settings = { project: of, policy: { recheck: 'never' as const }, cacheDirectory };
      const texts = [
        { path: 'T.v', text: target },
        { path: 'S.v', text: proof },
      ] as const;
      return verify(...texts, { ...settings, backend: exchanging(when, other) });
    };
    expect(await judged(() => false, undefined)).toMatchObject({ kind: 'accepted' });
    for (const other of others)
      for (const when of [
        (text: string) => text.includes('exact f'),
        (text: string) => !text.includes('exact f'),
      ])
        expect(await judged(when, other)).toMatchObject({
          ...{ kind: 'unknown', reason: 'file-changed' },
          message: expect.stringContaining('Base.vo') as unknown,
        });
  });

  it('cannot ask for a proof of a value that has to stay: `accepted` would say nothing about it', async () => {
    const target = `Module M. Definition k := 2. End M.\nModule N := M.\nDefinition k := 2.\nDefinition e : 1 = 1 := eq_refl.\n${TARGET}`;
    const submission = target.replace(TARGET, HONEST);
    const asked = (name: string, more: GatePolicy = {}) =>
      judge(target, submission, { recheck: 'never', theorems: ['t', name], ...more });
    expect(await asked('k')).toMatchObject({
      ...{ kind: 'unknown', reason: 'invalid-input' },
      message: expect.stringContaining('The policy names k as what is to be proved') as unknown,
    });
    expect(await asked('N.k'), 'by another name').toMatchObject({
      message: expect.stringContaining('The policy names M.k as what is to be proved') as unknown,
    });
    expect(await asked('e'), 'a proposition').toMatchObject({ kind: 'accepted' });
    expect(await asked('k', { definitionsMayChange: ['k'] })).toMatchObject({ kind: 'accepted' });
  });

  it('has projects whose options set what a file can set told where to set it', async () => {
    const setting = { ...project(), arguments: ['-set', 'Universe Polymorphism'] };
    expect(await judge(TARGET, HONEST, {}, setting)).toMatchObject({
      ...{ kind: 'unknown', reason: 'unsupported' },
      message: expect.stringContaining('-set. What it sets, set in the file') as unknown,
    });
  });

  it('names what finished lemmas rest on that are proved again, and what chosen values rest on', async () => {
    const ax = 'Axiom ax : 1 = 2. Axiom five : {n : nat | n = 5}.';
    const target = `${ax} Lemma done : 2 <> 3. Proof. discriminate. Qed. Definition answer := 0.\n${TARGET}`;
    const judged = (policy: GatePolicy, ...changes: readonly (readonly [string, string])[]) =>
      judge(
        target,
        changes.reduce((text, [from, to]) => text.replace(from, to), target.replace(TARGET, HONEST)),
        { recheck: 'never', ...policy },
      );
    expect(await judged({})).toMatchObject({ kind: 'accepted', statements: [{ name: 't' }] });
    expect(await judged({}, ['Proof. discriminate.', 'Proof. intros _. discriminate ax.'])).toMatchObject({
      kind: 'accepted',
      statements: [
        { name: 't', assumptions: [] },
        { name: 'done', assumptions: [expect.stringMatching(/ax$/u)] },
      ],
    });
    expect(
      await judged(
        { flags: ['unchecked-guard'] },
        ['Lemma done', '#[bypass_check(guard)] Fixpoint bad (n : nat) : False := bad n.\nLemma done'],
        ['Proof. discriminate.', 'Proof. destruct (bad 0).'],
      ),
    ).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 't' }, { name: 'done', assumptions: [expect.stringContaining('guarded')] }],
      restsOn: {
        warnings: expect.arrayContaining([expect.objectContaining({ kind: 'unchecked' })]) as unknown,
      },
    });
    expect(
      await judged({ definitionsMayChange: ['answer'] }, ['answer := 0', 'answer := proj1_sig five']),
    ).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 't' }, { name: 'answer', assumptions: [expect.stringMatching(/five$/u)] }],
    });
  });

  it('lets the submission choose no value for what the target assumes', async () => {
    const target = `Parameter P : nat. Definition d := 3. Definition h : nat. Admitted.\n${TARGET}`;
    const submission = target.replace(TARGET, HONEST).replace('nat. Admitted', 'nat := 1');
    const under = (name: string) =>
      judge(target, submission, { recheck: 'never', definitionsMayChange: [name] });
    expect(await under('P')).toMatchObject({
      ...{ kind: 'unknown', reason: 'invalid-input' },
      message: expect.stringContaining('The policy names P as a definition') as unknown,
    });
    expect(await under('h'), 'left open').toMatchObject({ kind: 'accepted' });
    expect(await under('d')).toMatchObject({ kind: 'accepted' });
  });

  it.each([
    ['D', 'an inductive type or a record'],
    ['R', 'an inductive type or a record'],
    ['E', 'an inductive type or a record'],
    ['M', 'a module: name'],
    ['S', 'a module: name'],
  ])('says what it names as a definition and is none: %s', async (name, what) => {
    const target = `Inductive D := d with E := e (_ : D). Record R := r { f : nat }. Module M. End M. Module Type S. End S.\n${TARGET}`;
    expect(
      await judge(target, target.replace(TARGET, HONEST), { recheck: 'never', definitionsMayChange: [name] }),
    ).toMatchObject({
      ...{ kind: 'unknown', reason: 'invalid-input' },
      message: expect.stringMatching(`names ${name} as a definition .* it is ${what}`) as unknown,
    });
  });

  it('lets values be chosen, and the verdict names what rests on them that speaks of them', async () => {
    const target = `Module M. Definition answer := 5. End M. Definition other := 2. Definition hole : nat. Admitted.
Definition twice := M.answer + M.answer. Inductive Box := box (_ : twice = 10).
Axiom ax : Box -> 1 = 2. Axiom plain : other = 3. Axiom of_hole : hole = 4.
Lemma cj : twice = 10. Admitted.
Lemma used : 1 = 1. Admitted.
Axiom of_used : used = used.
Theorem t : True. Admitted.\n`;
    const warned = async (policy: GatePolicy, tactic: string, hole = 'Admitted') => {
      const submission = target
        .replace('hole : nat. Admitted', `hole : nat. ${hole}`)
        .replace('1 = 1. Admitted', '1 = 1. Proof. reflexivity. Qed')
        .replace('True. Admitted', `True. Proof. ${tactic}. exact I. Qed`);
      const verdict = await judge(target, submission, { recheck: 'never', ...policy });
      if (verdict.kind !== 'accepted') return verdict;
      return verdict.restsOn.warnings?.flatMap(({ kind, message }) =>
        kind === 'values-chosen' ? [message.replace(/^.*may be false: /u, '')] : [],
      );
    };
    const answer = { definitionsMayChange: ['M.answer'], theorems: ['t'] };
    // A finished proof that is left as it is may rest on the axiom, and one to come on what is open.
    for (const proof of [
      'pose proof ax; pose proof cj; pose proof plain',
      'pose proof ax',
      'pose proof plain',
    ])
      expect(await warned(answer, proof)).toEqual(['ax (of M.answer); cj (of M.answer).']);
    expect(await warned({ theorems: ['t'] }, 'pose proof ax')).toEqual([]);
    const both = { theorems: ['t', 'hole', 'used'] };
    for (const proof of ['pose proof of_hole; pose proof of_used', 'idtac'])
      expect(await warned(both, proof, 'exact 1. Defined')).toEqual(['of_hole (of hole).']);
  });

  it.each([
    [
      'a functor',
      'Module F (X : D). Definition x : nat. Admitted. End F. Module G := F E.',
      'exact 4. Defined',
    ],
    [
      'a functor, opaquely',
      'Module F (X : D). Definition x : nat. Admitted. End F. Module G := F E.',
      'exact 4. Qed',
    ],
    [
      'a module in a functor',
      'Module F (X : D). Module I. Definition x : nat. Admitted. End I. End F. Module A := F E. Module G := A.I.',
      'exact 4. Defined',
    ],
  ])('tells that a value was chosen in %s', async (_, functor, value) => {
    const target = `Module Type D. End D. Module E. End E. ${functor} Axiom ax : G.x = 3. Theorem t : True. Admitted.\n`;
    const submission = target
      .replace('nat. Admitted', `nat. ${value}`)
      .replace('True. Admitted', 'True. Proof. pose proof ax. exact I. Qed');
    const verdict = await judge(target, submission, { recheck: 'never' });
    expect(verdict).toMatchObject({ kind: 'accepted' });
    const warnings = verdict.kind === 'accepted' ? verdict.restsOn.warnings : [];
    expect(warnings?.filter(({ kind }) => kind === 'values-chosen')).toMatchObject([
      { message: expect.stringContaining('ax (of ') as string },
    ]);
  });

  it('tells that a proof was chosen, where others can look into it', async () => {
    const target = `Theorem e : bool = bool :> Set. Admitted.
Axiom ax : eq_rect bool (fun X => X) true bool e = false.
Theorem t : False. Admitted.\n`;
    const proved = target
      .replace('Set. Admitted', 'Set. Proof. reflexivity. Defined')
      .replace('False. Admitted', 'False. Proof. discriminate ax. Qed');
    const verdict = await judge(target, proved, { recheck: 'never' });
    expect(verdict).toMatchObject({ kind: 'accepted', statements: [{ name: 'e' }, { name: 't' }] });
    expect(verdict.kind === 'accepted' && verdict.restsOn.warnings).toContainEqual({
      kind: 'values-chosen',
      message: expect.stringContaining('ax (of e)') as string,
    });
  });

  it('takes a copy of an axiom for open, and has to allow it as an axiom', async () => {
    const functor = 'Module Type D. End D. Module DD. End DD. Module A (X : D). Axiom f : 1 = 2. End A.\n';
    const included = 'Module Type SG. Axiom f : 1 = 2. End SG.\n';
    for (const copy of [`${functor}Module FX := A DD.`, `${included}Module FX. Include SG. End FX.`]) {
      const stated = `${copy}\nTheorem t : 1 = 2.\n`;
      const judged = (policy: GatePolicy) =>
        judge(`${stated}Admitted.\n`, `${stated}Proof. exact FX.f. Qed.\n`, { recheck: 'never', ...policy });
      const accepted = { kind: 'accepted', statements: [{ name: 't', openStatements: ['FX.f'] }] };
      expect(await judged({ theorems: ['t'] })).toMatchObject(accepted);
      expect(await judged({ theorems: ['t'], axioms: ['FX.f'] })).toMatchObject(accepted);
      expect(await judged({ theorems: ['t'], axioms: [] })).toMatchObject({
        kind: 'rejected',
        findings: [
          { kind: 'new-axiom', message: expect.stringContaining('FX.f, which may be an axiom') as string },
        ],
      });
    }
    // What the file itself admits is open, and no axiom.
    const open = 'Module FX. Lemma f : 1 = 2. Admitted. End FX.\nTheorem t : 1 = 2.\n';
    expect(
      await judge(`${open}Admitted.\n`, `${open}Proof. exact FX.f. Qed.\n`, {
        ...{ theorems: ['t'], axioms: [], recheck: 'never' },
      }),
    ).toMatchObject({ kind: 'accepted', statements: [{ openStatements: ['FX.f'] }] });
  });

  it('lets the value be chosen that another name stands for', async () => {
    for (const alias of ['Module N := M.', 'Module N. Include M. End N.']) {
      const text = (value: number, end: string) =>
        `Module M. Definition d := ${value}. End M. ${alias}\nTheorem t : M.d = 1.\n${end}\n`;
      const judged = (definitionsMayChange: string[]) =>
        judge(text(0, 'Admitted.'), text(1, 'reflexivity. Qed.'), { definitionsMayChange, recheck: 'never' });
      expect(await judged(['N.d'])).toMatchObject({ kind: 'accepted' });
      expect(await judged([])).toMatchObject({ kind: 'rejected' });
    }
  });

  it('is told which library of the project is broken by the path that it has', async () => {
    const target = `From Lib Require Import Base.\n${TARGET}`;
    const { of } = library('Definition k := 2.\n');
    const broken = join(folder, 'library', 'Base.vo');
    writeFileSync(broken, 'no compiled file');
    expect(await judge(target, target.replace(TARGET, HONEST), {}, of)).toMatchObject({
      ...{ kind: 'unknown', reason: 'does-not-compile' },
      message: expect.stringContaining(broken) as unknown,
    });
  });

  it('pins libraries: the target’s are those, or nothing is concluded', async () => {
    const target = `From Lib Require Import Base.\n${TARGET}`;
    const honest = `From Lib Require Import Base.\n${STATEMENT}Proof. exact base. Qed.\n`;
    const { of, sha256 } = library(
      'Lemma base : forall n : nat, n + 0 = n. Proof. induction n; simpl; congruence. Qed.\n',
    );
    const under = (dependencies: Record<string, string>) =>
      judge(target, honest, { dependencies, recheck: 'never' }, of);
    expect(await under({ 'Lib.Base': sha256 })).toMatchObject({ kind: 'accepted' });
    expect(await under({ 'Lib.Base': `sha256:${'0'.repeat(64)}` })).toMatchObject({
      kind: 'unknown',
      reason: 'file-changed',
      message: expect.stringContaining('the policy pins another') as unknown,
    });
    expect(await under({})).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('does not pin it') as unknown,
    });
    expect(await under({ 'Lib.Base': sha256, 'Lib.base': sha256 })).toMatchObject({
      ...{ kind: 'accepted' },
      restsOn: { warnings: [{ kind: 'pins-nothing' }, { kind: 'not-rechecked' }] },
    });
  });

  it('allows axioms by name, by set, or none', async () => {
    const proof = `Require Import Classical.\n${STATEMENT}Proof. intros n. apply NNPP. intros e. apply e. clear e. induction n; simpl; congruence. Qed.\n`;
    const target = `Require Import Classical.\n${TARGET}`;
    const under = (policy: GatePolicy, of = TARGET) => judge(of, proof, { recheck: 'never', ...policy });
    expect(await under({ axioms: [] }, target)).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'new-axiom', remedy: expect.stringContaining('it allows none') as string }],
    });
    expect(await under({})).toMatchObject({ kind: 'rejected' });
    const full = `${installedRelease >= 900 ? 'Stdlib' : 'Coq'}.Logic.Classical_Prop.classic`;
    for (const policy of [{ logic: ['excluded-middle' as const] }, { axioms: [full] }])
      expect(await under(policy)).toMatchObject({ kind: 'accepted', statements: [{ assumptions: [full] }] });
  });

  it('has what the reals of the library rest on as a set', async () => {
    const target =
      'Require Import Reals.\nOpen Scope R_scope.\nTheorem t : forall x : R, x + 0 = x.\nAdmitted.\n';
    const proof = target.replace('Admitted.', 'Proof. intros x. ring. Qed.');
    const verdict = await judge(target, proof, { recheck: 'never', axioms: [], logic: ['classical-reals'] });
    expect(verdict).toMatchObject({ kind: 'accepted' });
  });

  it('says that the author is trusted where commands or plugins may reach out', async () => {
    const warnings = async (policy: GatePolicy) => {
      const verdict = await judge(TARGET, HONEST, { recheck: 'never', ...policy });
      return verdict.kind === 'accepted' ? (verdict.restsOn.warnings ?? []) : undefined;
    };
    const trusted = (what: string) =>
      expect.objectContaining({
        kind: 'author-trusted',
        message: expect.stringContaining(what) as string,
      }) as object;
    expect(await warnings({ commands: ['Elpi', 'Derive', 'Redirect'] })).toContainEqual(
      trusted('use Elpi, Redirect, which'),
    );
    expect(await warnings({ plugins: ['coq-elpi.elpi'] })).toContainEqual(trusted('(coq-elpi.elpi)'));
    const kinds = (await warnings({ commands: ['Derive'], plugins: [] }))?.map(({ kind }) => kind);
    expect(kinds).not.toContain('author-trusted');
  });

  it.each([
    [{ definitionsMayChange: ['tt'] }, /names tt; the target has no such definition\. Nearest: t\./u],
    [{ definitionsMayChange: ['t', 'answer'] }, /names answer; the target has no such definition\.$/u],
    [{ theorems: ['t1'] }, /names t1; the target has no such statement\. Nearest: t\./u],
  ])('names nothing that the target does not have: %j', async (policy, message) => {
    expect(await judge(TARGET, HONEST, { recheck: 'never', ...policy })).toMatchObject({
      ...{ kind: 'unknown', reason: 'not-found' },
      message: expect.stringMatching(message) as string,
    });
  });

  it('needs the libraries of the target: those that are not compiled are named', async () => {
    const { of } = library('Lemma base : True. Proof. exact I. Qed.\n');
    rmSync(join(folder, 'library', 'Base.vo'));
    const target = `From Lib Require Import Base.\n${TARGET}`;
    expect(await judge(target, `From Lib Require Import Base.\n${HONEST}`, {}, of)).toMatchObject({
      ...{ kind: 'unknown', reason: 'does-not-compile' },
      message: expect.stringMatching(/not compiled.*Base\.v \(Lib\.Base\).*`proof_build`/su) as string,
    });
  });

  it('says how a library that lies beside a file of no project is found, and finds it then', async () => {
    writeFileSync(join(folder, 'Beside.v'), 'Lemma base : 1 = 1. Proof. reflexivity. Qed.\n');
    execFileSync('coqc', ['-q', join(folder, 'Beside.v')]);
    const text = 'Require Import Beside.\nTheorem t : 1 = 1.\n';
    const path = join(folder, 'T.v');
    const ask = () =>
      verify(
        { path, text: `${text}Admitted.\n` },
        { path, text: `${text}Proof. exact base. Qed.\n` },
        { policy: { recheck: 'never' } },
      );
    expect(await ask()).toMatchObject({
      ...{ kind: 'unknown', reason: 'does-not-compile' },
      message: expect.stringMatching(
        /Beside\.vo lies beside it.*`_CoqProject` with the line `-Q \. ""`/su,
      ) as string,
    });
    writeFileSync(join(folder, '_CoqProject'), '-Q . ""\n');
    expect(await ask()).toMatchObject({ kind: 'accepted' });
  });

  it('takes no axiom of the target for that of a library whose name it has', async () => {
    const own =
      'Module Coq. Module Logic. Module Classical_Prop. Axiom classic : False.\nEnd Classical_Prop. End Logic. End Coq.\n';
    const target = `${own}${TARGET}`;
    const proof = `${own}${STATEMENT}Proof. destruct Coq.Logic.Classical_Prop.classic. Qed.\n`;
    const under = (policy: GatePolicy) => judge(target, proof, { recheck: 'never', ...policy });
    const library = 'Coq.Logic.Classical_Prop.classic';
    expect(await under({})).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: [`T.${library}`] }],
    });
    for (const policy of [{ axioms: [], logic: ['classical' as const] }, { axioms: [library] }])
      expect(await under(policy)).toMatchObject({
        kind: 'rejected',
        findings: [{ kind: 'new-axiom', message: expect.stringContaining(`axiom T.${library},`) as string }],
      });
    expect(await under({ axioms: [`T.${library}`] })).toMatchObject({ kind: 'accepted' });
  });

  it('takes no library of the project for the one of the prover whose name it has', async () => {
    const root = installedRelease >= 900 ? 'Stdlib' : 'Coq';
    const name = `${root}.Logic.Classical_Prop`;
    const { of } = library('Axiom classic : False.\n', [`${root}.Logic`, 'Classical_Prop']);
    const target = `Require Import ${name}.\n${TARGET}`;
    const proof = target.replace(TARGET, `${STATEMENT}Proof. destruct classic. Qed.\n`);
    const under = (policy: GatePolicy) => judge(target, proof, { recheck: 'never', ...policy }, of);
    expect(await under({})).toMatchObject({ kind: 'accepted' });
    for (const policy of [
      { axioms: [], logic: ['classical' as const] },
      { axioms: [`${name}.classic`] },
      { axioms: [`${root}.*`] },
    ])
      expect(await under(policy)).toMatchObject({
        kind: 'rejected',
        findings: [{ kind: 'new-axiom', message: expect.stringContaining('called like it') as string }],
      });
    // The name of the project's own is what it says.
    const own = library('Axiom classic : False.\n');
    const text = (proved: string) => `Require Import Lib.Base.\n${STATEMENT}${proved}\n`;
    expect(
      await judge(
        text('Admitted.'),
        text('Proof. destruct classic. Qed.'),
        { recheck: 'never', axioms: ['Lib.*'] },
        own.of,
      ),
    ).toMatchObject({ kind: 'accepted' });
  });

  it('names what a proof rests on also where a signature hides it', async () => {
    const hiding = `Module Type S. Parameter shown : 1 = 2. End S.
Module M : S.
Lemma hidden : 1 = 2. Proof. Admitted.
Lemma shown : 1 = 2. Proof. exact hidden. Qed.
End M.
`;
    const target = `${hiding}Theorem t : 1 = 2. Proof. Admitted.\n`;
    const submission = `${hiding}Theorem t : 1 = 2. Proof. exact M.shown. Qed.\n`;
    expect(await judge(target, submission, { recheck: 'never', theorems: ['t'] })).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 't', openStatements: ['M.hidden'] }],
    });
  });

  it('that asks for some statements holds proofs of others to the same axioms, and says that nobody asked', async () => {
    const library = `From ${installedRelease >= 900 ? 'Stdlib' : 'Coq'} Require Import Classical.\n`;
    const file = (a: string, b: string) =>
      `${library}Theorem a : 1 = 1. ${a}\nTheorem b : forall P, P \\/ ~ P. ${b}\n`;
    const target = file('Admitted.', 'Admitted.');
    const given: GatePolicy = { recheck: 'never', theorems: ['a'], axioms: [] };
    const judged = (b: string) => judge(target, file('Proof. reflexivity. Qed.', b), given);
    expect(await judged('Admitted.')).toMatchObject({ kind: 'accepted' });
    expect(await judged('Proof. exact classic. Qed.')).toMatchObject({
      kind: 'rejected',
      findings: [
        {
          kind: 'new-axiom',
          subject: 'b',
          message: expect.stringMatching(/does not ask for b, but/u) as unknown,
          remedy: expect.stringMatching(/^It may stay open\. /u) as unknown,
        },
      ],
    });
  });

  it('may require a sandbox, and a second check', async () => {
    const verdict = await judge(TARGET, HONEST, { requireSandbox: true, recheck: 'always' });
    expect(verdict).toMatchObject(
      sandbox === undefined || !hasChecker
        ? { kind: 'unknown', reason: sandbox === undefined ? 'no-sandbox' : 'prover-missing' }
        : {
            kind: 'accepted',
            restsOn: {
              isolation: sandbox.isolation,
              recheckedBy: expect.stringMatching(/^coqchk \d/) as unknown,
            },
          },
    );
  });
});

it.skipIf(findExecutable(['coqc']) === undefined)(
  'many submissions are judged against one target as each alone',
  async () => {
    const texts = [
      HONEST,
      `Check nat.\n${HONEST}`,
      TARGET,
      `Check nat.\n${HONEST.replace('n + 0', '0 + n')}`,
    ];
    const verdicts: string[] = [];
    const submissions = texts.map((text) => ({ path: 'S.v', text }));
    const settings = { project: project(), policy: { recheck: 'never' as const } };
    for await (const { verdict } of verifyMany({ path: 'T.v', text: TARGET }, submissions, settings))
      verdicts.push(verdict.kind);
    expect(verdicts).toEqual(['accepted', 'accepted', 'rejected', 'rejected']);
  },
);
