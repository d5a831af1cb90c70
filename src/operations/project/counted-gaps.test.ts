/** A hole is what is open, and may have several gaps: `check`, `status` and `prove` count the same. */
import { expect, test } from 'vitest';
import { operationNamed } from '../catalogue.ts';
import { openCaller } from '../testing/caller.ts';

const TEXT = `Lemma bullets : True /\\ True.
Proof. split. - admit. - admit. Admitted.
Lemma one : True. Admitted.
Goal True. Admitted.
Goal True. Admitted.
`;

test('a theorem with two gaps is one hole, and statements without names are none of each other', async () => {
  const caller = await openCaller({ 'a.v': TEXT });
  const checked = await caller.call('proof_check', { file: 'a.v' });
  const told = operationNamed('proof_check')?.readAnswer(checked);
  expect(told?.conclusion()).toContain('4 holes (5 places to fill)');
  expect(told?.body().match(/: (?:hole|one more place of the hole): \w+/gu)).toEqual(
    ['hole: bullets', 'one more place of the hole: bullets', 'hole: one', 'hole: Goal', 'hole: Goal'].map(
      (line) => `: ${line}`,
    ),
  );
  for (const check of [false, true]) {
    const status = await caller.call('proof_status', { check });
    expect(status).toMatchObject({ holes: 5, open: 4, files: [{ open: 4 }] });
    const shown = operationNamed('proof_status')?.readAnswer(status);
    expect(shown?.conclusion()).toContain('4 holes (5 places to fill)');
    expect(shown?.body()).toMatch(/4: bullets \(2\), one, Goal \(2\)/u);
  }
  await caller.close();
});
