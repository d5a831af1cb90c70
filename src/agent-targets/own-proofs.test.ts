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
  ['a `Proof using`', 'Lemma one : True.\nProof using.\nAdmitted.\n'],
  ['an `admit`', filled('admit.', 'Admitted.')],
  ['an `admit` for each of some goals', filled('all: admit.', 'Admitted.')],
  ['an `admit` in braces', filled('{ admit. }\n{ give_up. }', 'Admitted.')],
  ['an `admit` that is to be closed', filled('admit.', 'Qed.')],
  ['an `Abort`', filled('', 'Abort.')],
  ['a statement without anything behind it', 'Lemma one : True.\n'],
  ['a closing word without its dot', 'Lemma one : True.\nProof.\nAdmitted\n'],
])('%s is the run’s to replace', (_, text) => {
  expect(own().notOwn(text, ['one'])).toEqual([]);
});

test.each([
  ['a finished proof', filled('split.')],
  ['tactics before an `Admitted`', filled('idtac.', 'Admitted.')],
  ['tactics beside an `admit`', filled('split; [ admit | exact I ].', 'Admitted.')],
  ['tactics between them', filled('- admit.\n- exact I.', 'Admitted.')],
  ['a tactic that is being written', 'Lemma one : True.\nProof.\n  exact'],
  ['the run’s proof with a comment in it', filled('exact I. (* why *)')],
  ['the run’s proof of another hole', filled('exact (I).')],
])('%s is not', (_, text) => {
  expect(own().notOwn(text, ['one'])).toEqual(['one']);
});

test('a proof that was begun and is finished now is somebody’s own, although only `Qed` was added', () => {
  const begun = 'Lemma one : True.\nProof.\nexact I.\n';
  expect(own(begun, 'split.').notOwn(`${begun}Qed.\n`, ['one'])).toEqual(['one']);
});

test.each([
  ['without `Proof`', 'Lemma one : True.\nAdmitted.\n', HOLE],
  ['with nothing behind it', 'Lemma one : True.\n', HOLE],
  ['with nothing behind it before others', 'Lemma one : True.\nDefinition x := I.\n', HOLE],
  ['with an `Abort`', filled('', 'Abort.'), HOLE],
  ['with an `admit`', filled('split.\nadmit.'), filled('split.', 'Admitted.')],
  ['with less left open', filled('split.', 'Admitted.'), filled('split.\n- admit.\n- admit.', 'Admitted.')],
  ['with tactics that are gone', filled('split.', 'Admitted.'), HOLE],
])('a hole that the run began %s may be written as another one', (_, begun, now) => {
  expect(own(begun, 'exact (I).').notOwn(now, ['one'])).toEqual([]);
});

test('work that stands at another goal than in the beginning is somebody’s', () => {
  const begun = filled('split.\n- exact I.\n- admit.', 'Admitted.');
  const moved = filled('split.\n- admit.\n- exact I.', 'Admitted.');
  expect(own(begun, 'exact (I).').notOwn(moved, ['one'])).toEqual(['one']);
});

test('what the run wrote into a hole with comments is its own, with them', () => {
  const begun = filled('(* a hint *)', 'Admitted.');
  const written = PLACES.withProof(begun, 'one', { proof: 'exact I.' });
  expect(written).toContain('(* a hint *)');
  expect(own(begun).notOwn(written, ['one'])).toEqual([]);
});
