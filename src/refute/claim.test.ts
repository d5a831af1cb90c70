import { describe, expect, it } from 'vitest';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { claimOf, claimTexts, stateClaim, type Claim } from './claim.ts';

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
    expect(stated.theorem).toBe('Theorem small_false : ~ (forall (n : nat), n < 3).');
    expect(claimTexts(claim, stated, ['Proof.', 'Admitted.'])).toEqual([
      'Theorem small_false : ~ (forall (n : nat), n < 3).\nProof.\nAdmitted.\n',
    ]);
  });

  it('has a name that the file does not have', () => {
    expect(claimIn('Axiom a_false : False.\nLemma a : 1 = 2. Admitted.').name).toBe('a_false_1');
  });

  it('quantifies what a section leaves open, behind its end', () => {
    const claim = claimIn('Section s.\nVariable n : nat.\nLemma zero : n = 0. Admitted.\nEnd s.');
    const stated = stateClaim(claim, ['n']);
    expect(stated.preparation).toEqual([
      '#[using="All"] Definition zero_statement : Prop := n = 0.',
      'End s.',
    ]);
    expect(stated.theorem).toBe('Theorem zero_false : ~ (forall n, @zero_statement n).');
  });

  it('ends the modules that it stands in, and has a second text for one that must be complete', () => {
    const claim = claimIn('Module m.\nLemma zero : 1 = 0. Admitted.\nDefinition x := 1.\nEnd m.');
    const [ended, whole] = claimTexts(claim, stateClaim(claim, []), ['Admitted.']);
    expect(ended).toBe('Module m.\nTheorem zero_false : ~ (1 = 0).\nAdmitted.\nEnd m.\n');
    expect(whole).toContain('Definition x := 1.\nEnd m.');
  });

  it('cannot be made of an obligation', () => {
    const outline = outlineOf('Next Obligation. Admitted.');
    const theorem = outline.statements[0];
    expect(theorem && claimOf(outline, theorem)).toMatchObject({ kind: 'not-tried' });
  });
});
