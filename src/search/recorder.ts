/**
 * Watches the proofs of a file in a session of its own, beside the search, and tells what they did in the order of the
 * file. What it saw is kept by content, so that a proof is watched once, however often its file is searched: until the
 * text before it changes.
 */
import type { Goal } from '../core/proof-state.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../provers/rocq/syntax/theorem-text.ts';
import { stepsOf } from '../retrieval/lexical/recorded-steps.ts';
import { storedSteps, type RecordedStep, type StoredStep } from '../retrieval/lexical/step-memory.ts';
import { FileRun, type FileRunEvents } from '../sessions/rocq/file-run.ts';
import { steadySession } from '../sessions/steady-session.ts';
import type { ProveRequest } from './prove-request.ts';
import { untilNotFoundAtOnce } from './libraries/not-found-at-once.ts';
import { RecordedProofs } from './libraries/recorded-proofs.ts';
import { skippedBefore } from './skipped-proofs.ts';

const CUTS_SHARE = 0.25;
const LEFT_OUT_MS = 60_000;

/** What one proof of the file did. */
export interface WatchedProof {
  readonly theorem: TheoremItem;
  readonly steps: readonly StoredStep[];
  readonly goals: readonly Goal[];
}

export interface RecorderWork {
  readonly request: ProveRequest;
  readonly outline: FileOutline;
  /** The holes, in the order of the file; nothing is watched behind the last. */
  readonly holes: readonly TheoremItem[];
  readonly onError: FileRunEvents['onError'];
}

export class Recorder {
  readonly #work: RecorderWork;
  readonly #watched: WatchedProof[] = [];
  readonly #ended = new AbortController();
  readonly #passed = new Map<TheoremItem, PromiseWithResolvers<undefined>>();
  readonly #kept: RecordedProofs | undefined;
  readonly #run: Promise<void>;
  readonly #recalled = Promise.withResolvers<undefined>();
  #ranMs = 0;
  /** It begins when somebody waits for it: until then others need the machine to come as far. */
  #rest: PromiseWithResolvers<undefined> | undefined = Promise.withResolvers<undefined>();

  constructor(work: RecorderWork) {
    this.#work = work;
    const { cacheDirectory, prover, file, nodes } = work.request;
    // What a run that can be repeated knows must not depend on runs before it.
    if (cacheDirectory !== undefined && nodes === undefined)
      this.#kept = new RecordedProofs(cacheDirectory, `${prover.identity.version}\0${file}`);
    for (const hole of work.holes) this.#passed.set(hole, Promise.withResolvers<undefined>());
    this.#run = this.#watch().finally(() => {
      this.#recalled.resolve(undefined);
      for (const { resolve } of this.#passed.values()) resolve(undefined);
    });
    this.#run.catch(() => undefined);
  }

  /** Everything that was seen until now; only ever added to. */
  get watched(): readonly WatchedProof[] {
    return this.#watched;
  }

  /** Settles when what an earlier run watched is there. */
  get recalled(): Promise<void> {
    return this.#recalled.promise;
  }

  /**
   * Settles when all proofs before a hole were watched, or never will be: a search without them is weaker, not
   * wrong.
   */
  async passed(hole: TheoremItem): Promise<void> {
    this.#rest?.resolve(undefined);
    this.#rest = undefined;
    await this.#passed.get(hole)?.promise;
  }

  /** Milliseconds that the file took that is run here; what an earlier run watched and is left out counts as a minute. */
  get ranMs(): number {
    return this.#ranMs;
  }

  /** Leaves the machine to others until somebody waits for it again. */
  rest(): void {
    this.#rest ??= Promise.withResolvers<undefined>();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#rest?.resolve(undefined);
    await this.#run.catch(() => undefined);
  }

  async #watch(): Promise<void> {
    const { request, outline, holes, onError } = this.#work;
    const last = holes.at(-1);
    if (last === undefined) return;
    const wanted = outline.statements.filter(
      (theorem) => endOfProof(theorem) <= last.sentence && theorem.body.first < theorem.body.end,
    );
    const known =
      (await this.#kept?.read(outline, wanted)) ?? new Map<TheoremItem, readonly RecordedStep[]>();
    const fresh = new Map<TheoremItem, readonly RecordedStep[]>();
    const tell = (theorem: TheoremItem, steps: readonly RecordedStep[]): void => {
      this.#watched.push({ theorem, steps: storedSteps(steps), goals: steps.map(({ goal }) => goal) });
    };
    for (const [theorem, steps] of known) tell(theorem, steps);
    this.#recalled.resolve(undefined);
    if (known.size > 0) this.#ranMs += LEFT_OUT_MS;
    if (wanted.every((theorem) => known.has(theorem))) return;
    await this.#rest?.promise;
    if (request.nodes === undefined) await untilNotFoundAtOnce(this.#ended.signal);
    if (request.signal.aborted || this.#ended.signal.aborted) return;
    const signal = AbortSignal.any([request.signal, this.#ended.signal]);
    const opened = await request.prover.openSession({ file: request.file, signal, givesWay: true });
    const session = request.nodes === undefined ? opened : steadySession(opened);
    try {
      const mayBeSkipped = skippedBefore(outline, last);
      const run = new FileRun(
        session,
        { outline, file: request.file, ...(request.imports && { imports: request.imports }) },
        {
          onTrace: (trace, theorem) => {
            if (known.has(theorem)) return;
            const steps = stepsOf(trace, request.file);
            fresh.set(theorem, steps);
            tell(theorem, steps);
          },
          onError: (error, about) => {
            if (!signal.aborted) onError(error, about);
          },
        },
        {
          record: true,
          beforeProof: async (theorem) => {
            const begun = performance.now();
            await this.#rest?.promise;
            this.#ranMs -= performance.now() - begun;
            return known.has(theorem) && mayBeSkipped(theorem) ? 'leave-out' : 'run';
          },
          // What was recorded must not depend on the clock in a run that can be repeated.
          ...(request.nodes === undefined && { cutsShare: CUTS_SHARE }),
          signal,
        },
      );
      for (const hole of holes) {
        if (signal.aborted) break;
        const begun = performance.now();
        await run.advanceTo(hole);
        this.#ranMs += performance.now() - begun;
        this.#passed.get(hole)?.resolve(undefined);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await session.close();
      if (fresh.size > 0) await this.#kept?.write(outline, new Map([...known, ...fresh]));
    }
  }
}
