/**
 * Operations that were asked for and go on whoever watches: their state is the server's, so that a reload, a second
 * window and a second person see the same. Ended ones are remembered for a while.
 */
import { randomUUID } from 'node:crypto';
import { QuodError } from '../../../core/errors.ts';
import type { AnyOperation, Progress } from '../../../operations/definition/operation.ts';
import type { Workspace } from '../../../operations/definition/workspace.ts';
import { asQuodError } from '../../error-object.ts';
import type { Host } from '../../host.ts';
import { problemOf } from '../../problem.ts';
import type { Job, JobDetail, JobId, JobOutcome } from './live-event.ts';
import type { LiveFeed } from './live-feed.ts';

export interface JobRequest {
  readonly operation: AnyOperation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly client: string;
  readonly workspace: Workspace;
}

interface JobRecord {
  job: Job;
  outcome: JobOutcome<unknown> | null;
  readonly stop: AbortController;
  readonly details: JobDetail[];
  tellAt: NodeJS.Timeout | undefined;
}

const ENDED_JOBS_KEPT = 100;

const DETAILS_AT_ONCE = 5000;

/** Characters of the line that says how a job ended. */
const LONGEST_CONCLUSION = 300;

/** Progress is told at most this often. */
const PROGRESS_MS = 100;

export class Jobs {
  readonly #host: Host;
  readonly #feed: LiveFeed;
  readonly #jobs = new Map<JobId, JobRecord>();

  constructor(host: Host, feed: LiveFeed) {
    this.#host = host;
    this.#feed = feed;
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job).reverse();
  }

  /** Null while it runs. @throws QuodError `not-found`. */
  outcome(id: JobId): JobOutcome<unknown> | null {
    return this.#named(id).outcome;
  }

  /**
   * What else happened in it, from the one of a number on: its progress says how many there are. @throws QuodError
   * `not-found`.
   */
  details(id: JobId, from: number): readonly JobDetail[] {
    return this.#named(id).details.slice(from, from + DETAILS_AT_ONCE);
  }

  /** Ends a job; one that has ended stays as it is. @throws QuodError `not-found`. */
  stop(id: JobId): Job {
    const kept = this.#named(id);
    kept.stop.abort();
    return kept.job;
  }

  start(request: JobRequest): Job {
    const kept: JobRecord = {
      job: {
        id: randomUUID(),
        operation: request.operation.name,
        title: request.title,
        input: request.input,
        state: 'running',
        startedAt: Date.now(),
        endedAt: null,
        progress: { message: 'Starting.', done: null, total: null },
        details: 0,
        conclusion: null,
      },
      outcome: null,
      stop: new AbortController(),
      details: [],
      tellAt: undefined,
    };
    this.#jobs.set(kept.job.id, kept);
    this.#tell(kept);
    void this.#run(kept, request);
    return kept.job;
  }

  async #run(kept: JobRecord, { operation, input, client, workspace }: JobRequest): Promise<void> {
    const { signal } = kept.stop;
    const progress = ({ message, done, total }: Progress): void => {
      kept.job = { ...kept.job, progress: { message, done: done ?? null, total: total ?? null } };
      this.#tellSoon(kept);
    };
    try {
      const watch = (detail: JobDetail): void => {
        kept.details.push(detail);
        this.#tellSoon(kept);
      };
      const caller = { client, signal, workspace, progress, watch };
      const answer = await this.#host.calls.answer(operation, input, caller);
      const conclusion =
        answer.conclusion() ?? answer.text().split('\n', 1).join('').slice(0, LONGEST_CONCLUSION);
      this.#end(kept, signal.aborted ? 'stopped' : 'answered', conclusion, {
        kind: 'answered',
        value: answer.value,
      });
    } catch (thrown) {
      const error = asQuodError(thrown);
      const state = signal.aborted ? 'stopped' : 'failed';
      this.#end(kept, state, error.message, { kind: 'failed', problem: problemOf(error) });
    }
  }

  #end(kept: JobRecord, state: Job['state'], conclusion: string, outcome: JobOutcome<unknown>): void {
    kept.job = { ...kept.job, state, conclusion, endedAt: Date.now() };
    kept.outcome = outcome;
    this.#tell(kept);
    const ended = [...this.#jobs.values()].filter(({ job }) => job.state !== 'running');
    for (const { job } of ended.slice(0, Math.max(0, ended.length - ENDED_JOBS_KEPT)))
      this.#jobs.delete(job.id);
  }

  #tellSoon(kept: JobRecord): void {
    kept.tellAt ??= setTimeout(() => this.#tell(kept), PROGRESS_MS);
  }

  #tell(kept: JobRecord): void {
    clearTimeout(kept.tellAt);
    kept.tellAt = undefined;
    kept.job = { ...kept.job, details: kept.details.length };
    this.#feed.publish({ kind: 'job', job: kept.job });
  }

  #named(id: JobId): JobRecord {
    const kept = this.#jobs.get(id);
    if (kept === undefined)
      throw new QuodError('not-found', 'There is no such job.', {
        remedy: 'The server forgets jobs when it ends, and the oldest of many.',
      });
    return kept;
  }
}
