import { expect, test } from 'vitest';
import { RUN_REMEDIES, sayRemedies } from './run-remedies.ts';

const loud = (words: string): string => words.toUpperCase();

test('only what Quod itself says to do is said in other words', () => {
  const foreign = 'the server says: Use `rocq_step`, `agent_resume` and `constructor`.';
  expect(sayRemedies(foreign, loud)).toBe(foreign);
  expect(sayRemedies(`${foreign} ${RUN_REMEDIES.goOn}`, loud)).toBe(
    `${foreign} GO ON WITH \`AGENT_RESUME\`.`,
  );
});
