/**
 * `node bench/lean/text-mutations.ts [count] [seed]`: changes the text of recorded exports at random, asks for their last theorem
 * against the unchanged export, and looks at each accepted one independently. Ends with code 1 when one was wrongly accepted.
 */
import { TextJudge } from '../../src/gate/lean/testing/judged-text.ts';
import { randomNumbers } from '../../src/gate/lean/testing/mutation.ts';
import { smallExports } from '../../src/gate/lean/testing/recorded-exports.ts';
import { mutateText } from '../../src/gate/lean/testing/text-mutation.ts';

const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number);
const random = randomNumbers(seed);
const subjects = smallExports()
  .filter(({ good, text }) => good && text.includes('{"thm"') && text.length < 20_000)
  .map(({ name, text }) => ({ name, text, judge: new TextJudge(text) }))
  // Some rest on axioms of their own.
  .filter(({ text, judge }) => judge.judge(text).kind === 'accepted');
const counts = new Map<string, number>();
const wrong: string[] = [];
for (let done = 0; done < count; done++) {
  const subject = subjects[random(subjects.length)];
  if (subject === undefined) throw new Error('There are no exports with a theorem.');
  const mutation = mutateText(subject.text, random);
  const judged = subject.judge.judge(mutation.text);
  counts.set(judged.kind, (counts.get(judged.kind) ?? 0) + 1);
  if (judged.wrong !== undefined) wrong.push(`${subject.name}, ${mutation.what}: ${judged.wrong}`);
}
for (const { judge } of subjects) judge.end();
console.log(JSON.stringify({ count, seed, ...Object.fromEntries([...counts].sort()), wrong: wrong.length }));
for (const one of wrong.slice(0, 20)) console.log(one);
process.exitCode = wrong.length > 0 ? 1 : 0;
