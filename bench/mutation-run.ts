/**
 * Many changes, each judged, in a run that can be ended and taken up again: what change number n is follows from
 * the seed and n alone, and a record (JSON lines) keeps what became of each.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countOf } from '../src/core/entry.ts';

export interface JudgedChange {
  /** What became of it, from a short list. */
  readonly outcome: string;
  /** Why it should not have been accepted, with what was changed. */
  readonly wrong?: string | undefined;
}

/** Numbers from 0 to below `bound`. */
export type Random = (bound: number) => number;

/** `--count N --seed N --record FILE`. Prints the counts; the exit code is 1 when one was wrongly accepted. */
export function runMutations(
  judge: (random: Random, number: number) => JudgedChange,
  randomFrom: (seed: number) => Random,
): void {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      record: { type: 'string' },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const done = new Map<number, JudgedChange>();
  const { record } = values;
  if (record !== undefined && existsSync(record))
    for (const line of readFileSync(record, 'utf8').split('\n').filter(Boolean)) {
      const kept = JSON.parse(line) as JudgedChange & { readonly seed: number; readonly number: number };
      if (kept.seed === seed) done.set(kept.number, kept);
    }
  const started = performance.now();
  let slowest = 0;
  for (let number = 0; number < count; number += 1) {
    if (done.has(number)) continue;
    const before = performance.now();
    const judged = judge(randomFrom(seed * 1_000_003 + number), number);
    slowest = Math.max(slowest, performance.now() - before);
    done.set(number, judged);
    if (record !== undefined) appendFileSync(record, `${JSON.stringify({ seed, number, ...judged })}\n`);
  }
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (const [number, { outcome, wrong: why }] of done) {
    if (number >= count) continue;
    counts.set(outcome, countOf(counts, outcome) + 1);
    if (why !== undefined) wrong.push(`${number}: ${why}`);
  }
  console.log(
    JSON.stringify({
      count,
      seed,
      ...Object.fromEntries([...counts].sort(([, one], [, other]) => other - one)),
      wrong: wrong.length,
      slowestMs: Math.round(slowest),
      seconds: Math.round((performance.now() - started) / 1000),
    }),
  );
  for (const one of wrong.slice(0, 20)) console.log(one);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
