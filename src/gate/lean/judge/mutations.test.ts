/** A few of the mutations of bench/lean/olean-mutations.ts, with a fixed seed. */
import { expect, it } from 'vitest';
import { MutationJudge, mutate, mutationSubjects, randomNumbers } from './testing/mutations.ts';

it.each(mutationSubjects().map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  const judge = new MutationJudge(subject);
  expect(judge.judge(subject.files)).toBe('same constants');
  const results = new Set<string>();
  for (let number = 0; number < 60; number++) {
    results.add(judge.judge(mutate(subject.files, randomNumbers(number))));
  }
  expect([...results]).toContain('unreadable');
});
