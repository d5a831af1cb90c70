/** Files that Rocq and its checker take although they prove `False`, and their innocent twins. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orNothing } from '../../../core/entry.ts';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import { verify } from '../../verify.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import { readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { installedFile } from '../compiled/library-files.ts';
import { field } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import type { CompileRequest, CompileResult } from '../backends/judge-backend.ts';
import { NativeJudge } from '../backends/native-judge.ts';
import { blockOf, forged, type OpenLibrary } from '../testing/forged-file.ts';
import { coqc, installedLibrary, installedRelease } from '../testing/installed-rocq.ts';
import { TERM } from '../compiled/term-layout.ts';
import { ComparisonWork } from './comparison-work.ts';
import { misnamed } from './name-pairs.ts';

const NO_SANDBOX = (await findSandbox()) === undefined;
const COQCHK = findExecutable(['coqchk', 'rocqchk']);

const find: FindLibrary = (name) => {
  const path = installedFile(installedLibrary, name);
  return Promise.resolve(existsSync(path) ? readCompiledFile(readFileSync(path)) : undefined);
};

/** In which every name is compared by what it is called. */
const TARGET = `Definition yes : Prop := True.
Definition no : Prop := False.
Lemma t : no. Proof. Admitted.
`;
/** It proves what it says; with another body for \`no\` it would not. */
const SUBMISSION = `Definition yes : Prop := True.
Definition other : Prop := False.
Definition no : Prop := True.
Lemma h : yes. Proof. exact I. Qed.
Lemma u : no. Proof. exact h. Qed.
Lemma t : no. Proof. exact u. Qed.
`;

/** `u` has a type that is compared as `yes`, which is `True`, and unfolded as `no`, which is `False`. */
function pairForged(library: OpenLibrary): void {
  const { constant, setConstant } = library;
  setConstant('no', 'body', constant('other', 'body'));
  const pair = new Block(1, [nameOf(library, 'no'), nameOf(library, 'yes')]);
  const { fields } = blockOf(field(constant('u', 'type'), 0));
  setConstant('u', 'type', new Block(TERM.constant, [new Block(0, [pair, ...fields.slice(1)])]));
}

/** Of a constant of the test, as types of others have it. */
function nameOf({ constant }: OpenLibrary, label: 'yes' | 'no'): OcamlValue {
  const term = constant(label === 'yes' ? 'h' : 't', 'type');
  return field(field(field(term, 0), 0), 0);
}

/** The library's module takes `no` for `yes`, which are different. */
function resolverForged(library: OpenLibrary): void {
  const { constant, setConstant, layout, module } = library;
  setConstant('no', 'body', constant('other', 'body'));
  const tree = (key: OcamlValue, value: OcamlValue): Block => new Block(0, [0, key, value, 0, 1]);
  const name = nameOf(library, 'no');
  const names = tree(0, tree(name, new Block(1, [nameOf(library, 'yes')])));
  const aliases = blockOf(layout.module.of(module, 'aliases'));
  aliases.fields[aliases.fields.length - 1] = names;
}

/** `no` is `True` until `u` is proved, and `False` then. */
function declaredTwice({ structure, declaration, constant, layout }: OpenLibrary): void {
  const value = blockOf(field(declaration('no'), 0));
  const place = layout.constant.entries.findIndex(([name]) => name === 'body');
  const other = new Block(value.tag, value.fields.with(place, constant('other', 'body')));
  const at = structure.findIndex(({ fields }) => fields[0] === 'u');
  structure.splice(at + 1, 0, new Block(0, ['no', new Block(declaration('no').tag, [other])]));
}

/** The same by a module that says that it is the whole file. */
function saidToBeElsewhere({ declaration, module, layout }: OpenLibrary): void {
  const place = layout.module.entries.findIndex(([name]) => name === 'path');
  blockOf(field(declaration('M'), 0)).fields[place] = field(module, place);
}

class ForgingJudge extends NativeJudge {
  hasForged = false;

  override async compile(request: CompileRequest): Promise<CompileResult> {
    const result = await super.compile(request);
    if (result.status !== 'compiled' || !request.text.includes('other')) return result;
    this.hasForged = true;
    const unit = await this.unitOf(request, forged(result.unit.bytes, pairForged));
    return { status: 'compiled', unit };
  }
}

function compiled(text: string, change: (library: OpenLibrary) => void = () => {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'quod-names-test-'));
  try {
    const path = join(folder, 'Unit.v');
    writeFileSync(path, text);
    execFileSync('coqc', ['-q', '-w', 'none', '-Q', folder, 'Forged', path]);
    return forged(readFileSync(`${path}o`), change);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the prover's checker says against a file. */
function refusal(bytes: Uint8Array): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'quod-names-test-'));
  try {
    writeFileSync(join(folder, 'Unit.vo'), bytes);
    execFileSync(orNothing(COQCHK), ['-silent', '-Q', folder, 'Forged', 'Forged.Unit'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const problemOf = (bytes: Uint8Array): Promise<string | undefined> => problemIn(readCompiledFile(bytes));
const problemIn = async (file: CompiledFile, target?: CompiledFile): Promise<string | undefined> =>
  (await misnamed(file, target, find, new ComparisonWork()))?.message;

/** Files of the library of which most names are pairs. */
const MOST_PAIRS = [
  ...['Structures.OrdersEx', 'FSets.FMapAVL', 'PArith.POrderedType', 'Numbers.Natural.Peano.NPeano'],
  ...['Numbers.Natural.Binary.NBinary', 'Numbers.Integer.Binary.ZBinary', 'MSets.MSetAVL', 'ZArith.BinInt'],
  ...['MSets.MSetRBT', 'MSets.MSetList', 'NArith.BinNat', 'micromega.ZifyInst', 'FSets.FSetProperties'],
];

/** Every way in which a name becomes a pair. */
const COPIES = `Require Import PeanoNat.
Unset Elimination Schemes.
Module Type T. Parameter t : Set. Parameter x : t. Axiom a : x = x.
  Inductive i : Set := c : t -> i. Definition d := c x. Module N. Definition e := d. End N. End T.
Module A <: T. Definition t : Set := nat. Definition x := 1. Lemma a : x = x. Proof. reflexivity. Qed.
  Inductive i : Set := c : t -> i. Definition d := c x. Module N. Definition e := d. End N. End A.
Module B := A.
Module C := B.N.
Module I. Include A. End I.
Module J. Include Nat. End J.
Module Type U. Include T. Parameter y : t. End U.
Module Type V := T with Definition t := nat.
Module Type W. Declare Module M : T. Parameter z : M.t. End W.
Module Type WA := W with Module M := A.
Module F (X : T). Module Y := X. Module Z. Include X. End Z. Definition w := Y.x. Lemma l : Y.x = Z.x.
  Proof. reflexivity. Qed. End F.
Module FA := F A.
Module FB := F B.
Module G (X : WA). Module Y := X.M. Definition w : nat := X.M.x. Inductive k := K : Y.i -> k. End G.
Module S : T := A.
Module S2 := S.
Module FS := F S2.
Module H. Module F2 := F. Module R := F2 I. End H.
Module H2. Include H. End H2.
Lemma both : B.x = A.x /\\ C.e = A.N.e /\\ J.add 1 1 = 2 /\\ FB.Y.x = A.x.
Proof. repeat split. Qed.
Lemma more : S2.x = S.x /\\ H2.R.Y.x = I.x /\\ Nat.add 1 1 = J.add 1 1. Proof. repeat split. Qed.
`;

/** The type of a functor's argument gives what it defines in other words than the argument does. */
const IN_OTHER_WORDS = `Module Type D. Definition k := 2. Definition j := k. End D.
Module E <: D. Definition k := 1 + 1. Definition j := 2. End E.
Module FD (X : D). Module Y := X. Definition m := Y.k. End FD.
Module FE := FD E.
Module Type D2. Parameter t : Type. Inductive i : Type := c : t -> i. End D2.
Module E2 <: D2. Definition t : Set := nat. Inductive i : Type := c : t -> i. End E2.
Module I. Include E2. End I.
Module FD2 (X : D2). Module Z. Include X. End Z. End FD2.
Module H. Module R := FD2 I. End H.
Module H2. Include H. End H2.
Lemma convertible : FE.Y.k = E.k /\\ FE.Y.j = FE.m. Proof. split; reflexivity. Qed.
`;

describe.skipIf(coqc === undefined)('names in a compiled file', { timeout: 120_000 }, () => {
  it.skipIf(COQCHK === undefined)('are those of what they are compared with, or it is refused', async () => {
    const innocent = compiled(SUBMISSION);
    expect(await problemOf(innocent)).toBeUndefined();
    expect(refusal(innocent)).toBeUndefined();
    const file = compiled(SUBMISSION, pairForged);
    // The checkers of newer releases may refuse it themselves.
    if (installedRelease < 900) expect(refusal(file)).toBeUndefined();
    expect(await problemOf(file)).toBe(
      'It takes Forged.Unit.no for Forged.Unit.yes, which no module says to be the same.',
    );
  });

  it('are refused where the module that says that they are the same is wrong', async () => {
    const forge = (library: OpenLibrary): void => {
      pairForged(library);
      resolverForged(library);
    };
    expect(await problemOf(compiled(SUBMISSION, forge))).toBe(
      'It takes Forged.Unit.no for Forged.Unit.yes, which is declared in other words.',
    );
  });

  it('stand for one declaration each', async () => {
    const file = compiled(SUBMISSION, declaredTwice);
    if (COQCHK !== undefined) expect(refusal(file)).toBeUndefined();
    expect(await problemOf(file)).toBe('It declares Forged.Unit.no twice.');
  });

  it.skipIf(installedRelease >= 901)('are in the module that they are said to be in', async () => {
    const text = SUBMISSION.replace('Lemma t', 'Module M. Definition no : Prop := False. End M.\nLemma t');
    expect(await problemOf(compiled(text))).toBeUndefined();
    const file = compiled(text, saidToBeElsewhere);
    if (COQCHK !== undefined) expect(refusal(file)).toBeUndefined();
    expect(await problemOf(file)).toBe('Its module Forged.Unit.M says that it is Forged.Unit.');
  });

  it('are taken as Rocq makes them in copies of modules', async () => {
    expect(await problemOf(compiled(COPIES))).toBeUndefined();
  });

  it('are not known to be right where what they mean is said in other words', async () => {
    const file = readCompiledFile(compiled(IN_OTHER_WORDS));
    expect(await problemIn(file)).toMatch(/^It takes Forged.Unit.*, which is declared in other words/u);
    expect(await problemIn(file, file)).toBeUndefined();
  });

  it.each(MOST_PAIRS)('are taken as Rocq made them in %s', async (name) => {
    const file = await find(`Coq.${name}`);
    if (file !== undefined) expect(await problemIn(file)).toBeUndefined();
  });

  it.skipIf(NO_SANDBOX)('decide', async () => {
    const backend = new ForgingJudge(orNothing(coqc));
    const project = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
    const target = { path: 'Target.v', text: TARGET };
    const text = SUBMISSION;
    const verdict = await verify(target, { path: 'Submission.v', text }, { project, backend });
    expect(backend.hasForged).toBe(true);
    expect(verdict).toMatchObject({ kind: 'rejected', findings: [{ kind: 'kernel-rejected' }] });
  });
});
