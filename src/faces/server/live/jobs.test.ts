/** Jobs: what can be changed while one runs, and what the server forgets. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { present } from '../../../core/entry.ts';
import { defineOperation } from '../../../operations/definition/operation.ts';
import { openHost } from '../../host.ts';
import type { Host } from '../../host.ts';
import { Jobs, type JobRequest } from './jobs.ts';
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

/** Tells as much as it is asked for. */
const tell = defineOperation({
  name: 'proof_tell',
  area: 'proof',
  title: 'Tell',
  summary: 'Tells numbers.',
  input: z.object({ times: z.number() }),
  output: z.object({}),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  run: ({ times }, { watch }) => {
    for (let number = 0; number < times; number += 1) watch?.({ number });
    return Promise.resolve({});
  },
});

/** As the operation is called whose answers are about files. */
const build = defineOperation({
  name: 'proof_build',
  area: 'proof',
  title: 'Build',
  summary: 'Builds nothing.',
  input: z.object({}),
  output: z.object({}),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  run: () => Promise.resolve({}),
});

const check = defineOperation({
  name: 'proof_check',
  area: 'proof',
  title: 'Check',
  summary: 'Checks nothing.',
  input: z.object({ file: z.string() }),
  output: z.object({}),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  run: () => Promise.resolve({}),
});

let host: Host;
let jobs: Jobs;
let feed: LiveFeed;

beforeEach(async () => {
  host = await openHost({ folder: '.', confined: true, operations: [count, tell, build, check] });
  feed = new LiveFeed();
  jobs = new Jobs(host, feed);
});

afterEach(() => host.services.close());

function asked(input: Record<string, unknown>): Omit<JobRequest, 'operation'> {
  return { input, title: 'Count', client: 'test', workspace: host.workspace };
}

function start(budget: number): Job {
  return jobs.start({ ...asked({ budget, name: 'one' }), operation: count });
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

  test('keep what happened in them as far as there is room, and their outcome for longer', async () => {
    const all: Job[] = [];
    for (const times of [10, 30_000, 30_000]) {
      const job = jobs.start({ ...asked({ times }), operation: tell });
      await ended(job);
      all.push(job);
    }
    const [first, second, third] = all.map(({ id }) => id);
    const detailsOf = (wanted: string | undefined): number | undefined =>
      jobs.list().find(({ id }) => id === wanted)?.details;
    expect([first, second, third].map(detailsOf)).toEqual([0, 0, 30_000]);
    expect(jobs.details(present(third, 'the last job'), 29_999)).toEqual([{ number: 29_999 }]);
    expect(jobs.details(present(second, 'the second job'), 0)).toEqual([]);
    expect(jobs.outcome(present(first, 'the first job'))).toMatchObject({ kind: 'answered' });
  });

  test('keep all of the last one, however much it is', async () => {
    const job = jobs.start({ ...asked({ times: 60_000 }), operation: tell });
    await ended(job);
    expect(jobs.details(job.id, 59_999)).toEqual([{ number: 59_999 }]);
  });
});

test('the last build, and the last check of each file, know which sources were written since they began, and no other job does', async () => {
  const [old, job, other] = [build, build, tell].map((operation) =>
    jobs.start({ ...asked(operation === tell ? { times: 1 } : {}), operation }),
  );
  const checks = ['One.fst', 'One.fst', 'Two.fst'].map((file) =>
    jobs.start({ ...asked({ file }), operation: check }),
  );
  for (const one of [old, job, other, ...checks]) await ended(present(one, 'a job'));
  for (const path of ['a.v', 'a.vo', 'sub/b.v', 'a.v'])
    feed.publish({ kind: 'file', path, change: 'written' });
  const changedOf = (wanted: Job | undefined) => jobs.list().find(({ id }) => id === wanted?.id)?.changed;
  expect([old, job, other].map(changedOf)).toEqual([[], ['a.v', 'sub/b.v'], []]);
  expect(checks.map(changedOf)).toEqual([[], ['a.v', 'sub/b.v'], ['a.v', 'sub/b.v']]);
});
