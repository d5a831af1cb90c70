/** Proofs that come with helper lemmas: what they may add to a file beside the lemmas is what one proof alone may. */
import { describe, expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import type { Verdict } from '../verdict.ts';
import { judgeProof } from '../verify.ts';
import { sentencesOf } from './testing/sentences-of.ts';

const BEFORE = `Definition two := 2.
Unset Elimination Schemes.
Module M. Inductive D : Set := d1 | d2 with E : Set := e. End M.
Inductive D : Set := d1 | d2 with E : Set := e.
Set Elimination Schemes.
`;
const BEHIND = 'Notation p := pred.\nLemma late : two = 2.\nProof. reflexivity. Qed.\n';
const fileWith = (statement: string): string => `${BEFORE}${statement}\n${BEHIND}`;
const FILE = fileWith('Theorem t : True.\nProof. Admitted.');
const HELPER = 'Local Lemma h : True.\nProof. exact I. Qed.';
const PROJECT = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

function judge(text: string, lemmas: readonly string[] = ['h']): Promise<Verdict> {
  const target = { path: 'File.v', text: FILE };
  return judgeProof({ target, text, statements: sentencesOf(FILE, ['t']), lemmas }, { project: PROJECT });
}

const proved = (proof: string, helper = HELPER): string =>
  fileWith(`${helper}\n\nTheorem t : True.\nProof.\n${proof}`);

const leaves = (using = ''): string =>
  `pose (x := h). assert (nat -> nat) by (transparent_abstract (exact (fun n : nat => n))${using}). exact x.\nDefined.`;
const leavesInStatement = (using = ''): string =>
  `Local Lemma h (x := ltac:(assert (q : nat) by (transparent_abstract (exact 0)${using}); exact q) : nat) : True.\nProof. exact I. Qed.`;

describe.skipIf(findExecutable(['coqc']) === undefined)('a proof with a helper lemma', () => {
  test.each([
    ['uses it', proved('exact h.\nQed.')],
    ['leaves what Rocq names after the statement', proved(leaves())],
    [
      'leaves what Rocq names after the lemma',
      proved('exact h.\nQed.', 'Local Lemma h : True.\nProof. abstract exact I. Defined.'),
    ],
    ['has a comment beside the lemma', proved('exact h.\nQed.', `(* Notation. *) ${HELPER}`)],
  ])(
    'that %s is accepted',
    async (_, text) => {
      expect(await judge(text)).toMatchObject({ kind: 'accepted', statements: [{ name: 't' }] });
    },
    60_000,
  );

  test.each([
    ['that the file means', proved(leaves(' using pred')), 'pred'],
    ['of any other name', proved(leaves(' using zork')), 'zork'],
    ['named after what it did not state', proved(leaves(' using late_subproof')), 'late_subproof'],
    ['by the statement of the lemma', proved('exact h.\nQed.', leavesInStatement(' using pred')), 'pred'],
    [
      'by the proof of the lemma',
      proved(
        'exact h.\nQed.',
        'Local Lemma h : True.\nProof. transparent_abstract (exact I) using zork. Defined.',
      ),
      'zork',
    ],
  ])(
    'leaves no constant %s',
    async (_, text, subject) => {
      expect(await judge(text)).toMatchObject({
        kind: 'rejected',
        findings: [{ kind: 'helper-not-allowed', subject }],
      });
    },
    60_000,
  );

  test('is not named like what the file says', async () => {
    const text = proved('exact pred.\nQed.', HELPER.replace('h :', 'pred :'));
    expect(await judge(text, ['pred'])).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'helper-not-allowed', subject: 'pred' }],
    });
  }, 60_000);

  test.each(['D_rec', 'D_ind', 'E_rect', 'E_sind', 'D_rect_r'])(
    'is not %s, which Rocq would take for the eliminator of the type in every file',
    async (name) => {
      const lemma = `Local Lemma ${name} : forall P : D -> Set, P d2 -> P d1 -> forall x, P x.\nProof. intros P a b x. destruct x; assumption. Defined.`;
      const text = proved(`pose (x := ${name}). exact I.\nQed.`, lemma);
      expect(await judge(text, [name])).toMatchObject({
        kind: 'rejected',
        findings: [{ kind: 'helper-not-allowed', subject: name }],
      });
    },
    60_000,
  );

  test.each(['two_rec', 'D_rec_on', 'd1_rec', 'D_recursion', 'D_case'])(
    'may be %s, which Rocq does not look for',
    async (name) => {
      const text = proved(`exact ${name}.\nQed.`, HELPER.replace('h :', `${name} :`));
      expect(await judge(text, [name])).toMatchObject({ kind: 'accepted' });
    },
    60_000,
  );

  test.each([
    ['in its proof', proved('Notation x := 0. exact h.\nQed.')],
    [
      'in the proof of the lemma',
      proved('exact h.\nQed.', HELPER.replace('exact I', 'Notation x := 0. exact I')),
    ],
  ])(
    'holds no command %s',
    async (_, text) => {
      expect(await judge(text)).toMatchObject({
        kind: 'rejected',
        findings: [{ kind: 'forbidden-command' }],
      });
    },
    60_000,
  );

  test.each([
    [
      'a lemma that was not named',
      proved('exact h.\nQed.', `${HELPER}\nLemma other : True.\nProof. exact I. Qed.`),
    ],
    ['a command behind the lemma', proved('exact h.\nQed.', `${HELPER}\nNotation x := 0.`)],
    ['a command behind the proof', proved('exact h.\nQed. Notation x := 0.')],
    ['an attribute', proved('exact h.\nQed.', HELPER.replace('Local', '#[program] Local'))],
    [
      'a second statement',
      proved('exact h.\nQed.', 'Lemma h : True with i : True.\nProof. exact I. exact I. Qed.'),
    ],
    ['a definition', proved('exact h.\nQed.', HELPER.replace('Lemma', 'Definition'))],
    ['a change elsewhere', proved('exact h.\nQed.').replace('two := 2', 'two := 1 + 1')],
  ])('is not judged with %s', async (_, text) => {
    expect(await judge(text)).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
  });
});
