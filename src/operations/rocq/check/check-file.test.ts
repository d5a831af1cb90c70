import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { LineIndex } from '../../../core/position.ts';
import type { Prover } from '../../../core/prover.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import { checkFile } from './check-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function check(
  text: string,
  { timeoutMs = 60_000, prover }: { readonly timeoutMs?: number; readonly prover?: Prover } = {},
) {
  const report = await checkFile({
    file: join(folder, 'checked.v'),
    text,
    prover: prover ?? (await findRocq('auto')),
    timeoutMs,
    signal: new AbortController().signal,
  });
  const lines = new LineIndex(text);
  const errors = report.errors.map(({ span, message, follows }) => {
    const { line, column } = lines.printedAt(span.start);
    return `${line}:${column} ${follows === undefined ? '' : `(${follows}) `}${message}`;
  });
  return { ...report, errors, remedies: report.errors.map(({ remedy }) => remedy) };
}

test('a file without errors has none, and its holes are listed', async () => {
  const report = await check(`Lemma a : True. Proof. exact I. Qed.
Lemma b : True /\\ True. Proof. split. - exact I. - admit. Admitted.
Lemma c : True. Abort.`);
  expect(report.errors).toEqual([]);
  expect(report.holes.map(({ theorem, kind }) => [theorem, kind])).toEqual([
    ['b', 'admitted'],
    ['c', 'aborted'],
  ]);
  expect(report.times).toHaveLength(14);
  expect(report).toMatchObject({ skipped: 0, partial: false });
});

test('a file is run once: nothing goes back to its beginning, and no sentence is tried before it is run', async () => {
  const prover = await findRocq('auto');
  const session = await prover.openSession({ file: join(folder, 'once.v') });
  const [run, query] = [vi.spyOn(session, 'run'), vi.spyOn(session, 'query')];
  const opened = vi.spyOn(prover, 'openSession').mockResolvedValue(session);
  const text = 'Lemma a : True. Proof. exact I. Qed.\nLemma b : True. Proof. exact a. Qed.';
  expect((await check(text, { prover })).errors).toEqual([]);
  opened.mockRestore();
  const ran = run.mock.calls.map(([from, sentence, options]) => ({ from, ...sentence, ...options }));
  const asked = [...ran, ...query.mock.calls.map(([from]) => ({ from }))];
  // Before the file and with its first sentence.
  expect(asked.filter(({ from }) => from === session.root)).toHaveLength(2);
  const ofFile = ran.filter((each) => text.includes(each.text));
  expect(ofFile).toHaveLength(8);
  expect(ofFile.filter(({ expected }) => expected !== true)).toEqual([]);
});

test('what Rocq takes as finished is no hole, whatever its text shows', async () => {
  const finished = `Lemma h : True. Proof. first [exact I | admit]. Qed.
Definition c : forall admit : nat, nat. Proof. intro admit. exact (S admit). Defined.
Class Valued := { value : nat }.
#[refine, export] Instance five : Valued := {| value := 5 |}.
Defined.
`;
  expect(await check(finished)).toMatchObject({ errors: [], holes: [] });
  const { errors, holes } = await check(`${finished}Lemma given : True. Proof. idtac. admit. Qed.
Lemma half : True /\\ True. Proof. split. - nonsense. - give_up. Qed.
Lemma empty : True. Proof. Qed.`);
  expect(errors).toHaveLength(3);
  expect(holes.map(({ theorem, kind }) => [theorem, kind])).toEqual([
    ['given', 'admit'],
    ['half', 'give_up'],
    ['empty', 'empty'],
  ]);
});

test('to go back is for sessions: a compiler refuses it', async () => {
  const { errors } = await check(`Lemma a : True. Proof. exact I. Qed.
Back 1.
(* why *) Time Fail Timeout 9 Back. Lemma b : True. Proof. exact I. Qed.
Definition Back := 1. Check Back.`);
  expect(errors).toEqual([
    '2:0 A compiler takes no `Back` in a file: it is for sessions alone.',
    '3:10 A compiler takes no `Back` in a file: it is for sessions alone.',
  ]);
});

test('every error is found: in statements, definitions, several in one proof, at Qed and at the end', async () => {
  const report = await check(`Definition d : nat := true.
Lemma uses_d : d = d.
Proof.
  nonsense.
Qed.
Lemma two (n : nat) : n = n /\\ (n = n /\\ n = n).
Proof.
  split.
  - foo.
    reflexivity.
  - split.
    { bar. }
    { reflexivity. }
Qed.
Lemma three : True.
Proof.
  idtac.
Qed.
Lemma fine (n : nat) : n = n.
Proof. destruct (two n) as [both _]. exact both. Qed.
Check (fun x => .`);
  expect(report.errors).toEqual([
    expect.stringMatching(/^1:22 The term "true" has type "bool"/),
    expect.stringMatching(/^2:15 \(d\) The reference d was not found/),
    expect.stringMatching(/^9:4 .*foo/),
    expect.stringMatching(/^12:6 .*bar/),
    expect.stringMatching(/^18:0 .*incomplete proof/),
    expect.stringMatching(/^21:\d+ .*[Ss]yntax error/),
  ]);
});

test('a sentence that is too slow costs that sentence', async () => {
  const report = await check(
    `Fixpoint ack (m : nat) : nat -> nat :=
  match m with 0 => S | S p => fix f n := match n with 0 => ack p 1 | S q => ack p (f q) end end.
Lemma slow : ack 4 4 = 0.
Proof. vm_compute. reflexivity. Qed.
Lemma wrong : True.
Proof. exact 0. Qed.`,
    { timeoutMs: 2_000 },
  );
  expect(report.errors).toHaveLength(2);
  expect(report.errors[1]).toMatch(/^6:13 The term "0"/);
  expect(report.partial).toBe(false);
});

test('a text that ends inside a sentence or comment is told where that begins', async () => {
  expect((await check('Lemma a : True.\nProof. exact I. Qed.\n  Lemma b : ')).errors).toEqual([
    expect.stringMatching(/^3:2 The sentence that starts here has no end/),
  ]);
  expect((await check('Definition a := 1.\n(* open')).errors).toEqual([
    expect.stringMatching(/^2:0 The comment that starts here has no end/),
  ]);
});

test('a line that begins like a sentence inside of one that fails is told, as a dot may be missing there', async () => {
  const { errors } = await check('Lemma a : 1 = 1\nProof.\nLemma b : 1 = 1.\nProof.\n  reflexivity\nQed.\n');
  expect(errors).toEqual([
    expect.stringMatching(/^2:0 .*Proof was not found.*\nIs a dot missing before `Proof`, at 2:0\?$/su),
    expect.stringMatching(/Is a dot missing before `Qed`, at 6:0\?$/u),
  ]);
});

test('a missing library is told with the package that has it', async () => {
  const { remedies } = await check('From VST Require Import floyd.');
  expect(remedies).toEqual([expect.stringContaining('opam install coq-vst')]);
});

test('a check that is stopped says that it is partial', async () => {
  const controller = new AbortController();
  const rocq = await findRocq('auto');
  const report = await checkFile({
    file: join(folder, 'checked.v'),
    text: `Goal True. ${'idtac. '.repeat(20_000)}`,
    prover: {
      identity: rocq.identity,
      capabilities: rocq.capabilities,
      openSession: async (context) => {
        const session = await rocq.openSession(context);
        setTimeout(() => controller.abort(), 300);
        return session;
      },
    },
    timeoutMs: 60_000,
    signal: controller.signal,
  });
  expect(report).toMatchObject({ partial: true });
});

test('a section and a module without an end are errors, as they are for the compiler', async () => {
  const report = await check('Module N.\nSection S.\nVariable x : nat.\nSection T.\nEnd T.\n');
  expect(report.errors.filter((error) => error.includes('has no'))).toEqual([
    '1:0 The module N that begins here has no `End N.`',
    '2:0 The section S that begins here has no `End S.`',
  ]);
});

test.each([
  [
    'obligations of Program',
    'Require Import Program.\nProgram Definition f : {n | n > 3} := 2.',
    'obligations',
  ],
  ['a proof that is all there but for its Qed', 'Lemma a : True.\nProof.\n  exact I.', 'inside a proof'],
  ['a module that a loaded file opens', 'Load "opens".', 'inside a section or a module'],
  ['a proof that a loaded file begins', 'Load "begins".', 'proof'],
])('what a compiler refuses at the end of a file is an error: %s', async (_, text, said) => {
  writeFileSync(join(folder, 'opens.v'), 'Module Opened.\n');
  writeFileSync(join(folder, 'begins.v'), 'Lemma begun : True.\n');
  const { errors } = await check(text.replace('"', `"${folder}/`));
  expect(errors).toEqual([expect.stringContaining(said)]);
});

test.each(['all', 'backtrace'])(
  'a file that has the prover tell of its work has no error by that: %s',
  async (what) => {
    const { errors, holes } = await check(
      `Set Debug "${what}".\nTheorem t : 1 = 1. Proof. reflexivity. Qed.\nLemma u : True. Admitted.`,
    );
    expect([errors, holes.map(({ theorem }) => theorem)]).toEqual([[], ['u']]);
  },
);

test('what is admitted out of sight is a hole: in a loaded file, in modules, by another name', async () => {
  writeFileSync(
    join(folder, 'part.v'),
    'Lemma hidden : False. Admitted.\nModule M. Lemma inside_subproof : False. Admitted. End M.\n',
  );
  const text = `Lemma seen : True. Admitted.
Add Search Blacklist "hid".
Load "${folder}/part".
Axiom assumed : False.
Lemma rests : False. Proof. exact hidden. Qed.`;
  const { errors, holes } = await check(text);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem, kind }) => `${theorem} ${kind}`).toSorted()).toEqual([
    'M.inside_subproof admitted',
    'hidden admitted',
    'seen admitted',
  ]);
  const hidden = holes.find(({ theorem }) => theorem === 'hidden');
  expect(text.slice(hidden?.span.start, hidden?.span.end)).toContain('Load');
});

test('what the text shows as a hole is told once', async () => {
  const { holes } = await check(`Require Import Program.
Goal False. Admitted.
Lemma a : True with b : True. Admitted.
Program Definition f : {n | n > 3} := 2.
Next Obligation. Admitted.
Program Definition g : {n | n > 3} := 2.
Admit Obligations.
Module N. Lemma c : True /\\ True. split. - admit. - admit. Admitted. End N.
Program Definition complete : {n | n > 3} := 4.`);
  expect(holes.map(({ theorem }) => theorem)).toEqual([
    'Goal',
    'a',
    'Next Obligation',
    'obligations',
    'c',
    'c',
  ]);
});

test('what is given up is no hole where its name is taken again, and obligations where any are admitted', async () => {
  const { errors, holes } = await check(`Require Import Program.
Lemma proved : True. Abort.
Lemma proved : True. Abort All.
Lemma proved : True. exact I. Qed.
Lemma open : True. Abort.
Lemma open : True. Admitted.
Lemma other : False. Abort.
Lemma other : True. exact I. Qed.
Program Definition f (n : nat) : {m | m = n} := n.
Admit Obligations.`);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem, kind }) => [theorem, kind])).toEqual([['open', 'admitted']]);
});

test('what a file assumes is named, and where the kernel checks less', async () => {
  const report = await check(`Require Import Classical.
Class C := { c : nat }.
#[export] Declare Instance d : C.
Axiom a : False.
(* Axiom not_this : False. *)
Parameters (p q : nat).
Module Type T. Parameter t : nat. End T.
Declare Module M : T.
Section s. Variable v : nat. Lemma l : v = v. Proof. reflexivity. Qed. End s.
Unset Guard Checking.
Fixpoint f (n : nat) : False := f n.
Set Guard Checking.
#[bypass_check(guard)] Fixpoint g (n : nat) : False := g n.
Lemma h : False.
Admitted.`);
  expect(report.errors).toEqual([]);
  expect(report.assumed?.toSorted()).toEqual(['M.t', 'a', 'd', 'p', 'q']);
  expect(report.holes.map(({ theorem }) => theorem)).toEqual(['h']);
  const said = report.warnings.filter(({ message }) => message.includes('kernel'));
  expect(said.map(({ message }) => message)).toEqual([
    expect.stringContaining('the kernel does not check this: guarded'),
    expect.stringContaining('a check of the kernel off'),
  ]);
});

test('what a file conjectures it assumes, and no hole of the same name is taken for it', async () => {
  const { errors, holes, assumed } = await check(`Conjecture c : 1 = 2.
Conjectures (d : 2 = 3) (e : 3 = 4).
Module M. Conjecture c : 4 = 5. Lemma open : True. Admitted. End M.
Module N. Lemma c : True. Admitted. End N.
Module Type T. Conjecture f : True. End T.
Lemma f : True. Admitted.
Module F (X : T). Conjecture g : False. End F.
Module Q : T. Conjecture f : True. End Q.
Import N.
Theorem t : 3 = 4. Proof. discriminate M.c. Qed.`);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem }) => theorem)).toEqual(['open', 'c', 'f']);
  expect(assumed).toHaveLength(6);
  expect(assumed).toEqual(expect.arrayContaining(['M.c', 'd', 'e', 'F.g', 'Q.f']));
});

test('a file that assumes nothing says so, and one that ends with checks off says that', async () => {
  expect((await check('Lemma a : True. Proof. exact I. Qed.')).assumed).toEqual([]);
  writeFileSync(join(folder, 'loaded.v'), 'Axiom behind : False.\nUnset Universe Checking.\n');
  const loads = await check(`Load "${join(folder, 'loaded')}".`);
  expect(loads.assumed).toEqual(['behind']);
  expect(loads.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('the kernel does not check this: universes'),
  ]);
});

test('a copy of what is admitted or assumed is none of its own', async () => {
  const text = `Module M.
Lemma x : 1 = 1. Admitted.
Axiom y : True.
End M.
Module K := M.
Module N. Include M. End N.
Module Type T. Parameter z : nat. End T.
Module F (X : T). Lemma h : True. Admitted. Module I. Lemma i : True. Admitted. End I. End F.
Declare Module D : T.
Module A := F D.
Module B. Include F D. End B.
Lemma later : 1 = 1. Proof. reflexivity. Qed.`;
  const { errors, holes, assumed } = await check(text);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem }) => theorem)).toEqual(['x', 'h', 'i']);
  expect(assumed?.toSorted()).toEqual(['D.z', 'M.y']);
});

test('behind a signature what is proved is not assumed, and what is assumed is named', async () => {
  const { errors, holes, assumed } = await check(`Module Type S. Parameter x : True. End S.
Module Proved : S. Lemma x : True. Proof. exact I. Qed. End Proved.
Module Visible <: S. Lemma x : True. Proof. exact I. Qed. End Visible.
Module Again : S := Visible.
Module Open : S. Lemma x : True. Admitted. End Open.
Module Taken : S. Axiom x : True. End Taken.
Module Resting : S. Axiom hidden : True. Lemma x : True. Proof. exact hidden. Qed. End Resting.
Module Typed : S. Include S. End Typed.
Module Outer : S. Module Q : S. Axiom y : True. Definition x := y. End Q. Definition x := Q.x. End Outer.`);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem }) => theorem)).toEqual(['Open.x']);
  expect(assumed?.toSorted()).toEqual(['Outer.Q.y', 'Resting.hidden', 'Taken.x', 'Typed.x']);
});

test('what a functor assumes is named, and what it admits out of sight is a hole', async () => {
  writeFileSync(join(folder, 'in_functor.v'), 'Lemma loaded : True. Admitted.\n');
  const { errors, holes, assumed } = await check(`Module Type T. Parameter z : nat. End T.
Module F (X : T). Axiom fa : X.z = 1.
  Module G (Y : T). Axiom ga : X.z = Y.z. Lemma p : True. Proof. exact I. Qed. End G.
  Module Type Inner. Parameter not_this : nat. End Inner.
  Declare Module E : T.
  Load "${folder}/in_functor".
End F.
Module Type U. Module V (X : T). Axiom nor_this : X.z = 1. End V. End U.
Declare Module D : T.
Module A := F D.`);
  expect(errors).toEqual([]);
  expect(holes.map(({ theorem }) => theorem)).toEqual(['F.loaded']);
  expect(assumed?.toSorted()).toEqual(['A.E.z', 'A.fa', 'D.z', 'F.E.z', 'F.G.ga', 'F.fa']);
});

test('a hole that a functor brings stands where the module is made', async () => {
  writeFileSync(join(folder, 'functor.v'), 'Module F (X : T). Lemma brought : True. Admitted. End F.\n');
  writeFileSync(join(folder, 'nothing.v'), 'Definition nothing := 0.\n');
  const text = `Module Type T. End T. Declare Module D : T.
Load "${folder}/nothing". Load "${folder}/functor".
Module A := F D.
Lemma later : 1 = 1. Proof. reflexivity. Qed.`;
  const [hole, ...others] = (await check(text)).holes;
  expect(others).toEqual([]);
  expect(hole?.theorem).toBe('A.brought');
  expect(text.slice(hole?.span.start, hole?.span.end)).toBe('Module A := F D.');
});

test('what a library has that the file does not import is told with the import, once', async () => {
  const report = await check('Lemma a : forall n, n <= n + 1.\nProof. intros. lia. Qed.');
  expect(report.errors).toEqual(['2:15 The reference lia was not found in the current environment.']);
  expect(report.remedies).toEqual([
    expect.stringMatching(/^Rocq takes this where `From \w+ Require Import Lia\.` stands before it\.$/u),
  ]);
});
