/** What no text shows of what a theorem rests on is told as soon as the files are compiled. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coqc } from '../../../gate/rocq/testing/installed-rocq.ts';
import { operations } from '../../catalogue.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

const BASE = `Create HintDb mine.
Parameter law : nat -> Prop.
Lemma by_hint : law 0. Admitted.
#[export] Hint Resolve by_hint : mine.
Inductive tree := Leaf | Node (l r : tree).
Structure pointed := Pointed { sort : Type; pt : sort }.
Lemma given_up : nat. Admitted.
Canonical Structure nat_pointed := Pointed nat given_up.
Module Type Order. Parameter t : Set. Axiom refl : forall x : t, x = x. End Order.
Module Facts (O : Order). Lemma twice : forall x : O.t, x = x. Proof. intros x. exact (O.refl x). Qed. End Facts.
Module Type T. Axiom q : False. Lemma r : False. Proof. exact q. Qed. End T.
`;
const USER = `From P Require Import base.
Lemma through_hint : law 0. Proof. auto with mine. Qed.
Lemma through_structure : exists n : nat, n = pt _. Proof. exists (pt _). reflexivity. Qed.
Module Nat_order. Definition t := nat. Lemma refl : forall x : t, x = x. Admitted. End Nat_order.
Module F := Facts Nat_order.
Lemma through_functor : 1 = 1. Proof. exact (F.twice 1). Qed.
Load "loaded".
Lemma through_loaded : 2 = 3. Proof. exact loaded. Qed.
Declare Module Declared : T.
Lemma through_declared : False. Proof. exact Declared.r. Qed.
Module Sealed : T. Lemma q : False. Admitted. Lemma r : False. Proof. exact q. Qed. End Sealed.
Module Copy := Sealed.
Lemma through_copy : False. Proof. exact Copy.r. Qed.
Lemma mentions_only : True. Proof. try exact by_hint. exact I. Qed.
Module N. Lemma same : True. Proof. exact I. Qed. End N.
Lemma same : law 0. Proof. eauto with mine. Qed.
Unset Guard Checking. Fixpoint endless (n : nat) : 1 = 2 := endless n. Set Guard Checking.
Lemma through_endless : 1 = 2. Proof. exact (endless 0). Qed.
Section S. Variable given : 1 = 2. Lemma of_section : 2 = 1. Proof. symmetry. exact given. Qed. End S.
`;

describe.skipIf(coqc === undefined)('of what is compiled', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller({
      _CoqProject: '-Q . P\nbase.v\nuser.v\n',
      'base.v': BASE,
      'user.v': USER,
      'loaded.v': 'Lemma loaded : 2 = 3. Admitted.\n',
    });
    for (const file of ['base.v', 'user.v'])
      execFileSync('coqc', ['-q', '-Q', '.', 'P', file], { cwd: caller.folder, stdio: 'ignore' });
  });
  afterAll(() => caller.close());

  const restsOf = async (paths: string[]) => {
    const { statements } = await operations.proof_statements.call({ paths }, caller.context());
    return Object.fromEntries(
      statements.map(({ name, state, rests_on_open, rests_on_assumed }) => [
        name,
        [state, ...rests_on_open.toSorted(), ...rests_on_assumed.toSorted().map((one) => `(${one})`)],
      ]),
    );
  };

  it('hints, structures, functors and loaded files are followed, and what is only mentioned is not', async () => {
    const law = 'base.v:law';
    expect(await restsOf(['user.v'])).toMatchObject({
      through_hint: ['proved', 'base.v:by_hint', `(${law})`],
      through_structure: ['proved', 'base.v:given_up'],
      through_functor: ['proved', 'user.v:refl'],
      through_loaded: ['proved', 'user.v:loaded'],
      through_declared: ['proved', 'user.v:q', '(base.v:q)'],
      through_copy: ['proved', 'user.v:q'],
      through_endless: ['proved', '(user.v:endless)'],
      mentions_only: ['proved'],
      of_section: ['proved'],
    });
  });

  it('the way to it is told, through what the texts do not state', async () => {
    const { statements } = await operations.proof_statements.call({}, caller.context());
    const uses = new Map(statements.map((one) => [one.name, one.uses]));
    expect(uses.get('through_hint')).toContain('base.v:by_hint');
    expect(uses.get('through_structure')).toContain('base.v:nat_pointed');
    expect(uses.get('nat_pointed')).toContain('base.v:given_up');
    expect(uses.get('through_functor')).toContain('user.v:refl');
    expect(uses.get('mentions_only')).toEqual([]);
  });

  it('names in modules are told apart', async () => {
    const { statements } = await operations.proof_statements.call(
      { paths: ['user.v'], words: 'same' },
      caller.context(),
    );
    expect(
      statements.map(({ name, rests_on_open, rests_on_assumed }) => [
        name,
        [...rests_on_open, ...rests_on_assumed].length,
      ]),
    ).toEqual([
      ['same', 0],
      ['same', 2],
    ]);
  });

  it('a compiled file that is cut off counts for none', async () => {
    const state = async () =>
      (await operations.proof_statements.call({ paths: ['loose.v'] }, caller.context())).statements[0]
        ?.compiled;
    await caller.write('loose.v', 'Lemma loose : True. Proof. exact I. Qed.\n');
    execFileSync('coqc', ['-q', '-Q', '.', 'P', 'loose.v'], { cwd: caller.folder, stdio: 'ignore' });
    expect(await state()).toBe('yes');
    await caller.write('loose.vo', '');
    expect(await state()).toBe('no');
  });

  it('a file that changed is told by its text again', async () => {
    await caller.write('user.v', USER.replace('auto with mine', 'exact by_hint'));
    const { through_hint, through_structure } = await restsOf(['user.v', 'base.v']);
    expect([through_hint, through_structure]).toEqual([
      ['proved', 'base.v:by_hint', '(base.v:law)'],
      ['proved'],
    ]);
  });
});
