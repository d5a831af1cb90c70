import { expect, it } from 'vitest';
import { sourceLanguageOf } from '../files/source-language.ts';
import { visibleHoles } from './visible-holes.ts';

it.each([
  [
    'fooScript.sml',
    `Theory foo\nTheorem easy:\n  T\nProof\n  cheat\nQED\nTheorem done:\n  T (* cheat *)\nProof\n  simp[]\nQED\n`,
    [['easy', 'cheat']],
  ],
  [
    'A.fst',
    'module A\nlet f (x:int) : Lemma (x = x) = ()\nlet g () : Lemma (1 = 2) = admit ()\n',
    [['g', 'admit']],
  ],
  ['a.lean', 'theorem t : 1 = 2 := by\n  sorry\n', [['t', 'sorry']]],
  ['a.v', 'Lemma a : True.\nAdmitted.\nLemma b : True.\nProof. exact I. Qed.\n', [['a', 'admitted']]],
  [
    'b.v',
    'Program Definition f : {n | n > 3} := 2.\nAdmit (* later *) Obligations.\nAdmit(**)Obligations of g.\nLemma a : True.\nAdmitted.\n',
    [
      ['obligations', 'admitted'],
      ['obligations of g', 'admitted'],
      ['a', 'admitted'],
    ],
  ],
])('%s: its holes, with what they leave open', (name, text, wanted) => {
  const language = sourceLanguageOf(name);
  expect(language).toBeDefined();
  const found = language === undefined ? [] : visibleHoles(language, text);
  expect(found.map(({ theorem, kind }) => [theorem, kind])).toEqual(wanted);
});

it('knows no language of other files', () => {
  for (const name of ['a.txt', 'v', 'foo.sml', 'a.fst.checked', 'lean'])
    expect(sourceLanguageOf(name)).toBeUndefined();
});
