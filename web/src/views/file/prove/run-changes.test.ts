/** What a run found goes to its theorem, with the lemmas that it uses, and is offered as long as it is not there. */
import { expect, test } from 'vitest';
import { replaced } from '../../../../../src/core/replacement.ts';
import { runChanges, type RunFound } from './run-changes.ts';

const HELPER = 'Local Lemma helper : 1 = 1.\nProof. reflexivity. Qed.';
const found = (theorem: string, change: Partial<RunFound> = {}): RunFound => ({
  ...{ theorem, statement: `Lemma ${theorem} : 0 = 0.`, proof: 'Proof. reflexivity. Qed.', before: null },
  ...change,
});
const hole = (theorem: string, proof = 'Proof.\nAdmitted.'): string =>
  `Lemma ${theorem} : 0 = 0.\n${proof}\n`;
const PROVED = 'Proof.\n  reflexivity.\nQed.';

/** The text with the changes made, as the page makes them and as it shows them. */
function accepted(text: string, one: RunFound): string {
  const known = runChanges(text, one);
  if (known.kind !== 'open') return known.kind;
  const made = known.changes.map(({ from, to, insert }) => ({
    span: { start: from, end: to },
    text: insert,
  }));
  expect(replaced(text, made)).toBe(known.after);
  return known.after;
}

test('a proof comes with the lemmas that it uses, once', () => {
  const one = found('a', { proof: 'Proof.\r\nexact helper.\r\nQed.', before: HELPER.replace('\n', '\r\n') });
  const after = accepted(hole('a') + hole('b'), one);
  const uses = 'Proof.\n  exact helper.\nQed.';
  expect(after).toBe(`${HELPER}\n\n${hole('a', uses)}${hole('b')}`);
  expect(accepted(after, found('b', { proof: uses, before: HELPER }))).toBe(
    `${HELPER}\n\n${hole('a', uses)}${hole('b', uses)}`,
  );
});

test('comments of the unfinished proof stay in front of the new one', () => {
  const text = hole('a', 'Proof.\n  (* by computing *)\n  simpl. (* and then? *)\nAdmitted.');
  expect(accepted(text, found('a'))).toBe(
    hole('a', 'Proof.\n  (* by computing *)\n  (* and then? *)\n  reflexivity.\nQed.'),
  );
});

test('the same proof of another theorem hides nothing', () => {
  const text = hole('b', 'Proof. reflexivity. Qed.') + hole('a');
  expect(accepted(text, found('a'))).toBe(hole('b', 'Proof. reflexivity. Qed.') + hole('a', PROVED));
  expect(accepted(text, found('b'))).toBe('taken');
});

test('what has this proof already has it in whatever layout, and one that has another is left alone', () => {
  const [text, one] = [hole('a'), found('a')];
  expect(accepted(accepted(text, one), one)).toBe('taken');
  expect(accepted(hole('a', 'Proof. (* k *)\n\n reflexivity.\nQed.'), one)).toBe('taken');
  expect(accepted(hole('a', 'Proof. exact eq_refl. Qed.'), one)).toBe('gone');
  expect(accepted(hole('b'), one)).toBe('gone');
  expect(accepted(hole('a').replace('0 = 0', '1 = 1'), one)).toBe('gone');
});

test('of theorems of one name in several modules the one is meant that was proved', () => {
  const text = `Module M.\n${hole('a')}End M.\nModule N.\n${hole('a')}End N.\n`;
  const one = { ...found('a'), theorem: 'N.a' };
  expect(accepted(text, one)).toBe(`Module M.\n${hole('a')}End M.\nModule N.\n${hole('a', PROVED)}End N.\n`);
});
