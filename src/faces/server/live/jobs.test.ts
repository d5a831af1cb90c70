/** Jobs: what can be changed while one runs, and what the server forgets. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { entryAt } from '../../../core/entry.ts';
import { defineOperation } from '../../../operations/definition/operation.ts';
import { openHost } from '../../host.ts';
import type { Host } from '../../host.ts';
import { Jobs } from './jobs.ts';
import type { Job } from './live-event.ts';
import { LiveFeed } from './live-feed.ts';

/** Tells what it was asked for, each time that it is asked, and ends when that is 0. */
const count = defineOperation({
  name: 'proof_count',
  area: 'proof',
  title: 'Count',
  summary: 'Works until its budget is nothing.',
  input: z.object({ budget: z.number().nonnegative().max(100), name: z.string() }),
  output: z.object({ budgets: z.array(z.number()) }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  changeable: ['budget'],
  run: async ({ budget }, { inputNow, watch, signal }) => {
    const budgets = [budget];
    while (budgets.at(-1) !== 0 && !signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = Number(inputNow?.()['budget']);
      if (now === budgets.at(-1)) continue;
      watch?.({ budget: now });
      budgets.push(now);
    }
    return { budgets };
  },
});

let host: Host;
let jobs: Jobs;
let feed: LiveFeed;

beforeEach(async () => {
  host = await openHost({ folder: '.', confined: true, operations: [count] });
  feed = new LiveFeed();
  jobs = new Jobs(host, feed);
});

afterEach(() => host.services.close());

function start(budget: number): Job {
  const { workspace } = host;
  const input = { budget, name: 'one' };
  return jobs.start({ operation: count, input, title: 'Count', client: 'test', workspace });
}

const ended = (job: Job): Promise<void> =>
  vi.waitFor(() => expect(jobs.outcome(job.id)).toMatchObject({ kind: 'answered' }));

describe('the input of a job that runs', () => {
  test('can be changed in what its operation says, and every page is told', async () => {
    const job = start(10);
    expect(jobs.change(job.id, { budget: 30 }).input).toEqual({ budget: 30, name: 'one' });
    await vi.waitFor(() => expect(jobs.details(job.id, 0)).toEqual([{ budget: 30 }]));
    jobs.change(job.id, { budget: 0 });
    await ended(job);
    expect(jobs.outcome(job.id)).toMatchObject({ value: { budgets: [10, 30, 0] } });
    expect(jobs.list()[0]?.input).toEqual({ budget: 0, name: 'one' });
  });

  test('is parsed like any other, and stays when it is refused', async () => {
    const job = start(10);
    expect(() => jobs.change(job.id, { budget: 1000 })).toThrow(/budget/u);
    expect(() => jobs.change(job.id, { name: 'two' })).toThrow(/cannot be changed while it runs/u);
    expect(() => jobs.change('nothing', { budget: 1 })).toThrow(/no such job/u);
    jobs.change(job.id, { budget: 0 });
    await ended(job);
    expect(jobs.outcome(job.id)).toMatchObject({ value: { budgets: [10, 0] } });
    expect(() => jobs.change(job.id, { budget: 5 })).toThrow(/has ended/u);
  });
});

describe('jobs that have ended', () => {
  test('are forgotten when somebody says so; what runs goes on', async () => {
    const gone = start(0);
    const going = start(10);
    await ended(gone);
    const begun = feed.latest;
    jobs.forgetEnded();
    expect(jobs.list().map(({ id }) => id)).toEqual([going.id]);
    expect(feed.after(begun).events.map(({ event }) => event)).toEqual([
      { kind: 'forgotten', jobs: [gone.id] },
    ]);
    expect(() => jobs.outcome(gone.id)).toThrow(/no such job/u);
    jobs.change(going.id, { budget: 0 });
    await ended(going);
  });

  test('keep what happened in them for a while only, and their outcome for longer', async () => {
    const all: Job[] = [];
    for (let round = 0; round < 25; round += 1) {
      const job = start(10);
      jobs.change(job.id, { budget: 0 });
      await ended(job);
      all.push(job);
    }
    expect(jobs.details(entryAt(all, 24, 'job').id, 0)).toEqual([{ budget: 0 }]);
    const first = entryAt(all, 0, 'job').id;
    expect(jobs.details(first, 0)).toEqual([]);
    expect(jobs.list().find(({ id }) => id === first)).toMatchObject({ details: 0, state: 'answered' });
    expect(jobs.outcome(first)).toMatchObject({ kind: 'answered' });
  });
});
