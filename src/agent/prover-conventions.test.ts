import { expect, test } from 'vitest';
import { hasHoles, scriptIn, wholeProofOf } from './prover-conventions.ts';

test.each([
  [{ proof: 'auto.' }, 'auto.'],
  [{ proof: '```coq\nauto.\n```', from: 's0' }, 'auto.'],
  [{ proof: 'auto.', from: 's3' }, undefined],
  [{ script: 'auto.' }, undefined],
])('%j holds the whole proof %j', (input, proof) => {
  expect(wholeProofOf(JSON.stringify(input))).toBe(proof);
});

test.each([
  'Proof. (* we close it with Qed. *) exact helper. Qed.',
  'Proof. idtac "Qed."; exact helper. Qed.',
  'Proof. (* not "Admitted." *)\nexact helper.\nQed.',
  'Proof. exact helper. Defined.',
])('a proof in a text goes to its last sentence: %s', (proof) => {
  expect(
    scriptIn(`Here it is.\n\`\`\`coq\n(* Proof by the helper. *)\n${proof}\n\`\`\`\nDone.`, 'rocq'),
  ).toBe(proof);
  expect(scriptIn(`Here it is: ${proof} Is it "good enough? Qed.`, 'rocq')).toBe(proof);
});

test('a proof in prose ends where its last word stands, whatever stands behind the dot', () => {
  expect(scriptIn('It is `Proof. exact helper. Qed.`, I think.', 'rocq')).toBe('Proof. exact helper. Qed.');
  expect(scriptIn('I say "it\'s: Proof. exact helper. Qed.', 'rocq')).toBe('Proof. exact helper. Qed.');
  expect(scriptIn('Theorem t:\n  p\nProof\n  simp []\nQED\nIt is done.', 'hol4')).toBe('simp []');
  expect(scriptIn('I say "it\'s:\nProof\n  simp []\nQED', 'hol4')).toBe('simp []');
});

test.each([
  ['(* Proof\n   by hand *)\nTheorem t:\n  p\nProof[exclude_simps = q]\n  simp []\nQED', 'simp []'],
  ['Theorem t:\n  p\nProof\n  simp [] (* to\nQED *) >> rw []\nQED', 'simp [] (* to\nQED *) >> rw []'],
  ['simp [] (* to\nQED *) >> rw []', 'simp [] (* to\nQED *) >> rw []'],
  ['simp [] (* no\nProof *) >> rw []', 'simp [] (* no\nProof *) >> rw []'],
  [
    'Theorem t:\n  p\nProof\n  simp [] >> print "\\\n\\QED"\nQED\nIt\'s done.',
    'simp [] >> print "\\\n\\QED"',
  ],
])('words in comments and strings are not those around a proof of HOL4: %j', (text, proof) => {
  expect(scriptIn(text, 'hol4')).toBe(proof);
});

test.each([
  ['Proof. split. admit. auto. Qed.', true],
  ['Proof. split. - ?. - { give_up . } Qed.', true],
  ['Proof. (* we do not admit. *) auto. Qed.', false],
  ['Proof. idtac "no sorry. here"; auto. Qed.', false],
  ['Proof. split. (* the first *) admit. (* ? *) auto. Qed.', true],
])('%s has holes: %s', (proof, has) => {
  expect(hasHoles(proof, 'rocq')).toBe(has);
  expect(hasHoles(proof, 'hol4')).toBe(false);
});
