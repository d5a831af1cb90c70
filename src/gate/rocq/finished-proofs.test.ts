/** Other proofs of a file that show as holes: what Rocq takes as finished stays as it is, and what it refuses is open. */
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { beginProofs, firstErrorBehind, judgeProof } from '../verify.ts';
import { sentencesOf } from './testing/sentences-of.ts';

const settings = {
  project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
  policy: { recheck: 'never' },
} as const;

/** @param file has the statement `asked`, with `Proof. Admitted.` */
async function judge(file: string, proof: string, onlyUpToProofs = false) {
  const text = file.replace('Proof. Admitted.', () => `Proof. ${proof} Qed.`);
  const statements = sentencesOf(file, ['asked']);
  const target = { path: 'File.v', text: file };
  return judgeProof({ target, text, statements, onlyUpToProofs }, settings);
}

const ASKED = 'Proof. Admitted.\n';
const TAKEN = {
  'an alternative that is not taken': `Definition c : nat. Proof. first [exact 3 | admit]. Defined.
Theorem asked : c = 3. ${ASKED}`,
  'the name of a variable': `Definition c : forall admit : nat, nat. Proof. intro admit. exact (S admit). Defined.
Theorem asked : c 4 = 5. ${ASKED}`,
  'an instance that leaves nothing to prove': `Class Valued := { value : nat }.
#[refine, export] Instance five : Valued := {| value := 5 |}.
Defined.
Theorem asked : value = 5. ${ASKED}`,
};

describe.skipIf(findExecutable(['coqc']) === undefined)('other proofs that show as holes', () => {
  it.each(Object.entries(TAKEN))('%s keeps its value', async (_, file) => {
    for (const onlyUpToProofs of [false, true]) {
      const verdict = await judge(`${file}Check 1.\n`, 'reflexivity.', onlyUpToProofs);
      expect(verdict, JSON.stringify(verdict)).toMatchObject({ kind: 'accepted' });
    }
    const wrong = await judge(file.replace(/= (\d)\. /u, '= 7. '), 'reflexivity.');
    expect(wrong.kind).toBe('rejected');
  });

  it('rests on what Rocq refuses, and on nothing that it takes', async () => {
    const open = async (proof: string) => {
      const file = `Lemma h : True. Proof. ${proof} Qed.\nTheorem asked : True. ${ASKED}`;
      const verdict = await judge(file, 'exact h.');
      if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
      const { warnings = [] } = verdict.restsOn;
      return [
        verdict.statements[0]?.openStatements,
        warnings.map(({ kind }) => kind).filter((kind) => kind !== 'not-rechecked'),
      ];
    };
    expect(await open('first [exact I | admit].')).toEqual([[], []]);
    expect(await open('first [fail | admit].')).toEqual([['h'], ['others-unfinished']]);
    expect(await open('admit.')).toEqual([['h'], ['others-unfinished']]);
    expect(await open('')).toEqual([['h'], ['others-unfinished']]);
  });

  it('is what it shows as behind what does not compile', async () => {
    const rest = 'Definition wrong : nat := true.\nLemma h : True. Proof. first [exact I | admit]. Qed.\n';
    const verdict = await judge(`${TAKEN['the name of a variable']}${rest}`, 'reflexivity.');
    if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
    expect(verdict.restsOn.warnings?.map(({ message }) => message).join('\n')).toMatch(
      /count as admitted: h\.[^]*stops compiling behind the proofs, at 3:/u,
    );
  });

  it('is no error behind the proofs, and no other text than what was begun', async () => {
    const file = `Theorem asked : 1 = 1. ${ASKED}${TAKEN['an alternative that is not taken'].replace('asked', 'last').replace(ASKED, 'Proof. reflexivity. Qed.\n')}`;
    const target = { path: 'File.v', text: file };
    const statements = sentencesOf(file, ['asked']);
    expect(await firstErrorBehind(target, statements, settings)).toEqual({ kind: 'compiles' });
    const begun = await beginProofs({ target, statements }, settings);
    const text = file.replace('Proof. Admitted.', 'Proof. reflexivity. Qed.');
    const verdict = await judgeProof({ target, text, statements }, { ...settings, ...(begun && { begun }) });
    begun?.end();
    expect(verdict.kind).toBe('accepted');
  });
});
