import { expect, test } from 'vitest';
import { proofsIn, withProof } from './rocq/rocq-lemma-places.ts';
import { OwnProofs } from './own-proofs.ts';

const PLACES = {
  proofsIn,
  withProof: (text: string, theorem: string, found: { readonly proof: string }) =>
    withProof(
      { path: '/a.v', name: 'a.v', text, hash: '', lineEnd: '\n', byteOrderMark: false },
      theorem,
      found,
    ),
};
const HOLE = 'Lemma one : True.\nProof.\nAdmitted.\n';
const own = (begun = HOLE, proof = 'exact I.') => new OwnProofs(begun, PLACES, [{ theorem: 'one', proof }]);
const filled = (body: string, end = 'Qed.') => `Lemma one : True.\nProof.\n${body}\n${end}\n`;

test.each([
  ['what the run began with', HOLE],
  ['the same in other lines', 'Lemma one : True. Proof.   Admitted.\n'],
  ['a comment in the hole, which is kept where it is filled', filled('(* not yet *)', 'Admitted.')],
  ['what the run wrote', filled('  exact I.')],
])('%s is the run’s to replace', (_, text) => {
  expect(own().notOwn(text, ['one'])).toEqual([]);
});

test.each([
  ['a finished proof', filled('split.')],
  ['tactics before an `Admitted`', filled('idtac.', 'Admitted.')],
  ['the run’s proof with a comment in it', filled('exact I. (* why *)')],
  ['the run’s proof of another hole', filled('exact (I).')],
])('%s is not', (_, text) => {
  expect(own().notOwn(text, ['one'])).toEqual(['one']);
});

test('a proof that was begun and is finished now is somebody’s own, although only `Qed` was added', () => {
  const begun = 'Lemma one : True.\nProof.\nexact I.\n';
  expect(own(begun, 'split.').notOwn(`${begun}Qed.\n`, ['one'])).toEqual(['one']);
});

test('what the run wrote into a hole with comments is its own, with them', () => {
  const begun = filled('(* a hint *)', 'Admitted.');
  const written = PLACES.withProof(begun, 'one', { proof: 'exact I.' });
  expect(written).toContain('(* a hint *)');
  expect(own(begun).notOwn(written, ['one'])).toEqual([]);
});

test('a file has something of the run where one of its proofs stands in it', () => {
  expect(own().standIn(filled('exact I.'))).toBe(true);
  expect(own().standIn(filled('split.'))).toBe(false);
});
