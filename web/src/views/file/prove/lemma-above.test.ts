/** A lemma goes before the theorem that it is for, as that stands in the text, under a name that nothing has. */
import { expect, test } from 'vitest';
import { replaced } from '../../../../../src/core/replacement.ts';
import { isStated, lemmaAbove } from './lemma-above.ts';

function withLemma(text: string, theorem: string, statement: string): string | undefined {
  const lemma = lemmaAbove(text, theorem, statement);
  if (lemma === undefined) return undefined;
  return replaced(text, [{ span: { start: lemma.from, end: lemma.to }, text: lemma.insert }]);
}

const HOLE = 'Lemma t (n : nat) : n + 0 = n.\nProof.\nAdmitted.\n';

test('it stands above the theorem, unfinished', () => {
  expect(withLemma(`Definition d := 0.\n\n${HOLE}`, 't', 'forall (n : nat),\n  n = n')).toBe(
    `Definition d := 0.\n\nLemma t_lemma :\n  forall (n : nat),\n  n = n.\nProof.\nAdmitted.\n\n${HOLE}`,
  );
});

test('in a module it stands as far in as the theorem', () => {
  const text = `Module M.\n  Lemma t : 0 = 0.\n  Proof.\n  Admitted.\nEnd M.\n`;
  expect(withLemma(text, 'M.t', '1 = 1')).toBe(
    'Module M.\n  Lemma t_lemma :\n    1 = 1.\n  Proof.\n  Admitted.\n\n  Lemma t : 0 = 0.\n  Proof.\n  Admitted.\nEnd M.\n',
  );
});

test('its name is new, whatever the text has', () => {
  expect(lemmaAbove(`Definition t_lemma' := 0.\n${HOLE}`, 't', '1 = 1')?.name).toBe('t_lemma2');
});

test('without the theorem there is no place for it', () => {
  expect(lemmaAbove(HOLE, 'other', '1 = 1')).toBeUndefined();
});

test('a statement is known again, however it is laid out', () => {
  const text = withLemma(HOLE, 't', 'forall (n : nat),\n  n = n') ?? '';
  expect(isStated(text, 'forall (n : nat), n = n')).toBe(true);
  expect(isStated(HOLE, 'forall (n : nat), n = n')).toBe(false);
});
