/**
 * Operations that were asked for and go on whoever watches: their state is the server's, so that a reload, a second
 * window and a second person see the same. Ended ones are remembered for a while.
 */
import { randomUUID } from 'node:crypto';
import { QuodError } from '../../../core/errors.ts';
import { parseInput } from '../../../operations/definition/call-operation.ts';
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
  readonly operation: AnyOperation;
  readonly stop: AbortController;
  details: readonly JobDetail[];
  tellAt: NodeJS.Timeout | undefined;
}

const ENDED_JOBS_KEPT = 100;

/** A search tells of thousands of goals: of those that have ended so many are kept, and all of the last one. */
const DETAILS_KEPT = 50_000;

const DETAILS_AT_ONCE = 5000;

/** Characters of the line that says how a job ended. */
const LONGEST_CONCLUSION = 300;

/** What these say is of files as they are on the disk. */
const OF_FILES: ReadonlySet<string> = new Set(['proof_build', 'proof_check']);

/** Of more files it is not told that they were changed. */
const MOST_CHANGED = 1000;

/** Progress is told at most this often. */
const PROGRESS_MS = 100;

export class Jobs {
  readonly #host: Host;
  readonly #feed: LiveFeed;
  readonly #jobs = new Map<JobId, JobRecord>();

  constructor(host: Host, feed: LiveFeed) {
    this.#host = host;
    this.#feed = feed;
    feed.listen(({ event }) => {
      if (event.kind === 'file' && !event.path.endsWith('.vo')) this.#noteChange(event.path);
    });
  }

  /** What the last build says, and the last check of each file, is old when a file was written since. */
  #noteChange(path: string): void {
    const last = new Map<string, JobRecord>();
    for (const kept of this.#jobs.values()) {
      const { operation, input } = kept.job;
      if (OF_FILES.has(operation)) last.set(JSON.stringify([operation, input['file']]), kept);
    }
    for (const kept of last.values()) {
      const { changed } = kept.job;
      if (changed.includes(path) || changed.length >= MOST_CHANGED) continue;
      kept.job = { ...kept.job, changed: [...changed, path] };
      this.#tell(kept);
    }
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

  /**
   * Changes the input of a job that runs, in what its operation lets be changed. @throws QuodError `not-found`,
   * `invalid-input`, and `unsupported` where the job has ended.
   */
  change(id: JobId, changes: Readonly<Record<string, unknown>>): Job {
    const kept = this.#named(id);
    const { name, changeable, input } = kept.operation;
    const fixed = Object.keys(changes).find((field) => !changeable.includes(field));
    if (fixed !== undefined)
      throw new QuodError('invalid-input', `\`${fixed}\` of ${name} cannot be changed while it runs.`, {
        remedy:
          changeable.length === 0 ? 'Stop it, and start another.' : `What can: ${changeable.join(', ')}.`,
      });
    if (kept.job.state !== 'running')
      throw new QuodError('unsupported', 'The job has ended.', { remedy: 'Start another.' });
    const next = { ...kept.job.input, ...changes };
    parseInput(input, next);
    kept.job = { ...kept.job, input: next };
    this.#tell(kept);
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
        started_at: new Date().toISOString(),
        ended_at: null,
        progress: { message: 'Starting.', done: null, total: null },
        details: 0,
        conclusion: null,
        changed: [],
      },
      outcome: null,
      operation: request.operation,
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
    const details: JobDetail[] = [];
    kept.details = details;
    try {
      const watch = (detail: JobDetail): void => {
        details.push(detail);
        this.#tellSoon(kept);
      };
      const caller = { client, signal, workspace, progress, watch, inputNow: () => kept.job.input };
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
    kept.job = { ...kept.job, state, conclusion, ended_at: new Date().toISOString() };
    kept.outcome = outcome;
    this.#tell(kept);
    const ended = this.#ended();
    this.#forget(ended.slice(0, -ENDED_JOBS_KEPT));
    let details = 0;
    for (const one of ended.toReversed()) {
      details += one.details.length;
      if (details <= DETAILS_KEPT || one === kept || one.details.length === 0) continue;
      one.details = [];
      this.#tell(one);
    }
  }

  /** Forgets what has ended. */
  forgetEnded(): void {
    this.#forget(this.#ended());
  }

  /** Oldest first. */
  #ended(): JobRecord[] {
    return [...this.#jobs.values()].filter(({ job }) => job.state !== 'running');
  }

  #forget(gone: readonly JobRecord[]): void {
    if (gone.length === 0) return;
    for (const { job } of gone) this.#jobs.delete(job.id);
    this.#feed.publish({ kind: 'forgotten', jobs: gone.map(({ job }) => job.id) });
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
