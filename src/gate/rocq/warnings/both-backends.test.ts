/**
 * Each kind of warning is given by both backends, in the same words of the same texts; where one of them cannot give it, the
 * reason stands here. Of each there is a case, and all warnings of a case are compared.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEmbeddedRocq } from '../../../provers/rocq/embedded/adapter.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import { type Verdict, WARNING_KINDS, type WarningKind } from '../../verdict.ts';
import { judgeProof, verify } from '../../verify.ts';
import { EmbeddedJudge } from '../backends/embedded-judge.ts';
import type { JudgeBackend } from '../backends/judge-backend.ts';
import { NativeJudge } from '../backends/native-judge.ts';
import { coqc, installedRelease } from '../testing/installed-rocq.ts';
import { sentencesOf } from '../testing/sentences-of.ts';

interface Case {
  readonly target: string;
  readonly submission: string;
  readonly policy?: GatePolicy;
  readonly project?: Partial<RocqProject>;
  /** The proof of `asked` in a file is judged, instead of a target and a submission. */
  readonly inFile?: 'up to the proof' | 'whole';
}

/** @param proofs what stands for each `Admitted.` of the target. */
function filled(target: string, ...proofs: readonly string[]): Pick<Case, 'target' | 'submission'> {
  const left = [...proofs];
  return { target, submission: target.replaceAll('Admitted.', (hole) => left.shift() ?? hole) };
}

const PLAIN = filled('Theorem t : 1 = 1. Admitted.\n', 'Proof. reflexivity. Qed.');
const inFile = (before: string, behind: string) =>
  filled(`${before}Lemma asked : 1 = 1.\nProof. Admitted.\n${behind}`, 'reflexivity. Qed.');
const VALUE = 'Definition d : nat. Admitted.\n';
const UNGUARDED = '#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.\n';
const BY_MACHINE =
  'Lemma fast : Nat.leb 2 4 = true. Proof. exact (@eq_refl bool true <: (Nat.leb 2 4 = true)). Qed.\n';
const DOUBTFUL = `Fixpoint f (b : bool) (n : nat) : nat := match n with O => O | S m =>
  let h (x : nat) := S (f b (match (if b then x else m) with O => m | S y => y end)) in h (S m) end.\n`;
const MODULES = `Module Type T. Parameter n : nat. End T. Module M <: T. Definition n := d. End M. Module N : T := M.
Definition v : nat. Proof. exact N.n. Qed. Lemma p : 1 = 1. Proof. exact (eq_refl 1). Qed. Axiom a : v = 1. Axiom b : p = p.\n`;

/** Why a backend cannot give a warning, or who else gives it. */
type Reasons = Partial<Record<'native' | 'embedded', string>>;

const OF_OTHER_PROVERS: Partial<Record<WarningKind, string>> = {
  'no-kernel': 'F*',
  'statements-by-text': 'F*',
  'not-independently-replayed': 'HOL4',
};

const NEVER: Partial<Record<WarningKind, Reasons>> = {
  'no-sandbox': { embedded: 'It reaches nothing of the machine.' },
  'stale-libraries': {
    native: 'It does: project-libraries.test.ts.',
    embedded: 'It compiles the sources of libraries itself.',
  },
};

const CASES: readonly (readonly [WarningKind, about: string, Case])[] = [
  ['no-sandbox', 'nothing to run it in', PLAIN],
  ['not-rechecked', 'a policy that wants no second check', PLAIN],
  ['only-the-beginning', 'a file', { ...inFile('', 'Check 1.\n'), inFile: 'up to the proof' }],
  ['rest-does-not-compile', 'a file', { ...inFile('', 'Definition x : nat := true.\n'), inFile: 'whole' }],
  [
    'variables-chosen',
    'a section',
    filled(
      'Section S.\nVariable v : nat.\nLemma t : 1 = 1. Proof.\nAdmitted.\nEnd S.\nCheck (t : 1 = 1).\n',
      'reflexivity. Qed.',
    ),
  ],
  [
    'values-chosen',
    'an axiom beside a proof that rests on nothing',
    filled(`${VALUE}Axiom a : d = 1.\n`, 'exact 0. Defined.'),
  ],
  [
    'values-chosen',
    'an axiom that speaks of it through modules and behind Qed, and one of a proof',
    filled(`${VALUE}${MODULES}`, 'exact 0. Defined.'),
  ],
  [
    'values-chosen',
    'a definition that may change',
    {
      target: 'Definition d := 1. Axiom a : d = 1. Theorem t : True. Admitted.\n',
      submission: 'Definition d := 2. Axiom a : d = 1. Theorem t : True. exact I. Qed.\n',
      policy: { definitionsMayChange: ['d'], theorems: ['t'] },
    },
  ],
  [
    'values-chosen',
    'a proof that rests on the axiom',
    filled(`${VALUE}Axiom a : d = 1. Theorem t : d = 1. Admitted.\n`, 'exact 0. Defined.', 'exact a. Qed.'),
  ],
  [
    'values-chosen',
    'a value that a signature hides, where nothing else is proved',
    filled(
      `Module Type T. Parameter n : nat. End T. Module M : T. ${VALUE}Definition n := d. End M. Axiom a : M.n = 1.\n`,
      'exact 0. Qed.',
    ),
  ],
  [
    'values-chosen',
    'what was not checked',
    filled(
      `${VALUE}#[bypass_check(guard)] Fixpoint f (n : nat) : d = 1 := f n. Theorem t : d = 1. Admitted.\n`,
      'exact 0. Defined.',
      'exact (f 0). Qed.',
    ),
  ],
  [
    'options-unread',
    'a makefile',
    { ...inFile('', ''), project: { unread: ['COQEXTRAFLAGS = $(shell cat flags)'] }, inFile: 'whole' },
  ],
  ['not-compared', 'a folder that dune may build', PLAIN],
  [
    'machine-checked',
    'a proof that rests on one of the target',
    {
      ...filled(`${BY_MACHINE}Lemma t : Nat.leb 2 4 = true. Admitted.\n`, 'exact fast. Qed.'),
      policy: { flags: [] },
    },
  ],
  [
    'unconfirmed',
    'a function of the target',
    filled(`${DOUBTFUL}Theorem t : True. Admitted.\n`, 'exact I. Qed.'),
  ],
  [
    'pins-nothing',
    'a library',
    { ...PLAIN, policy: { dependencies: { 'No.Such': `sha256:${'0'.repeat(64)}` } } },
  ],
  ['others-unfinished', 'a file', { ...inFile('Lemma h : True. Proof. admit. Qed.\n', ''), inFile: 'whole' }],
  ['author-trusted', 'a command', { ...PLAIN, policy: { commands: ['Redirect'] } }],
  [
    'unchecked',
    'a function of the target',
    filled(`${UNGUARDED}Theorem t : False. Admitted.\n`, 'exact (f 0). Qed.'),
  ],
];

describe('the kinds of warnings', () => {
  it('have a case each', () => {
    const tried = CASES.map(([kind]) => kind);
    const all = [...tried, ...Object.keys(NEVER), ...Object.keys(OF_OTHER_PROVERS)];
    expect([...new Set(all)].sort()).toEqual(Object.keys(WARNING_KINDS).sort());
  });
});

describe.skipIf(coqc === undefined || installedRelease >= 900 || !findEmbeddedRocq())(
  'both backends (needs Coq before 9.0)',
  () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'quod-warnings-'));
      writeFileSync(join(folder, 'dune-project'), '');
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const judged = (
      { target: text, submission, ...one }: Case,
      backend: JudgeBackend,
      at: string,
    ): Promise<Verdict> => {
      const project = {
        root: '/',
        source: undefined,
        loadPath: [],
        ocamlPath: [],
        arguments: [],
        ...one.project,
      };
      const settings = { backend, project, policy: { recheck: 'never' as const, ...one.policy } };
      const target = { path: join(at, 'T.v'), text };
      if (one.inFile === undefined) return verify(target, { path: 'S.v', text: submission }, settings);
      const onlyUpToProofs = one.inFile === 'up to the proof';
      const statements = sentencesOf(text, ['asked']);
      return judgeProof({ target, text: submission, statements, onlyUpToProofs }, settings);
    };

    it.each(CASES)('warn of %s: %s', async (kind, _, one) => {
      const at = kind === 'not-compared' ? folder : '/';
      const native = new NativeJudge(coqc ?? '', kind === 'no-sandbox' ? 'none' : undefined);
      const verdicts = await Promise.all(
        [native, new EmbeddedJudge()].map((backend) => judged(one, backend, at)),
      );
      const [byNative, byEmbedded] = verdicts.map((verdict) => {
        if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
        return verdict.restsOn.warnings ?? [];
      });
      expect(byNative).toContainEqual(expect.objectContaining({ kind }));
      const isGiven = NEVER[kind]?.embedded === undefined;
      expect(byEmbedded).toEqual(isGiven ? byNative : byNative?.filter((warning) => warning.kind !== kind));
    });
  },
);
