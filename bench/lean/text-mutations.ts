/**
 * Changes the text of recorded exports at random and asks for their last theorem against the unchanged export:
 *
 *     node bench/lean/text-mutations.ts [--count 10000] [--seed 1] [--record FILE]
 *
 * Each accepted one is looked at by a reader of its own (testing/independent-look.ts): the theorem means the same
 * and rests on no other axioms. Ends with 1 when one was wrongly accepted.
 */
import { TextJudge } from '../../src/gate/lean/testing/judged-text.ts';
import { randomNumbers } from '../../src/gate/lean/testing/mutation.ts';
import { smallExports } from '../../src/gate/lean/testing/recorded-exports.ts';
import { mutateText } from '../../src/gate/lean/testing/text-mutation.ts';
import { runMutations } from '../mutation-run.ts';

const subjects = smallExports()
  .filter(({ good, text }) => good && text.includes('{"thm"') && text.length < 20_000)
  .map(({ name, text }) => ({ name, text, judge: new TextJudge(text) }))
  // Some rest on axioms of their own.
  .filter(({ text, judge }) => judge.judge(text).kind === 'accepted');

try {
  runMutations((random) => {
    const subject = subjects[random(subjects.length)];
    if (subject === undefined) throw new Error('There are no exports with a theorem.');
    const mutation = mutateText(subject.text, random);
    const { kind, wrong } = subject.judge.judge(mutation.text);
    return { outcome: kind, wrong: wrong && `${subject.name}, ${mutation.what}: ${wrong}` };
  }, randomNumbers);
} finally {
  for (const { judge } of subjects) judge.end();
}
