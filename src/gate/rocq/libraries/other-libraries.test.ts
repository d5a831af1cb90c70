/** Libraries of a project that were compiled in another theory than the target, or of which another file has the name. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import { verify } from '../../verify.ts';
import { readCompiledFile } from '../compiled/compiled-file.ts';
import { RequiredLibraries } from './required-libraries.ts';

const hasTools = findExecutable(['coqc']) !== undefined && (await findSandbox()) !== undefined;
const hasChecker = findExecutable(['coqchk', 'rocqchk']) !== undefined;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-other-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function compile(file: string, text: string, ...options: string[]): void {
  compileAs('P', file, text, ...options);
}

function compileAs(logical: string, file: string, text: string, ...options: string[]): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  execFileSync('coqc', ['-q', ...options, '-Q', dirname(path), logical, path]);
}

interface Judged {
  readonly policy?: GatePolicy;
  readonly options?: readonly string[];
  /** Those in the load path, in its order. */
  readonly folders?: readonly string[];
  /** What they are called. */
  readonly logical?: string;
}

function judge(target: string, proof: string, judged?: Judged) {
  return judgeFiles({ target, submission: target }, proof, judged);
}

/** @param submission with the holes of the target. */
async function judgeFiles(
  { target, submission }: Readonly<Record<'target' | 'submission', string>>,
  proof: string,
  { policy, options = [], folders = ['.'], logical = 'P' }: Judged = {},
) {
  const project: RocqProject = {
    ...{ root: folder, source: undefined, ocamlPath: [], arguments: options },
    loadPath: folders.map((path) => ({ flag: '-Q', physical: join(folder, path), logical })),
  };
  const verdict = await verify(
    { path: join(folder, 'T.v'), text: target },
    { path: join(folder, 'S.v'), text: submission.replaceAll('Admitted.', `Proof. ${proof} Qed.`) },
    { project, policy: { recheck: 'never', ...policy } },
  );
  if (verdict.kind === 'accepted')
    return verdict.statements.map(({ assumptions, openStatements }) => ({ assumptions, openStatements }));
  return verdict.kind === 'rejected' ? verdict.findings.map(({ kind }) => kind) : verdict;
}

/** A type of `Set` that speaks of all of `Set`, and a functor with one. */
const IMPREDICATIVE = `Inductive some : Set := mk (A : Set) (a : A).
Module Type E. End E.
Module F (X : E). Definition id : Set := forall A : Set, A -> A. End F.
`;
const USING = 'From P Require Import Lib.\nTheorem t : exists x : some, x = x.\nAdmitted.\n';
const PROOF = 'exists (mk nat 0). reflexivity.';
const RESTS = 'P.Lib relies on an impredicative Set.';

describe.skipIf(!hasTools)('a library in which Set is impredicative', () => {
  it('is named among what a proof rests on, and a policy can forbid it', async () => {
    compile('Lib.v', IMPREDICATIVE, '-impredicative-set');
    expect(await judge(USING, PROOF)).toEqual([{ assumptions: [RESTS], openStatements: [] }]);
    expect(await judge(USING, PROOF, { policy: { axioms: [] } })).toEqual(['checks-disabled']);
    const flags = ['impredicative-set'] as const;
    expect(await judge(USING, PROOF, { policy: { axioms: [], flags: [...flags] } })).toHaveLength(1);
    const unused = USING.replace('exists x : some, x = x', '1 = 1');
    expect(await judge(unused, 'reflexivity.')).toEqual([{ assumptions: [], openStatements: [] }]);
  });

  it('is no other theory where the project has the option, too', async () => {
    compile('Lib.v', IMPREDICATIVE, '-impredicative-set');
    expect(await judge(USING, PROOF, { options: ['-impredicative-set'] })).toEqual([
      { assumptions: [expect.stringMatching(/^Set is impredicative/u)], openStatements: [] },
    ]);
  });

  it.skipIf(!hasChecker)('of which the target copies a functor is no forgery of the submission', async () => {
    compile('Lib.v', IMPREDICATIVE, '-impredicative-set');
    const copying = `From P Require Import Lib.\nModule X. End X.\nModule FX := F X.\nTheorem t : FX.id.\nAdmitted.\n`;
    const exact = 'exact (fun A a => a).';
    const policy: GatePolicy = { recheck: 'always' };
    expect(await judge(copying, exact, { policy })).toMatchObject({
      ...{ kind: 'unknown', reason: 'unsupported' },
      message: expect.stringContaining('Compile the project with -impredicative-set, too') as unknown,
    });
    const options = ['-impredicative-set'];
    expect(await judge(copying, exact, { policy, options })).toHaveLength(1);
  });
});

it.skipIf(!hasTools)('of two libraries of one name the one that is loaded says what is open', async () => {
  compile('old/Lib.v', 'Lemma l : 0 + 0 = 0.\nProof. reflexivity. Qed.\n');
  compile('new/Lib.v', 'Lemma l : 0 = 1.\nAdmitted.\n');
  const target = 'From P Require Import Lib.\nTheorem t : 0 = 1.\nAdmitted.\n';
  const judged = (folders: readonly string[]) =>
    judge(target, 'exact l.', { folders, policy: { axioms: [] } });
  expect(await judged(['old', 'new'])).toEqual([{ assumptions: [], openStatements: ['P.Lib.l'] }]);
  expect(await judged(['new', 'old'])).toEqual(['does-not-compile']);
});

it.skipIf(!hasTools)(
  'what is open in a module of the file is not called like what is open in a library',
  async () => {
    compile('Lib.v', 'Lemma l : 0 = 1.\nAdmitted.\n');
    const target = `From P Require Lib.
Definition far := Lib.l.
Module P. Module Lib. Conjecture l : 0 = 2. Definition near := l. End Lib. End P.
Theorem t : 0 = 1 /\\ 0 = 2.
Admitted.
`;
    expect(await judge(target, 'exact (conj far P.Lib.near).')).toEqual([
      {
        assumptions: [],
        openStatements: expect.toSatisfy(
          (names: string[]) => names.toSorted().join() === 'P.Lib.l,P.T.P.Lib.l',
        ) as unknown,
      },
    ]);
  },
);

describe.skipIf(!hasTools)('a library whose name has letters beyond ASCII', () => {
  const target = 'From P Require Import é.\nTheorem t : g 0 = 1 /\\ 0 = 1.\nAdmitted.\n';
  const proof = 'exact (conj (@eq_refl nat 1) op).';
  const loop = 'Fixpoint g (n : nat) : nat := match n with 0 => 1 | S m => S (g (S m)) end.';
  const library = `Unset Guard Checking.\n${loop}\nSet Guard Checking.\nLemma op : 0 = 1.\nAdmitted.\n`;

  it('is found: what it leaves open or unchecked is named', async () => {
    compile('é.v', library);
    expect(await judge(target, proof)).toEqual([
      { assumptions: ['P.é.g is assumed to be guarded.'], openStatements: ['P.é.op'] },
    ]);
    expect(await judge(target, proof, { policy: { axioms: [] } })).toEqual(['checks-disabled']);
  });

  it('is not passed over where its file cannot be had', async () => {
    compile('é.v', library);
    compile('T.v', target);
    const file = readCompiledFile(readFileSync(join(folder, 'T.vo')));
    const required = new RequiredLibraries(file, {
      libraryFiles: async function* () {
        // None of the load path is that one.
      },
      installedDigest: () => Promise.resolve(undefined),
    });
    const missing = expect.objectContaining({ reason: 'library-missing' }) as unknown;
    await expect(required.find('P.é')).rejects.toEqual(missing);
    await expect(required.findForeign('P.é')).rejects.toEqual(missing);
    await expect(required.foreign()).rejects.toEqual(missing);
    await expect(required.contents()).rejects.toEqual(missing);
    await expect(required.files()).rejects.toEqual(missing);
  });
});

describe.skipIf(!hasTools)('a library of the target that is called like the beginning of another', () => {
  const STATED = 'Theorem t : forall P : Prop, P \\/ ~ P.\nAdmitted.\n';
  const PROVED = `Require Import Coq.Logic.Classical_Prop.\n${STATED}`;
  const IN_FOLDER = { folders: ['.'], logical: 'Coq' };

  it("does not make the axioms of that one the target's", async () => {
    compileAs('Coq', 'Logic.v', 'Definition three := 3.\n');
    const target = `Require Import Coq.Logic.\n${STATED}`;
    const added = { target, submission: `Require Import Coq.Logic.\n${PROVED}` };
    expect(await judgeFiles(added, 'exact classic.', IN_FOLDER)).toEqual(['new-axiom']);
    const both = `Require Import Coq.Logic.\n${PROVED}`;
    expect(await judge(both, 'exact classic.', IN_FOLDER)).toEqual([
      { assumptions: ['Coq.Logic.Classical_Prop.classic'], openStatements: [] },
    ]);
  });
});
