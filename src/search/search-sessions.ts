/**
 * The sessions of one prover of theorems: one that stands at each hole as soon as it can, and helpers for searches
 * that last. A helper is opened when it is first wanted: most proofs are found before it would have been there.
 */
import { inTime } from '../core/concurrency/in-time.ts';
import type { Prover, ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { stepsOf } from '../retrieval/lexical/recorded-steps.ts';
import { storedSteps, type StoredStep } from '../retrieval/lexical/step-memory.ts';
import { earlierText } from '../sessions/rocq/earlier-failure.ts';
import { FileRun, type FileRunEvents } from '../sessions/rocq/file-run.ts';
import type { ImportHints } from '../sessions/rocq/imports/import-hint.ts';
import { steadySession } from '../sessions/steady-session.ts';
import type { SearchWorker } from './graph/search-options.ts';
import type { NotFound } from './prove-request.ts';
import { RunningSteps, type RunningStep } from './running-steps.ts';
import { hideUnused } from './script/hide-unused.ts';
import { closeAll } from './theorem-search.ts';

const CUTS_SHARE = 0.25;
/** No session is opened for less: it would come too late. */
const LEAST_FOR_HELP_MS = 2500;

export interface SearchSessionsWork {
  readonly request: {
    readonly file: string;
    readonly nodes?: number;
    readonly prover: Prover;
    readonly imports?: ImportHints;
    readonly signal: AbortSignal;
  };
  readonly outline: FileOutline;
  /** Whether a proof need not be run to stand behind it. */
  readonly mayBeSkipped: (theorem: TheoremItem) => boolean;
  readonly onError: FileRunEvents['onError'];
}

/** A session at a hole, with the variables hidden that its proof may not use. */
export interface AtHole {
  readonly worker: SearchWorker;
  /** The state before anything was hidden. */
  readonly opened: StateId;
  readonly hidden: readonly string[];
}

interface SessionInFile {
  readonly session: ProverSession;
  readonly run: FileRun;
}

export class SearchSessions {
  readonly #work: SearchSessionsWork;
  readonly #first: SessionInFile;
  readonly #onSteps: (steps: readonly StoredStep[]) => void;
  readonly #running: RunningSteps;
  #helpers: readonly SessionInFile[] = [];
  /** The last of those who brought them to a hole. */
  #helping: Promise<readonly SearchWorker[]> = Promise.resolve([]);
  readonly #ended = new AbortController();

  private constructor(
    work: SearchSessionsWork,
    { session, running }: { readonly session: ProverSession; readonly running: RunningSteps },
    onSteps: (steps: readonly StoredStep[]) => void,
  ) {
    this.#work = work;
    this.#running = running;
    this.#onSteps = onSteps;
    this.#first = { session, run: this.#runOf(session, 'open-proofs') };
  }

  /** @param onSteps What authors did in proofs that they left open. */
  static async open(
    work: SearchSessionsWork,
    onSteps: (steps: readonly StoredStep[]) => void,
  ): Promise<SearchSessions> {
    const running = new RunningSteps();
    return new SearchSessions(work, { session: await openSession(work, running), running }, onSteps);
  }

  /** What one of them runs, the one that runs for longest. */
  get running(): RunningStep | undefined {
    return this.#running.longest;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#helping;
    await closeAll([this.#first, ...this.#helpers].map(({ session }) => session));
  }

  /** Why `firstAt` answered nothing; the error of the statement itself was told. */
  whyNotStated(theorem: TheoremItem): Pick<NotFound, 'reason' | 'message'> {
    const { error, follows } = this.#first.run.refusalOf(theorem) ?? {};
    if (error?.reason === 'timeout')
      return {
        reason: error.reason,
        message: 'The statement does not come to its end in Rocq, so there is no proof to search for.',
      };
    const message =
      follows === undefined
        ? 'Rocq does not accept the statement, so there is no proof to search for.'
        : `Rocq does not accept the statement, for ${earlierText(follows)}`;
    return { reason: 'does-not-compile', message };
  }

  /** Undefined where Rocq refuses the statement. */
  firstAt(theorem: TheoremItem): Promise<AtHole | undefined> {
    return atHole(this.#first, theorem);
  }

  recordOpenProof(theorem: TheoremItem, opened: StateId, mayGoOn: () => boolean): Promise<void> {
    return this.#first.run.recordOpenProof(theorem, opened, mayGoOn);
  }

  /** So many more sessions at the hole, or as many as can be had; none where it takes longer than is said. */
  async helpersAt(theorem: TheoremItem, count: number, mostMs: number): Promise<readonly SearchWorker[]> {
    if (count === 0 || mostMs < LEAST_FOR_HELP_MS) return [];
    // Each goes through the file: what comes too late for this hole is on the way to the next.
    const there = this.#helping.then(() => this.#broughtTo(theorem, count));
    this.#helping = there.catch(() => []);
    return inTime(there, mostMs, []);
  }

  async #broughtTo(theorem: TheoremItem, count: number): Promise<SearchWorker[]> {
    const missing = count - this.#helpers.length;
    if (missing > 0) {
      const opened = await Promise.allSettled(
        Array.from({ length: missing }, () => openSession(this.#ofHelpers, this.#running)),
      );
      const sessions = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      this.#helpers = [
        ...this.#helpers,
        ...sessions.map((session) => ({ session, run: this.#runOf(session, false, this.#ofHelpers) })),
      ];
    }
    const there = await Promise.allSettled(this.#helpers.map((helper) => atHole(helper, theorem)));
    return there.flatMap((result) =>
      result.status === 'fulfilled' && result.value !== undefined ? [result.value.worker] : [],
    );
  }

  /** Nobody waits for them at the end. */
  get #ofHelpers(): SearchSessionsWork {
    const { request } = this.#work;
    return {
      ...this.#work,
      request: { ...request, signal: AbortSignal.any([request.signal, this.#ended.signal]) },
      onError: (error, about) => {
        if (!this.#ended.signal.aborted) this.#work.onError(error, about);
      },
    };
  }

  #runOf(session: ProverSession, record: 'open-proofs' | false, work = this.#work): FileRun {
    const { request, outline, mayBeSkipped, onError } = work;
    return new FileRun(
      session,
      { outline, file: request.file, ...(request.imports && { imports: request.imports }) },
      { onTrace: (trace) => this.#onSteps(storedSteps(stepsOf(trace, request.file))), onError },
      {
        // The finished proofs are watched beside the search.
        record,
        beforeProof: (theorem) => Promise.resolve(mayBeSkipped(theorem) ? 'leave-out' : 'run'),
        // What was recorded must not depend on the clock in a run that can be repeated.
        ...(request.nodes === undefined && { cutsShare: CUTS_SHARE }),
        signal: request.signal,
      },
    );
  }
}

async function openSession({ request }: SearchSessionsWork, running: RunningSteps): Promise<ProverSession> {
  const { file, signal, prover, nodes } = request;
  const session = await prover.openSession({ file, signal });
  return running.watch(nodes === undefined ? session : steadySession(session));
}

async function atHole({ session, run }: SessionInFile, theorem: TheoremItem): Promise<AtHole | undefined> {
  const opened = await run.advanceTo(theorem);
  if (opened === undefined) return undefined;
  const { state, names } = await hideUnused(session, opened, theorem);
  return { worker: { session, root: state }, opened, hidden: names };
}
