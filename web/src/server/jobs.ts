/**
 * Long work that the server does on its own, whoever watches: a search, a build, a verdict, a run. Every window
 * sees the same list, also after a reload.
 */
import { effect, signal } from '@preact/signals';
import type { Job, JobId, JobOutcome } from '../../../src/faces/server/live/live-event.ts';
import { ServerSilent, getJson, send } from './client.ts';
import type { InputOf, OperationName, OutputOf } from './client.ts';
import { onLive, onRenewal } from './live.ts';

export type { Job, JobId };

/** All that the server remembers, newest first. */
export const jobs = signal<readonly Job[]>([]);

/** For people: what the server calls answered is done. */
export function jobStateText(state: Job['state']): string {
  return state === 'answered' ? 'done' : state;
}

export async function startJob<Name extends OperationName>(
  operation: Name,
  input: InputOf<Name>,
  /** What people call it: `Prove count_rev`. A name in it may be of any length. */
  title: string,
): Promise<Job> {
  const response = await send('/api/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operation, input, title: shortTitle(title) }),
  });
  const job = (await response.json()) as Job;
  keep(job);
  return job;
}

/** The server takes no longer titles. */
const LONGEST_TITLE = 200;

function shortTitle(title: string): string {
  return title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1).toWellFormed()}…`;
}

/** Ends it; what it has found by then is its answer where the operation gives one. */
export async function stopJob(id: JobId): Promise<void> {
  await send(`/api/jobs/${id}`, { method: 'DELETE' });
}

/** Changes what the operation lets be changed of a job that runs. */
export async function changeJob<Name extends OperationName>(
  id: JobId,
  input: Partial<InputOf<Name>>,
): Promise<void> {
  await send(`/api/jobs/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
}

/** The server forgets what has ended, for every window. */
export async function forgetEndedJobs(): Promise<void> {
  await send('/api/jobs', { method: 'DELETE' });
}

/** The answer or the problem of a job of the operation `Name`; undefined while it runs. */
export async function outcomeOf<Name extends OperationName>(
  id: JobId,
): Promise<JobOutcome<OutputOf<Name>> | undefined> {
  const outcome = await getJson<JobOutcome<OutputOf<Name>> | null>(`/api/jobs/${id}/outcome`);
  return outcome ?? undefined;
}

/** Resolves when the job has ended, with its outcome. */
export async function awaitJob<Name extends OperationName>(id: JobId): Promise<JobOutcome<OutputOf<Name>>> {
  await new Promise<void>((resolve) => {
    const stop = effect(() => {
      if (jobs.value.find((job) => job.id === id)?.state === 'running') return;
      queueMicrotask(() => {
        stop();
        resolve();
      });
    });
  });
  const outcome = await outcomeOf<Name>(id);
  if (outcome === undefined) throw new ServerSilent('The server forgot the job before it ended.');
  return outcome;
}

/** What was heard of since the list was asked for that is on its way: of these the list may tell what was before. */
let heard = new Set<JobId>();

export function followJobs(): void {
  const refresh = (): void => {
    const meanwhile = (heard = new Set());
    getJson<readonly Job[]>('/api/jobs').then(
      (listed) => {
        if (heard !== meanwhile) return;
        const isHeard = ({ id }: Job): boolean => meanwhile.has(id);
        jobs.value = [...jobs.value.filter(isHeard), ...listed.filter((job) => !isHeard(job))].toSorted(
          (one, other) => Date.parse(other.started_at) - Date.parse(one.started_at),
        );
      },
      () => undefined,
    );
  };
  onLive('job', ({ job }) => keep(job));
  onLive('forgotten', ({ jobs: gone }) => {
    for (const id of gone) heard.add(id);
    jobs.value = jobs.value.filter(({ id }) => !gone.includes(id));
  });
  onRenewal(refresh);
  refresh();
}

function keep(job: Job): void {
  heard.add(job.id);
  const known = jobs.value;
  const at = known.findIndex(({ id }) => id === job.id);
  // The stream may tell of the end before the answer comes that tells of the beginning.
  if (job.state === 'running' && at >= 0 && known[at]?.state !== 'running') return;
  jobs.value = at < 0 ? [job, ...known] : known.with(at, job);
}
