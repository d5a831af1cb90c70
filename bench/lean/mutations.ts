/**
 * Changes recorded exports at random and tells how the Lean kernel answers, with no target:
 *
 *     node bench/lean/mutations.ts [--count 10000] [--seed 1] [--record FILE]
 *
 * Ends with 1 when something was accepted of a constant that does not follow from its own terms.
 */
import { judgeMutation } from '../../src/gate/lean/testing/judged-mutation.ts';
import { mutate, randomNumbers } from '../../src/gate/lean/testing/mutation.ts';
import { smallExports } from '../../src/gate/lean/testing/recorded-exports.ts';
import { runMutations } from '../mutation-run.ts';

const good = smallExports().filter(({ good }) => good);

runMutations((random) => {
  const recorded = good[random(good.length)];
  if (recorded === undefined) throw new Error('There are no exports.');
  const mutation = mutate(recorded.text, random);
  const { kind, harmless, changes } = judgeMutation(recorded.text, mutation.text);
  return {
    outcome: harmless === undefined ? kind : `${kind} (${harmless})`,
    wrong: changes.length > 0 ? `${recorded.name} ${mutation.what}: ${changes.join(', ')}` : undefined,
  };
}, randomNumbers);
