import { describe, expect, it } from 'vitest';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { claimOf, claimTexts, namesOf, stateClaim, type Claim } from './claim.ts';

function claimIn(text: string): Claim {
  const outline = outlineOf(text);
  const theorem = outline.statements.at(-1);
  if (theorem === undefined) throw new Error('no theorem');
  const claim = claimOf(outline, theorem);
  if ('kind' in claim) throw new Error(claim.message);
  return claim;
}

describe('the claim that a theorem is false', () => {
  it('negates the statement with the binders of the theorem', () => {
    const claim = claimIn('Lemma small (n : nat) : n < 3. Admitted.');
    const stated = stateClaim(claim, []);
    const [plain] = stated.theorems;
    expect(plain?.sentence).toBe('Theorem small_false : ~ (forall (n : nat), n < 3).');
    expect(claimTexts(claim, stated, 'Theorem small_false : P.', ['Proof.', 'Admitted.'])).toEqual([
      'Theorem small_false : P.\nProof.\nAdmitted.\nLemma small (n : nat) : n < 3.\nProof.\nAdmitted.\n',
    ]);
  });

  it('declares the universe levels that the statement declares, and is polymorphic as it is', () => {
    const head = (text: string): string => stateClaim(claimIn(text), []).head;
    expect(head('Lemma o@{u v | u < v} : P. Admitted.')).toBe('Theorem o_false@{u v | u < v}');
    expect(head('Polymorphic Lemma o @{u} (A : Type@{u}) : P. Admitted.')).toBe(
      'Polymorphic Theorem o_false@{u}',
    );
    expect(head('#[universes(polymorphic)] Lemma o : P. Admitted.')).toBe(
      '#[universes(polymorphic)] Theorem o_false',
    );
    expect(() => claimIn('Section s. Lemma o@{u} : P. Admitted.')).toThrow('in a section');
  });

  it('has a name that the file does not have', () => {
    expect(claimIn('Axiom a_false : False.\nLemma a : 1 = 2. Admitted.').name).toBe('a_false_1');
  });

  it('quantifies what a section leaves open, behind its end', () => {
    const claim = claimIn('Section s.\nVariable n : nat.\nLemma zero : n = 0. Admitted.\nEnd s.');
    const stated = stateClaim(claim, ['n']);
    expect(stated.definitions).toEqual(['#[using="All"] Definition zero_statement : Prop := n = 0.']);
    expect(stated.theorems[0]?.sentence).toBe('Theorem zero_false : ~ (forall n, @zero_statement n).');
    expect(namesOf(claim).definition).toBe('zero_statement');
    const [text] = claimTexts(claim, stated, 'Theorem zero_false : P.', ['Admitted.']);
    // The theorem is read in its section, where the definition is.
    expect(text).toContain('Lemma zero : n = 0.\nProof.\nAdmitted.\nEnd s.\nTheorem zero_false : P.');
  });

  it('ends the modules that it stands in, and has a second text for one that must be complete', () => {
    const claim = claimIn('Module m.\nLemma zero : 1 = 0. Admitted.\nDefinition x := 1.\nEnd m.');
    const [ended, whole] = claimTexts(claim, stateClaim(claim, []), 'Theorem zero_false : P.', ['Admitted.']);
    expect(ended).toBe(
      'Module m.\nTheorem zero_false : P.\nAdmitted.\nLemma zero : 1 = 0.\nProof.\nAdmitted.\nEnd m.\n',
    );
    expect(whole).toContain('Definition x := 1.\nEnd m.');
    expect(namesOf(claim)).toEqual({ claim: 'm.zero_false', statement: 'm.zero' });
  });

  it('is of a goal without a name, too, which the judged text gives one', () => {
    const claim = claimIn('Goal 1 = 1. reflexivity. Qed.\nGoal 1 = 0. Admitted.');
    const [text] = claimTexts(claim, stateClaim(claim, []), 'Theorem goal_false : P.', ['Admitted.']);
    expect(text).toContain('Admitted.\nTheorem goal_stated : 1 = 0.\nProof.\nAdmitted.\n');
    expect(namesOf(claim)).toEqual({ claim: 'goal_false', statement: 'goal_stated' });
  });

  it.each([
    ['without a blank', 'Goal(1 = 0).', '(1 = 0)'],
    ['behind a comment', 'Goal(* of numbers *)1 = 0.', '1 = 0'],
    ['with an attribute', '#[local] Goal 1 = 0.', '1 = 0'],
    ['of an instance', 'Local Instance : Reflexive lt.', 'Reflexive lt'],
    ['of an instance with a priority', '#[export] Instance : Reflexive lt | 3.', 'Reflexive lt'],
  ])('gives a statement without a name one: %s', (_what, sentence, statement) => {
    const claim = claimIn(`${sentence} Admitted.`);
    const texts = claimTexts(claim, stateClaim(claim, []), 'Theorem goal_false : P.', ['Admitted.']);
    expect(texts).toEqual([
      `Theorem goal_false : P.\nAdmitted.\nTheorem goal_stated : ${statement}.\nProof.\nAdmitted.\n`,
    ]);
    expect(namesOf(claim).statement).toBe('goal_stated');
  });

  it('is written in no way twice, and each is looked at for all that it may mean', () => {
    const { theorems } = stateClaim(claimIn('Lemma zero : 1 = 0. Admitted.'), []);
    expect(new Set(theorems.map(({ sentence }) => sentence)).size).toBe(theorems.length);
    const looks = theorems.map(({ isMeant }) =>
      isMeant.map((tactic) => /(\w+)\.Init\.Logic\.False/u.exec(tactic)?.[1]),
    );
    expect(looks).toEqual([['Coq', 'Corelib'], ['Coq', 'Corelib'], ['Coq'], ['Corelib']]);
  });

  it('cannot be made of an obligation', () => {
    const outline = outlineOf('Next Obligation. Admitted.');
    const theorem = outline.statements[0];
    expect(theorem && claimOf(outline, theorem)).toMatchObject({ kind: 'not-tried' });
  });
});
