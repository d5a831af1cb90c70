/**
 * `node bench/lean/mutations.ts [count] [seed]`: changes recorded exports at random and tells how the Lean kernel answers. Ends with
 * code 1 when a changed meaning was accepted or a check took unreasonably long.
 */
import { smallExports } from '../../src/gate/lean/testing/recorded-exports.ts';
import { judgeMutation } from '../../src/gate/lean/testing/judged-mutation.ts';
import { mutate, randomNumbers } from '../../src/gate/lean/testing/mutation.ts';

const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number);
const random = randomNumbers(seed);
const good = smallExports().filter(({ good }) => good);
const counts = new Map<string, number>();
const wrong: string[] = [];
let longest = 0;
for (let done = 0; done < count; done++) {
  const recorded = good[random(good.length)];
  if (recorded === undefined) break;
  const mutation = mutate(recorded.text, random);
  const start = performance.now();
  const judged = judgeMutation(recorded.text, mutation.text);
  longest = Math.max(longest, performance.now() - start);
  const key = judged.harmless === undefined ? judged.kind : `${judged.kind} (${judged.harmless})`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  if (judged.changes.length > 0)
    wrong.push(`${recorded.name} ${mutation.what}: ${judged.changes.join(', ')}`);
}
console.log(
  JSON.stringify({
    count,
    seed,
    ...Object.fromEntries([...counts].sort()),
    wrong: wrong.length,
    longestMs: Math.round(longest),
  }),
);
for (const one of wrong.slice(0, 20)) console.log(one);
process.exitCode = wrong.length > 0 ? 1 : 0;
