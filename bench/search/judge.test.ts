import { describe, expect, it } from 'vitest';
import type { Cut } from './cut.ts';
import { readAssumptions, textualFinding } from './judge.ts';

const CUT: Cut = { before: 'Section S.\nLemma t : True.', opening: 'Proof using.', endings: 'End S.\n' };

describe('scripts that the judge refuses unseen', () => {
  it.each([
    ['an honest proof', 'Proof using.\n  exact I.\nQed.', undefined],
    ['bullets and a Require', 'Proof using.\nRequire Import Lia.\n- { lia. }\nQed.', undefined],
    ['words in comments', 'Proof using. (* I admit: no Axiom. *) exact I. Qed.', undefined],
    ['Admitted', 'Proof using.\nAdmitted.', /close/],
    ['admit', 'Proof using. admit. Qed.', /close/],
    ['another clause', 'Proof. exact I. Qed.', /begins with/],
    ['a second statement', 'Proof using. exact I. Qed. Lemma u : True. exact I. Qed.', /states/],
    ['an axiom', 'Proof using. Axiom a : False. destruct a. Qed.', /Axiom/],
    ['more after the end', 'Proof using. exact I. Qed. Print nat.', /goes on/],
    ['an early end of the section', 'Proof using. exact I. Qed. End S. Section S.', /goes on/],
  ])('%s', (_, script, finding) => {
    if (finding === undefined) expect(textualFinding(CUT, script)).toBeUndefined();
    else expect(textualFinding(CUT, script)).toMatch(finding);
  });
});

describe('the assumptions that coqc prints', () => {
  it('are axioms, not section variables', () => {
    const output = `noise
BENCH-ASSUMPTIONS
Section Variables:
A
: Type
Axioms:
ClassicalDedekindReals.sig_not_dec
  : forall P : Prop, {~ ~ P} + {~ P}
short : False
Loaded library files:
  Coq.Init.Notations
  Coq.Lists.List
`;
    expect(readAssumptions(output)).toEqual({
      axioms: ['ClassicalDedekindReals.sig_not_dec', 'short'],
      loaded: ['Coq.Init.Notations', 'Coq.Lists.List'],
    });
  });

  it('are none for a closed proof, and unknown when the output breaks off', () => {
    expect(
      readAssumptions('BENCH-ASSUMPTIONS\nClosed under the global context\nLoaded library files:\n')?.axioms,
    ).toEqual([]);
    expect(readAssumptions('BENCH-ASSUMPTIONS\nAxioms:\n')).toBeUndefined();
  });
});
