/** Who of a team searches which theorem, and how their work ends. */
import { expect, it } from 'vitest';
import { entryAt } from '../core/entry.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import type { SearchTask } from './conclusions.ts';
import { SearchTeam } from './search-team.ts';
import type { TheoremProver } from './theorem-prover.ts';

const TASKS: readonly SearchTask[] = outlineOf(
  ['a', 'b', 'c', 'd'].map((name) => `Lemma ${name} : True.\nAdmitted.\n`).join(''),
).statements.map((theorem) => ({ theorem }));

/** Provers that do nothing but remember; the team only hands them on. */
function team(size: number) {
  const said: string[] = [];
  const failed = new AbortController();
  const stopped = new AbortController();
  let opened = 0;
  const numbers = new Map<TheoremProver, number>();
  const made = new SearchTeam(
    { size, failed, signal: AbortSignal.any([failed.signal, stopped.signal]) },
    () => {
      const number = (opened += 1);
      const prover = {
        readLemmas: () => said.push(`${number} reads`),
        close: () => (number === 1 ? Promise.reject(new Error('It is gone.')) : Promise.resolve()),
      } as unknown as TheoremProver;
      numbers.set(prover, number);
      return Promise.resolve(prover);
    },
  );
  return {
    made,
    said,
    failed,
    stopped,
    opened: () => opened,
    numberOf: (one: TheoremProver) => numbers.get(one),
  };
}

const nameOf = ({ theorem }: SearchTask): string => theorem.name ?? '';

it('takes the tasks in their order, opens no more provers than it needs, and gives a theorem to the same one again', async () => {
  const { made, opened, numberOf } = team(2);
  const by = new Map<string, (number | undefined)[]>();
  const order: string[] = [];
  const search = (prover: TheoremProver, task: SearchTask): Promise<void> => {
    order.push(nameOf(task));
    by.set(nameOf(task), [...(by.get(nameOf(task)) ?? []), numberOf(prover)]);
    return Promise.resolve();
  };
  await made.work(TASKS, search);
  expect([...order].sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(order[0]).toBe('a');
  await made.work([...TASKS].reverse(), search);
  for (const [name, numbers] of by)
    expect([name, new Set(numbers).size, numbers.length]).toEqual([name, 1, 2]);
  expect(opened()).toBe(2);
});

it('searches alone what another one has stood at', async () => {
  const { made, opened } = team(3);
  await made.work([entryAt(TASKS, 0, 'task')], () => Promise.resolve());
  await made.work([entryAt(TASKS, 0, 'task')], () => Promise.resolve());
  expect(opened()).toBe(1);
});

it('ends with what the first fails with, when all have ended, and stops the others', async () => {
  const { made, failed } = team(2);
  const ended: string[] = [];
  const work = made.work(TASKS, async (_, task) => {
    if (nameOf(task) === 'a') throw new Error('broken');
    if (!failed.signal.aborted)
      await new Promise((resolve) => failed.signal.addEventListener('abort', resolve, { once: true }));
    ended.push(nameOf(task));
    throw new Error('ended by the first');
  });
  await expect(work).rejects.toThrow('broken');
  expect(ended).toEqual(['b']);
});

it('takes no task any more when it is stopped', async () => {
  const { made, stopped } = team(1);
  const begun: string[] = [];
  await made.work(TASKS, (_, task) => {
    begun.push(nameOf(task));
    stopped.abort();
    return Promise.resolve();
  });
  expect(begun).toEqual(['a']);
});

it('hands lists of lemmas to those that work, and closes all though one fails to', async () => {
  const { made, said } = team(2);
  await made.work(TASKS, () => new Promise((resolve) => setImmediate(resolve)));
  made.readLemmas({ first: Promise.resolve([]), all: Promise.resolve([]) });
  expect(said).toEqual(['1 reads', '2 reads']);
  await made.close();
});
