/**
 * Changes recorded traces and judges each result against the original as target:
 *
 *     node bench/hol4/mutations.ts [--count 10000] [--seed 1] [--record FILE]
 *
 * Each accepted one is looked at by a reader of its own (testing/independent-look.ts): its exports state what they
 * stated, it rests on no other assertion, and the names of which it speaks came to be in the same way. Ends with 1
 * when one was wrongly accepted.
 */
import { compareTheoryWithTarget } from '../../src/gate/hol4/replay/compare-target.ts';
import type { ReplayPace } from '../../src/gate/hol4/replay/replay-finding.ts';
import { replayTrace } from '../../src/gate/hol4/replay/replay-trace.ts';
import { MissingTheory, ReplayedTheories } from '../../src/gate/hol4/replay/replayed-theories.ts';
import { LimitReached } from '../../src/gate/hol4/kernel/refusal.ts';
import { faultOf, lookAtTrace } from '../../src/gate/hol4/testing/independent-look.ts';
import { mutateTrace, seededRandom } from '../../src/gate/hol4/testing/mutation.ts';
import { recordedBase, recordedTrace, theoriesAfter } from '../../src/gate/hol4/testing/recorded-traces.ts';
import { MalformedTrace } from '../../src/gate/hol4/trace/trace-reader.ts';
import { type JudgedChange, runMutations } from '../mutation-run.ts';

const pace: ReplayPace = { tick: () => undefined, termLimit: 5_000_000 };
const afterBool = theoriesAfter('bool', 'marker');
const subjects = (
  [
    ['bool', new ReplayedTheories()],
    ['one', afterBool],
    ['combin', afterBool],
    ['marker', theoriesAfter('bool')],
    ['mini', recordedBase()],
  ] as const
).map(([name, known]) => {
  const original = recordedTrace(name);
  const { theory, findings } = replayTrace(original, 'original', known, pace);
  if (findings.length > 0) throw new Error(`The recorded ${name} is refused: ${JSON.stringify(findings)}`);
  const text = original.toString('utf8');
  return { name, known, theory, lines: text.split('\n'), look: lookAtTrace(text) };
});

runMutations((random): JudgedChange => {
  const subject = subjects[random(subjects.length)];
  if (subject === undefined) throw new Error('There are no traces.');
  const { name, known, theory: target, lines, look } = subject;
  const { what, text } = mutateTrace(lines, random);
  try {
    const { theory, findings } = replayTrace(Buffer.from(text), 'mutant', known, pace);
    if (findings.length > 0) return { outcome: 'rejected' };
    if (compareTheoryWithTarget(target, theory).length > 0)
      return { outcome: 'rejected, proves something else' };
    const fault = faultOf(look, lookAtTrace(text));
    return { outcome: 'accepted', wrong: fault && `${name}, ${what}: ${fault}` };
  } catch (error) {
    if (error instanceof MalformedTrace) return { outcome: 'unknown: damaged' };
    if (error instanceof MissingTheory) return { outcome: 'unknown: missing theory' };
    if (error instanceof LimitReached) return { outcome: 'unknown: too large' };
    throw error;
  }
}, seededRandom);
