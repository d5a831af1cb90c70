/**
 * One changed field never gets a theory accepted that states something else than before. bench/hol4 does it 5,000
 * times.
 */
import { expect, test } from 'vitest';
import { compareTheoryWithTarget } from './compare-target.ts';
import { replayTrace } from './replay-trace.ts';
import { MissingTheory } from './replayed-theories.ts';
import { changedStatements, mutate, seededRandom } from '../testing/mutation.ts';
import { recordedTrace, theoriesAfter, unhurried } from '../testing/recorded-traces.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

test.each(['one', 'combin'])('150 changes of one field in %s', (name) => {
  const known = theoriesAfter('bool', ...(name === 'combin' ? ['marker'] : []));
  const original = recordedTrace(name);
  const { theory } = replayTrace(original, 'original', known, unhurried);
  const lines = original.toString('utf8').split('\n');
  const random = seededRandom(9);
  const counts = { damaged: 0, refused: 0, other: 0, same: 0 };
  for (let round = 0; round < 150; round += 1) {
    const { text, line, before, after } = mutate(lines, random);
    try {
      const result = replayTrace(Buffer.from(text), 'mutant', known, unhurried);
      if (result.findings.length > 0) counts.refused += 1;
      else if (changedStatements(theory, result.theory).length > 0) {
        counts.other += 1;
        expect(compareTheoryWithTarget(theory, result.theory), `${line}: ${before} -> ${after}`).not.toEqual(
          [],
        );
      } else counts.same += 1;
    } catch (error) {
      if (!(error instanceof MalformedTrace || error instanceof MissingTheory)) throw error;
      counts.damaged += 1;
    }
  }
  // The changes must have reached every outcome that matters, or the test proves nothing.
  expect(counts.refused).toBeGreaterThan(50);
  expect(counts.damaged).toBeGreaterThan(10);
});
