/** What is said of a command in a proof that is put into a file. */
import { expect, it } from 'vitest';
import { commandFindings } from './proof-commands.ts';
import { Script } from './script.ts';

function found(step: string) {
  const [target, submission] = ['', `idtac. ${step} reflexivity.`].map(
    (proof) => new Script({ path: 'T.v', text: `Theorem t : 1 = 1.\nProof. ${proof} Qed.\n` }),
  );
  if (target === undefined || submission === undefined) return [];
  const { text } = submission.source;
  const proof = { start: text.indexOf('Proof'), end: text.length };
  return commandFindings(target, submission, [proof]).map(({ message }) => message);
}

it('what goes back is told from what acts on the rest of the file', () => {
  for (const step of ['Restart.', 'Undo.', 'Undo 2.'])
    expect(found(step)).toEqual([expect.stringContaining('goes back in the proof')]);
  expect(found('Extraction nat.')).toEqual([expect.stringContaining('is no part of a proof')]);
  expect(found('Show.')).toEqual([]);
});
