/**
 * Damages compiled modules at random and judges them: `node bench/lean/olean-mutations.ts [--count 10000] [--seed 1]`.
 * Prints how many were refused and why, and how long the slowest took. A crash ends the run with the seed.
 */
import { parseArgs } from 'node:util';
import { countOf } from '../../src/core/entry.ts';
import {
  MutationJudge,
  type MutationResult,
  mutate,
  mutationSubjects,
  randomNumbers,
} from '../../src/gate/lean/judge/testing/mutations.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.count);
const seed = Number(values.seed);
const subjects = mutationSubjects().map((subject) => ({ subject, judge: new MutationJudge(subject) }));
const results = new Map<MutationResult, number>();
let slowest = 0;
const started = performance.now();
for (let number = 0; number < count; number++) {
  const chosen = subjects[number % subjects.length];
  if (chosen === undefined) break;
  const damaged = mutate(chosen.subject.files, randomNumbers(seed * 1_000_003 + number));
  const before = performance.now();
  try {
    const result = chosen.judge.judge(damaged);
    results.set(result, countOf(results, result) + 1);
  } catch (error) {
    console.error(`mutation ${number} of ${chosen.subject.name}, seed ${seed}: a defect`);
    throw error;
  }
  slowest = Math.max(slowest, performance.now() - before);
}
console.log(
  JSON.stringify({
    count,
    seed,
    subjects: subjects.map(({ subject }) => subject.name),
    ...Object.fromEntries(results),
    crashes: 0,
    slowestMs: Math.round(slowest),
    seconds: Math.round((performance.now() - started) / 1000),
  }),
);
