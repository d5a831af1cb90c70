/**
 * What a verdict says was not checked may speak of a value that the submission chose, as an axiom may. Each way stands in
 * the target twice, as in chosen-values.test.ts.
 */
import { describe, expect, it } from 'vitest';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import { verify } from '../../verify.ts';
import { coqc } from '../testing/installed-rocq.ts';

const PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const HOLE = 'Definition d : nat. Admitted.';
const SIGNATURE = 'Module Type P. Parameter v : nat. End P.\n';

/** Ways in which what is not checked, `U`, speaks of a value. */
const UNCHECKED: Record<string, (x: string) => string> = {
  'a type': (x) =>
    `#[bypass_check(positivity)] Inductive U : Set := c : ((U -> ${x} = ${x}) -> nat) -> (U -> nat) -> U.`,
  'one of two types': (x) =>
    `#[bypass_check(positivity)] Inductive V : Set := v with U : Set := c : (U -> ${x} = ${x}) -> U.`,
  'a function': (x) => `#[bypass_check(guard)] Fixpoint U (n : nat) {struct n} : nat := U (n + ${x}).`,
  'a function by way of a definition': (x) =>
    `Definition w := S ${x}. Unset Guard Checking. Fixpoint U (n : nat) {struct n} : nat := U (n + w). Set Guard Checking.`,
  'a finished proof': (x) =>
    `Unset Guard Checking. Lemma U : True. Proof. exact ((fix g (n : nat) {struct n} : True := g (n + ${x})) 0). Qed. Set Guard Checking.`,
  'a value in a universe that is too small': (x) =>
    `Unset Universe Checking. Definition U : Set := prod Set (${x} = ${x}). Set Universe Checking.`,
  'an instance of a functor': (x) => `Module E. Definition v := ${x}. End E.
Module F (X : P). #[bypass_check(guard)] Fixpoint U (n : nat) {struct n} : nat := U (n + X.v). End F. Module G := F E.
Definition U := G.U.`,
};

describe.skipIf(coqc === undefined)('what is not checked', () => {
  const judged = async (target: string, submission: string, policy: GatePolicy = {}) => {
    const verdict = await verify(
      { path: 'T.v', text: `${SIGNATURE}${target}` },
      { path: 'S.v', text: `${SIGNATURE}${submission}` },
      { project: PROJECT, policy: { recheck: 'never', ...policy } },
    );
    if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
    const [warning] = verdict.restsOn.warnings?.filter(({ kind }) => kind === 'values-chosen') ?? [];
    return warning?.message.replace(/^.*may be false: (.*)\.$/su, '$1').split('; ') ?? [];
  };

  it.each(Object.entries(UNCHECKED))(
    'is told where it speaks of a chosen value: %s',
    async (title, written) => {
      const ways = ['there', 'here'].map((which) => {
        const text = written(which === 'there' ? 'd' : 'own');
        return `Module ${which}. ${text} End ${which}.`;
      });
      const target = `${HOLE} Definition own := 1. ${ways.join('\n')}\nTheorem t : True. Admitted.\n`;
      const submission = target
        .replace(HOLE, 'Definition d : nat. exact 7. Defined.')
        .replace('True. Admitted', 'True. Proof. pose there.U. pose here.U. exact I. Qed');
      const named = { 'an instance of a functor': 'G.U', 'one of two types': 'V' }[title] ?? 'U';
      expect(await judged(target, submission)).toEqual([`there.${named} (of d)`]);
    },
  );

  it.each([
    ['an alias of the target', 'Module Z : T := F.', '', ['F.f (of d)', 'Z.f (of d)']],
    [
      'an alias of the submission',
      '',
      'Module Z : T := F.',
      ['F.f (of d)', 'Z.f (which the submission made)'],
    ],
    [
      'a functor of the submission',
      '',
      'Module G (X : P) : T. Definition f := F.f. End G. Module E. Definition v := 1. End E. Module Z := G E.',
      ['F.f (of d)'],
    ],
    [
      'a functor of the target, which says it of its parameter',
      `Module D. Definition v := d. End D.
Module G (X : P) : T. #[bypass_check(guard)] Fixpoint f (n : nat) {struct n} : nat := f (n + X.v). End G. Module Z := G D.`,
      '',
      ['F.f (of d)', 'Z.f (of d)'],
    ],
  ])('is told by way of a signature that hides it: %s', async (_, ofTarget, added, told) => {
    const function_ = '#[bypass_check(guard)] Fixpoint f (n : nat) {struct n} : nat := f (n + d).';
    const target = `Module Type T. Parameter f : nat -> nat. End T.
${HOLE} Module F. ${function_} End F. ${ofTarget} Theorem t : True. Admitted.`;
    const submission = target
      .replace(HOLE, 'Definition d : nat. exact 7. Defined.')
      .replace('Theorem t : True. Admitted.', `${added} Theorem t : True. Proof. pose Z.f. exact I. Qed.`);
    expect(await judged(target, submission)).toEqual(told);
  });

  it('is told where it is the proof or the value that was asked for', async () => {
    const open =
      'Unset Guard Checking. Theorem t : 1 = 2. Admitted. Definition d : nat. Admitted. Set Guard Checking.';
    const loop = (type: string): string =>
      `Proof. exact ((fix g (n : nat) {struct n} : ${type} := g n) 0). Qed`;
    const proved = open.replace('Admitted', loop('1 = 2')).replace('Admitted', loop('nat'));
    expect(await judged(open, proved)).toEqual(['d (of itself)', 't (of itself)']);
  });

  it('is told where the submission made it by a functor, and the policy allows none', async () => {
    const functor =
      'Module F (X : P). #[bypass_check(guard)] Fixpoint U (n : nat) {struct n} : nat := U (n + X.v). End F.';
    const target = `${functor} Theorem t : True. Admitted.`;
    const submission = `${functor} Module E. Definition v := 2. End E. Module G := F E.
Theorem t : True. Proof. pose G.U. exact I. Qed.`;
    expect(await judged(target, submission)).toEqual(['G.U (which the submission made)']);
    expect(await judged(target, submission, { flags: ['unchecked-guard'] })).toEqual([]);
  });
});
