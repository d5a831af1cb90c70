import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { insertion } from './changes.ts';

/** The text with `auto.` put where the bar is, and a bar where the cursor is then. */
function put(marked: string): string {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, insert, cursor } = insertion(Text.of(text.split('\n')), at, 'auto.');
  const after = text.slice(0, from) + insert + text.slice(to);
  return `${after.slice(0, from + cursor)}|${after.slice(from + cursor)}`;
}

it.each([
  ['Proof.\n|\nQed.', 'Proof.\nauto.|\nQed.'],
  ['Proof.\n  |\nQed.', 'Proof.\n  auto.|\nQed.'],
  ['Proof.|\nQed.', 'Proof.\nauto.|\nQed.'],
  ['  split.|\nQed.', '  split.\n  auto.|\nQed.'],
  // What stands behind the cursor is another sentence.
  ['Proof.\n|Admitted.', 'Proof.\nauto.|\nAdmitted.'],
  ['Proof.\n  |admit.', 'Proof.\n  auto.|\n  admit.'],
  ['  split.| admit.', '  split.\n  auto.|\n  admit.'],
  ['  split.|', '  split.\n  auto.|'],
])('a script gets a line of its own: %j', (marked, result) => {
  expect(put(marked)).toBe(result);
});
