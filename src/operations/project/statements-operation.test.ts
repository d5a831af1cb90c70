/** What is still open under a theorem, across files and through definitions. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({
    _CoqProject: '-Q . P\nbase.v\nuser.v\n',
    'base.v': `Lemma hole : True. Admitted.
Definition through := hole.
Lemma fine : True. Proof. exact I. Qed.
(* Lemma commented : hole. *)
Axiom assumed : False.
`,
    'user.v': `From P Require Import base.
Theorem direct : True. Proof. exact hole. Qed.
Theorem indirect : True. Proof. exact through. Qed.
Theorem clean : True. Proof. exact fine. Qed.
Theorem shadowed : True. Proof. exact I. Qed.
Theorem bad : 0 = 1. Proof. destruct assumed. Qed.
`,
  });
});
afterAll(() => caller.close());

const restsOf = async (words: string) => {
  const { statements } = await operations.proof_statements.call({ words }, caller.context());
  return Object.fromEntries(statements.map(({ name, rests_on_open }) => [name, rests_on_open]));
};

it('is told through definitions and across files, and nothing is told of what is clean', async () => {
  expect(await restsOf('')).toEqual({
    hole: [],
    through: ['base.v:hole'],
    fine: [],
    assumed: [],
    direct: ['base.v:hole'],
    indirect: ['base.v:hole'],
    clean: [],
    shadowed: [],
    bad: ['base.v:assumed'],
  });
});

it('is searched by words of names and statements, with how many there are in all', async () => {
  const context = caller.context();
  const answer = await operations.proof_statements.call({ words: '"0 = 1" bad' }, context);
  expect(answer.statements.map(({ name, line, file }) => [name, line, file])).toEqual([['bad', 6, 'user.v']]);
  const open = await operations.proof_statements.call({ open_only: true, limit: 2 }, context);
  expect([open.statements.length, open.total]).toEqual([2, 5]);
});

it('has every name that a sentence assumes, also outside of sections and in module types', async () => {
  await caller.write(
    'assumes.v',
    `Axioms first second : 0 = 1.
Variable free : 0 = 1.
Context (given : 0 = 1).
Section S.
  Hypotheses (local other : 0 = 1).
End S.
Module Type T. Parameters a b : nat. Axiom ab : a = b. End T.
Declare Module M : T.
Lemma by_second : 0 = 1. Proof. exact second. Qed.
Lemma by_given : 0 = 1. Proof. exact given. Qed.
Lemma by_module : M.a = M.b. Proof. exact M.ab. Qed.
`,
  );
  const { statements } = await operations.proof_statements.call({ paths: ['assumes.v'] }, caller.context());
  expect(statements.map(({ name, state }) => `${name} ${state}`)).toEqual([
    ...['first assumed', 'second assumed', 'free assumed', 'given assumed', 'local defined', 'other defined'],
    ...['a assumed', 'b assumed', 'ab assumed', 'M assumed'],
    ...['by_second proved', 'by_given proved', 'by_module proved'],
  ]);
  const rests = Object.fromEntries(statements.map(({ name, rests_on_open }) => [name, rests_on_open]));
  expect(rests).toMatchObject({ by_second: ['assumes.v:second'], by_given: ['assumes.v:given'] });
  expect(rests['by_module']).toContain('assumes.v:ab');
  await caller.write('assumes.v', '');
});

it.each([
  [
    'doubleScript.sml',
    'Theory double\nDefinition double_def:\n  double n = n + n\nEnd\n\nTheorem one:\n  double 1 = 2\nProof\n  cheat\nQED\n\nTheorem two:\n  double 2 = 4\nProof\n  simp[one, double_def]\nQED\n',
    ['double_def 2 defined', 'one 6 open', 'two 12 proved doubleScript.sml:one'],
  ],
  [
    'Double.fst',
    'module Double\nlet double (n: nat) = n + n\n\n(* let no = 1 *)\nlet one () : Lemma (double 1 == 2) = admit ()\nlet two () : Lemma (double 2 == 4) = one ()\n',
    ['double 2 defined', 'one 5 open', 'two 6 defined Double.fst:one'],
  ],
  [
    'Double.lean',
    'def double (n : Nat) := n + n\n\n-- theorem no : False\ntheorem one : double 1 = 2 := by\n  sorry\ntheorem two : double 2 = 4 := by\n  have := one; rfl\nexample : True := sorry\n',
    ['double 1 defined', 'one 4 open', 'two 6 proved Double.lean:one', 'example 8 open'],
  ],
])('of other provers than Rocq it lists what is declared: %s', async (file, text, expected) => {
  await caller.write(file, text);
  const { statements } = await operations.proof_statements.call({ paths: [file] }, caller.context());
  expect(
    statements.map(({ name, line, state, rests_on_open }) => [name, line, state, ...rests_on_open].join(' ')),
  ).toEqual(expected);
});
