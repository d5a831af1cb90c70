import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readUnlinkedSource } from '../../operations/files/source-file.ts';
import { compareRocq, isChangedElsewhere } from './rocq-comparison.ts';

const KEPT = `(* licence *)
Ltac done := auto.
#[global] Hint Resolve I : core.
Notation "x +++ y" := (x + y) (at level 50).
Lemma k : True.
Proof. (* mine *) exact I. Qed.
`;
const HOLE = 'Theorem t : forall n, n = n.\nProof.\nAdmitted.\n';
const SOLVED = 'Theorem t : forall n, n = n.\nProof.\n  (* easy *) reflexivity.\nQed.\n';
const END = '(* notes *)\n';
const isChanged = (text: string): boolean =>
  isChangedElsewhere({ text, original: `${KEPT}${HOLE}${END}`, wanted: ['t'] });

test.each([
  ['nothing but the proof', `${KEPT}${SOLVED}${END}`],
  ['white space', `${KEPT}\n\n${SOLVED}\n${END}`],
  ['a lemma before the statement', `${KEPT}Local Lemma h : True.\nProof. exact I. Qed.\n\n${SOLVED}${END}`],
  [
    'a lemma with words of its own',
    `${KEPT}(* helper (* of t *) *)\nLocal Lemma h : True.\nProof. exact I. Qed.\n${SOLVED}${END}`,
  ],
])('%s is no change elsewhere', (_name, text) => {
  expect(isChanged(text)).toBe(false);
});

const withCarriageReturns = (text: string): string => text.replace(/\n/gu, '\r\n');

test.each([
  ['its statement and proof in one line', `${KEPT}${SOLVED.replace('.\nProof', '. Proof')}${END}`],
  ['a lemma at the end', `${KEPT}${SOLVED}${END}\nLemma h : True.\nProof. exact I. Qed.\n`],
])('%s is no change elsewhere either', (_name, text) => {
  expect(isChanged(text)).toBe(false);
});

test.each([
  ['every line end', withCarriageReturns(`${KEPT}${SOLVED}${END}`)],
  [
    'every line end but those of the proof',
    `${withCarriageReturns(KEPT)}${SOLVED}${withCarriageReturns(END)}`,
  ],
  ['one line end', `${KEPT.replace('\n', '\r\n')}${SOLVED}${END}`],
  ['blanks at the end of a line', `${KEPT.replace('auto.\n', 'auto. \n')}${SOLVED}${END}`],
  ['a tab', `${KEPT.replace('Ltac ', 'Ltac\t')}${SOLVED}${END}`],
  ['a blank line elsewhere', `${KEPT.replace('\n', '\n\n')}${SOLVED}${END}`],
])('%s is a change, of bytes that say the same', (_name, text) => {
  expect(isChanged(text)).toBe(true);
});

test('line ends of the whole file are seen where it has nothing but the theorem, and those of a proof are its own', () => {
  const changed = (text: string, original: string): boolean =>
    isChangedElsewhere({ text, original, wanted: ['t'] });
  expect(changed(withCarriageReturns(SOLVED), HOLE)).toBe(true);
  expect(changed(SOLVED, withCarriageReturns(HOLE))).toBe(true);
  const [statement = ''] = HOLE.split('\n');
  expect(changed(`${statement}\nProof.\r\n  reflexivity.\r\nQed.\n`, HOLE)).toBe(false);
});

test.each([
  ['a comment', `${KEPT.replace('(* licence *)\n', '')}${SOLVED}${END}`],
  ['a tactic', `${KEPT.replace('auto', 'idtac')}${SOLVED}${END}`],
  ['a hint', `${KEPT.replace(/#.*\n/u, '')}${SOLVED}${END}`],
  ['a notation', `${KEPT.replace('50', '51')}${SOLVED}${END}`],
  ['another proof', `${KEPT.replace('(* mine *) exact I', 'auto')}${SOLVED}${END}`],
  [
    'a comment in front of an added lemma',
    `${KEPT.replace('(* licence *)\n', '')}(* license *)\nLocal Lemma h : True.\nProof. exact I. Qed.\n${SOLVED}${END}`,
  ],
  ['the end of the file', `${KEPT}${SOLVED}`],
  ['what is required', `Require Import Lia.\n${KEPT}${SOLVED}${END}`],
  ['a definition', `${KEPT}Definition d := 0.\n${SOLVED}${END}`],
  ['the text where the proof is still open', `${KEPT}${HOLE}`],
])('%s is one', (_name, text) => {
  expect(isChanged(text)).toBe(true);
});

/** What comes of a text that somebody made of another one. */
async function compared(original: string, text: string, wanted: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'quod-comparison-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'two.v');
  writeFileSync(path, text);
  const { signal } = new AbortController();
  return await compareRocq(await readUnlinkedSource(path), { original, wanted }, signal);
}

const stated = (name: string, proof = 'Admitted.'): string => `Lemma ${name} : 1 = 1.\nProof.\n${proof}\n`;

test(
  'proofs that are accepted one by one, and not together, are told as such',
  { timeout: 300_000 },
  async () => {
    const levels = 'Definition T1 := Type.\nDefinition T2 := Type.\n';
    const names = ['one', 'two', 'three'];
    const proofs = ['exact (let x : T2 := T1 in eq_refl). Qed.', 'exact (let x : T1 := T2 in eq_refl). Qed.'];
    const textOf = (helper: string, written: readonly (string | undefined)[]): string =>
      `${levels}${helper}${names.map((name, index) => stated(name, written[index])).join('')}`;
    for (const helper of ['', 'Lemma helper : True.\nProof. exact I. Qed.\n']) {
      const { accepted, apart, findings } = await compared(textOf('', []), textOf(helper, proofs), names);
      expect(accepted.map(({ theorem }) => theorem)).toEqual(['one', 'two']);
      expect(apart).toEqual({
        theorems: ['one', 'two'],
        finding: expect.stringMatching(
          /^The gate accepts each .* but not all of them in one file: /u,
        ) as string,
      });
      expect(findings).toContain(apart?.finding);
    }
  },
);

test('proofs with a lemma beside them are judged together', { timeout: 300_000 }, async () => {
  const names = ['one', 'two', 'three'];
  const original = names.map((name) => stated(name)).join('');
  const helper = 'Lemma helper : 1 = 1.\nProof. reflexivity. Qed.\n';
  const text = `${helper}${stated('one', 'exact helper. Qed.')}${stated('two', 'exact one. Qed.')}${stated('three')}`;
  const { accepted, apart } = await compared(original, text, names);
  expect(accepted.map(({ theorem, restsOnOpen }) => ({ theorem, restsOnOpen }))).toEqual([
    { theorem: 'one', restsOnOpen: [] },
    { theorem: 'two', restsOnOpen: [] },
  ]);
  expect(apart).toBeUndefined();
});

test('a lemma beside the target that is left open is named itself', { timeout: 300_000 }, async () => {
  const open = 'Lemma u : True.\nProof.\nAdmitted.\n';
  const text = `${SOLVED}${open}Lemma aux : forall n, n = n + 0.\nAdmitted.\n`;
  const { clean, findings } = await compared(`${HOLE}${open}`, text, ['t', 'u']);
  expect(clean).toBe(true);
  const left = (name: string) => `${name}: admitted: The proof of ${name} is left with Admitted.`;
  expect(findings.toSorted()).toEqual([left('aux'), left('u')]);
});
