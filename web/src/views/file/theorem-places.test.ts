/** A proof goes where its theorem stands now, or nowhere. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holeAt, placeOf, placeOfProof, statedAt, theoremAt, unfinishedProof } from './theorem-places.ts';

const hole = (name: string): string => `Lemma ${name} : True.\nProof.\nAdmitted.\n`;
const at = (line: number) => ({
  ...{ line: line + 1, column: 0, end_line: line + 2, end_column: 9 },
  replaces: 'Proof.\nAdmitted.',
});

test('proofs that were found at once are accepted one after the other, in any order', () => {
  const names = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 4 }), (order) => {
      let text = names.map(hole).join('\n');
      for (const name of order) {
        const place = placeOfProof(text, name, at(names.indexOf(name) * 4 + 1));
        expect(place).toBeDefined();
        if (place === undefined) return;
        text = `${text.slice(0, place.from)}Proof.\n  idtac.\n  exact I.\nQed.${text.slice(place.to)}`;
      }
      const proved = (name: string): string => hole(name).replace('Admitted', '  idtac.\n  exact I.\nQed');
      expect(text).toBe(names.map(proved).join('\n'));
    }),
  );
});

test('where the theorem is gone, twice there or proved otherwise, nothing is offered', () => {
  const place = at(1);
  expect(placeOfProof(hole('b'), 'a', place)).toBeDefined();
  expect(placeOfProof(`(* *)\n${hole('b')}`, 'a', place)).toBeUndefined();
  expect(placeOfProof(hole('a') + hole('a'), 'a', place)).toBeUndefined();
  expect(placeOfProof(`Lemma a : True.\nProof. exact I. Qed.\n${hole('b')}`, 'a', place)).toBeUndefined();
});

test('a proof that goes behind what is unfinished goes to its end or nowhere', () => {
  const unfinished = 'Lemma a : True.\nProof.\n';
  const end = { line: 2, column: 6, end_line: 2, end_column: 6, replaces: '' };
  expect(placeOfProof(unfinished, 'a', end)).toEqual({ from: 22, to: 22 });
  expect(placeOfProof(`${unfinished}Lemma b : True.\n`, 'a', end)).toEqual({ from: 22, to: 22 });
  expect(placeOfProof(`(* *)\n${unfinished}`, 'a', end)).toBeUndefined();
  expect(placeOfProof(`${unfinished}exact I. Qed.\n`, 'a', end)).toBeUndefined();
});

test('the theorem at a place is the one around it, else the first behind it', () => {
  const text = `(* *)\n${hole('a')}${hole('b')}`;
  expect(theoremAt(text, 0)).toBe('a');
  expect(theoremAt(text, text.indexOf('Admitted'))).toBe('a');
  expect(theoremAt(text, text.length)).toBe('b');
});

test('an unfinished proof stands between what begins it and what ends it', () => {
  const text =
    'Lemma a : True.\nProof.\n  idtac.\nAdmitted.\nLemma b : True.\nAdmitted.\nLemma c : True.\nProof. exact I. Qed.\n';
  const within = (theorem: string): string | undefined => {
    const place = unfinishedProof(text, theorem);
    return place === undefined
      ? undefined
      : `${place.begun} ${JSON.stringify(text.slice(place.from, place.to))}`;
  };
  expect(within('a')).toBe('true "\\n  idtac.\\n"');
  expect(within('b')).toBe('false "\\n"');
  expect(within('c')).toBeUndefined();
  expect(within('d')).toBeUndefined();
  // What is offered to be proved is open: here, behind the place, or before it.
  const offered = (theorem: string): string | undefined => holeAt(text, text.indexOf(`Lemma ${theorem}`));
  expect(['a', 'b', 'c'].map(offered)).toEqual(['a', 'b', 'a']);
  expect(holeAt('Lemma c : True.\nProof. exact I. Qed.\n', 0)).toBeUndefined();
});

/** Whatever stands before a statement in its line, and between its words. */
const SHAPES = [
  (name: string) => `Lemma ${name} : True.\nProof.\nAdmitted.`,
  (name: string) => `(* k *) Lemma ${name} : True.\nProof.\nAdmitted.`,
  (name: string) => `(*k*)Lemma ${name} : True. Proof. Admitted.`,
  (name: string) => `Theorem(*k*)${name} : True.\nProof.\nAdmitted.`,
  (name: string) => `Theorem (* Lemma no : False. *)\n  ${name} : True. Proof.\nAdmitted.`,
  (name: string) => `#[local] (* k *) Lemma ${name} :\n  True.\nProof.\nAdmitted.`,
  (name: string) => `Definition ${name} : True.\nAdmitted.`,
];

test('a theorem is found wherever it begins in its line: at each of its places, and as a hole', () => {
  const parts = fc.array(
    fc.tuple(fc.constantFrom(...SHAPES), fc.constantFrom('\n', ' ', '', '\n\n', ' (* and *) ')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(parts, (chosen) => {
      const written = chosen.map(([shape, gap], index) => shape(`t${index}`) + (gap === '' ? ' ' : gap));
      const text = written.join('');
      let from = 0;
      for (const [index, part] of written.entries()) {
        const name = `t${index}`;
        for (const word of [name, 'True', 'Admitted']) {
          const cursor = from + part.indexOf(word);
          expect(theoremAt(text, cursor)).toBe(name);
          expect(holeAt(text, cursor)).toBe(name);
        }
        const place = unfinishedProof(text, name);
        expect(place && text.slice(place.to, place.to + 9)).toBe('Admitted.');
        const line = text.slice(0, placeOf(text, name)).split('\n').length;
        expect(statedAt(text, line, name)).toBe(placeOf(text, name));
        from += part.length;
      }
    }),
  );
});

test('where its line begins with a comment, that belongs to the theorem; what ends before it does not', () => {
  const text =
    'Lemma a : True. Admitted. (* k *) Lemma b : True. Admitted.\n(* k *) Lemma c : True. Admitted.\n';
  expect(theoremAt(text, text.indexOf(' (* k *) Lemma b'))).toBe('a');
  expect(theoremAt(text, text.indexOf('Lemma b'))).toBe('b');
  expect(theoremAt(text, text.indexOf('\n') + 1)).toBe('c');
});
