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
