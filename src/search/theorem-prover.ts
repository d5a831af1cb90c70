/**
 * Works through theorems in the order of the file, one at a time; what the file's proofs taught is kept between
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lazyConstant } from '../core/lazy-constant.ts';
import { LineIndex } from '../core/position.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { SearchResult, SearchWorker } from './graph/search-options.ts';
import { INGREDIENTS, type Ingredient } from './candidates/candidate.ts';
import { Falsehood } from './falsehood.ts';
import { GrowingKnowledge, type KnowledgeSources } from './growing-knowledge.ts';
import { withHidden } from './script/hide-unused.ts';
import { SearchSessions, type AtHole, type SearchSessionsWork } from './search-sessions.ts';
import { Phases } from './phases.ts';
import { openPlaces, type OpenPlace } from './script/partial-proof.ts';
import { recursiveNames } from './candidates/recursion.ts';
import { stepsOf } from '../retrieval/lexical/recorded-steps.ts';
import {
  DEFAULT_BUDGET_MS,
  type ProveEvent,
  type ProveRequest,
  type SearchedTheorem,
  type SearchOutcome,
} from './prove-request.ts';
import type { Recorder } from './recorder.ts';
import type { Replacement } from '../core/replacement.ts';
import { scriptSentences, type ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import { StepMemory, storedSteps, type StoredStep } from '../retrieval/lexical/step-memory.ts';
import { rewritten, searchTheorem } from './theorem-search.ts';
import { FoundProofs } from './script/found-proofs.ts';
import type { RestyledProof } from './script/style/restyle.ts';
import { traceOf } from '../sessions/rocq/traced-proof.ts';
import { filledProof, wholeProof } from './script/splice.ts';
import { fileStyleOf, type WantedStyle } from './script/style/file-style.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';

/** Searches the goals in focus with a share of what is left of the budget. */
type SearchPlace = (
  workers: readonly SearchWorker[],
  proof: ProofState,
  share: number,
) => Promise<ScriptTree | undefined>;

const PROGRESS_EVERY_MS = 200;
/** A step that runs for longer is named; also how often it is told that one runs. */
const LONG_STEP_MS = 1000;
/** What is found sooner is found by one session. */
const ALONE_MS = 2000;
/** It goes on alone for longer while the file's own proofs are still watched, up to this. */
const WATCHED_MS = 4000;
/** The part of the budget that goes to the places an author left open, before the whole proof is searched anew. */
const PLACES_SHARE = 0.5;
const NOTHING_REACHED = {
  reason: 'search-exhausted',
  message: 'There was nothing to search.',
  bestGoalCount: 0,
} as const;

export function titleOf(theorem: TheoremItem): string {
  return theorem.name ?? theorem.keyword;
}

/** What it works on and with. */
export interface TheoremProverWork extends SearchSessionsWork, KnowledgeSources {
  readonly request: ProveRequest;
  /** Steps of the libraries, the nearest first. */
  readonly library: Promise<readonly StoredStep[]>;
}

/** What a proof is kept for: the statement, and the goals where it is a place in an author's proof. */
function askedBy(statement: string, { goals }: ProofState): string {
  return [statement, ...goals.map(({ conclusion }) => conclusion)].join('\0');
}

/** Whether it was the clock that ended a search. */
function mayGoOn(result: SearchResult<ScriptTree> | undefined): boolean {
  return result?.kind === 'not-found' && result.reason === 'interrupted';
}

export class TheoremProver {
  readonly #request: ProveRequest;
  readonly #outline: FileOutline;
  readonly #workers: SearchSessions;
  readonly #helpers: number;
  readonly #knowledge: GrowingKnowledge;
  readonly #wantedStyle: WantedStyle;
  readonly #without: ReadonlySet<Ingredient>;
  readonly #lines: LineIndex;
  /** Proofs that were found and not yet learned from. */
  readonly #found: { worker: SearchWorker; script: ScriptTree }[] = [];
  readonly #recorder: Recorder;
  readonly #keptProofs: FoundProofs | undefined;
  #loaded = false;

  private constructor(
    work: TheoremProverWork,
    {
      steps,
      workers,
      helpers,
    }: { readonly steps: StepMemory; readonly workers: SearchSessions; readonly helpers: number },
  ) {
    const { request, outline, recorder } = work;
    this.#request = request;
    this.#outline = outline;
    this.#recorder = recorder;
    this.#lines = new LineIndex(request.text);
    this.#wantedStyle = { style: request.style ?? 'terse', file: fileStyleOf(outline) };
    this.#without = new Set(INGREDIENTS.filter((name) => request.without?.includes(name)));
    this.#knowledge = new GrowingKnowledge(work, steps, this.#without);
    this.#workers = workers;
    this.#helpers = helpers;
    const { cacheDirectory, prover, file, nodes, seed, costs, without = [] } = request;
    // What a run that can be repeated finds must not depend on runs before it, nor what is measured.
    const mayBeKept = nodes === undefined && costs === undefined && without.length === 0;
    if (cacheDirectory !== undefined && mayBeKept)
      this.#keptProofs = new FoundProofs(
        cacheDirectory,
        [prover.identity.version, file, String(seed)].join('\0'),
      );
  }

  /** @param helpers How many sessions may join in the search of a theorem besides the first. */
  static async open(work: TheoremProverWork, helpers: number): Promise<TheoremProver> {
    const steps = new StepMemory(work.request.file);
    const workers = await SearchSessions.open(work, (made) => {
      for (const step of made) steps.add(step);
    });
    try {
      // The most distant first: of equally similar steps the one that was added last is preferred.
      for (const step of (await work.library).toReversed()) steps.add(step);
    } catch (error) {
      await workers.close();
      throw error;
    }
    return new TheoremProver(work, { steps, workers, helpers });
  }

  close(): Promise<void> {
    this.#knowledge.close();
    return this.#workers.close();
  }

  /** What the search says of a theorem; a proof still has to be judged. */
  async prove(
    theorem: TheoremItem,
    onEvent: (event: ProveEvent) => void,
  ): Promise<SearchedTheorem<SearchOutcome>> {
    const phases = new Phases((phase) => onEvent({ kind: 'phase', theorem: titleOf(theorem), phase }));
    const loading = phases.begin('file');
    const place = await this.#workers.firstAt(theorem);
    if (!this.#loaded) {
      this.#loaded = true;
      onEvent({ kind: 'file-loaded', elapsedMs: performance.now() - loading, sentences: theorem.sentence });
    }
    const started = phases.begin('lemmas');
    const statement = statementOf(this.#outline, theorem);
    const common = {
      theorem: titleOf(theorem),
      line: this.#lines.printedAt(statement.span.start).line,
      statement: statement.text,
    };
    const finish = (nodes: number, outcome: SearchOutcome): SearchedTheorem<SearchOutcome> => ({
      ...common,
      times: phases.end(),
      elapsedMs: performance.now() - started,
      nodes,
      outcome,
    });
    let isWatched = false;
    const allWatched = this.#recorder.passed(theorem).then(() => {
      isWatched = true;
      this.#knowledge.absorb(theorem);
    });
    const first = place?.worker;
    const proof = first === undefined ? null : await first.session.goals(first.root);
    // An instance with nothing to prove has an empty proof and no hole.
    if (theorem.hole === 'empty' && proof?.goals.length === 0) {
      const { end } = statement.span;
      return finish(0, { kind: 'found', script: '', replacement: { span: { start: end, end }, text: '' } });
    }
    if (place === undefined || first === undefined || proof === null || proof.goals.length === 0)
      return finish(0, {
        kind: 'not-proved',
        reason: 'does-not-compile',
        message: 'Rocq does not accept the statement, so there is no proof to search for.',
      });
    const { session } = first;
    const opened = { outline: this.#outline, theorem, session, opened: place.opened, phases };
    const falsehood = new Falsehood(this.#request, opened);
    // A run that can be repeated waits for all of it; any other begins with what there is.
    await (this.#request.nodes === undefined ? this.#recorder.recalled : allWatched);
    this.#knowledge.absorb(theorem);
    await this.#learn(theorem, place.opened);
    let noted = performance.now();
    // What an earlier run found needs none.
    const knowledgeHere = lazyConstant(async () => {
      const knowledge = await this.#knowledge.at(first, theorem);
      noted = phases.begin('search');
      return knowledge;
    });
    let spent = 0;
    const keptAs = new Set<string>();
    let reached: Extract<SearchResult<ScriptTree>, { kind: 'not-found' }> | undefined;
    let budgetSince = started;
    const searchWith = async (
      on: readonly SearchWorker[],
      state: ProofState,
      limits: { readonly share: number; readonly enough?: AbortSignal },
    ): Promise<ScriptTree | undefined> => {
      const knowledge = await knowledgeHere();
      const { nodes, budgetMs = () => DEFAULT_BUDGET_MS, seed, signal } = this.#request;
      const interlude = falsehood.interlude(knowledge.pace);
      // Looking whether it is false is no search: what that took before is not counted, and what it takes is added.
      const interludeBefore = falsehood.interludeMs;
      const used = performance.now() - budgetSince - interludeBefore;
      const spentBefore = spent;
      let latest = { tried: 0, bestGoalCount: state.goals.length };
      const tellProgress = (): void => {
        noted = performance.now();
        const { running } = this.#workers;
        onEvent({
          kind: 'progress',
          theorem: common.theorem,
          elapsedMs: noted - started,
          nodes: spentBefore + latest.tried,
          bestGoalCount: latest.bestGoalCount,
          ...(running !== undefined && running.elapsedMs >= LONG_STEP_MS && { running }),
        });
      };
      // Also while one tactic runs and nothing else happens.
      const heart = setInterval(tellProgress, LONG_STEP_MS);
      const found = await searchTheorem(on, state, knowledge, {
        budgetMs:
          nodes === undefined
            ? () => (budgetMs() - used) * limits.share + falsehood.interludeMs - interludeBefore
            : undefined,
        nodes: nodes === undefined ? undefined : Math.floor((nodes - spent) * limits.share),
        seed,
        without: this.#without,
        wantedStyle: this.#wantedStyle,
        habits: this.#knowledge.habits,
        recursive: recursiveNames(theorem, state),
        signal,
        ...(limits.enough !== undefined && { enough: limits.enough }),
        interlude: {
          ...interlude,
          isDue: (tried) => interlude.isDue(spentBefore + tried),
        },
        onGraph:
          this.#request.watchGraph === true
            ? (news) => onEvent({ kind: 'graph', theorem: common.theorem, news })
            : undefined,
        onProgress: (tried, bestGoalCount) => {
          latest = { tried, bestGoalCount };
          if (performance.now() - noted >= PROGRESS_EVERY_MS) tellProgress();
        },
      }).finally(() => clearInterval(heart));
      spent += found.nodes;
      if (found.kind === 'found') {
        this.#found.push({ worker: on[0] ?? first, script: found.script.unnamed });
        const { found: asFound, written } = found.script;
        onEvent({ kind: 'written', theorem: common.theorem, found: asFound, written });
        const asked = askedBy(statement.text, state);
        keptAs.add(asked);
        await this.#keptProofs?.keep(asked, asFound);
        return written;
      }
      reached = found;
      return undefined;
    };
    const { signal } = this.#request;
    /**
     * Begins alone and with what is known by now. When that was not enough for a while the search goes on with all
     * that the file's own proofs show and with the helpers. On the way it is looked whether the statement is false,
     * which most are not.
     */
    const search: SearchPlace = async (on, state, share) => {
      const asked = askedBy(statement.text, state);
      const kept = await this.#foundBefore(asked, on[0] ?? first, state, recursiveNames(theorem, state));
      if (kept !== undefined) {
        keptAs.add(asked);
        const { found, written } = kept;
        onEvent({ kind: 'written', theorem: common.theorem, found, written });
        return written;
      }
      const helpers = on === alone ? this.#helpers : 0;
      if (falsehood.found() !== undefined) return undefined;
      if (this.#request.nodes !== undefined || (isWatched && helpers === 0))
        return searchWith(on, state, { share });
      const { pace } = await knowledgeHere();
      const enough = new AbortController();
      const quiet = { signal: enough.signal };
      const more = Promise.all([
        sleep(ALONE_MS * pace, undefined, quiet),
        Promise.race([allWatched, sleep(WATCHED_MS * pace, undefined, quiet)]),
      ]);
      void more.then(() => enough.abort()).catch(() => undefined);
      const found = await searchWith(on, state, { share, enough: enough.signal });
      enough.abort();
      if (found !== undefined || signal.aborted || falsehood.found() !== undefined) return found;
      if (isWatched && !mayGoOn(reached)) return undefined;
      if (falsehood.isNew) {
        await falsehood.briefly(pace);
        if (falsehood.found() !== undefined) return undefined;
        phases.begin('search');
      }
      // Who watches gives way to all else on the machine: only where nothing else can be done is that waited for.
      if (!isWatched && !mayGoOn(reached)) {
        await allWatched;
        budgetSince = performance.now() - falsehood.interludeMs;
      }
      const joining = helpers === 0 ? [] : await this.#workers.helpersAt(theorem, helpers);
      return searchWith([...on, ...joining], state, { share });
    };
    const alone = [first];
    const replacement =
      (await this.#fillPlaces(first, theorem, search)) ??
      (await this.#wholeProof(theorem, await search(alone, proof, 1), place));
    if (replacement === undefined) {
      await falsehood.atLast();
      const isFalse = falsehood.found();
      if (isFalse !== undefined) return finish(spent, isFalse);
      const { reason, message, bestGoalCount } = reached ?? NOTHING_REACHED;
      return finish(spent, { kind: 'not-proved', reason, message, bestGoalCount });
    }
    const forget = async (): Promise<void> => {
      for (const asked of keptAs) await this.#keptProofs?.forget(asked);
    };
    return finish(spent, { kind: 'found', script: replacement.text.trim(), replacement, forget });
  }

  /** Takes up what the author wrote of this proof, and what was found for the holes before it. */
  async #learn(theorem: TheoremItem, opened: StateId): Promise<void> {
    await this.#workers.recordOpenProof(theorem, opened);
    const found = this.#found.splice(0);
    // Which holes this one proved before depends on the clock.
    if (this.#request.nodes !== undefined) return;
    for (const { worker, script } of found) {
      const { signal, file } = this.#request;
      const trace = await traceOf(worker.session, worker.root, scriptSentences(script), signal);
      this.#knowledge.addSteps(storedSteps(stepsOf(trace, file)));
    }
  }

  /** Keeps what the author wrote and searches only the places that were left open. */
  async #fillPlaces(
    first: SearchWorker,
    theorem: TheoremItem,
    search: SearchPlace,
  ): Promise<Replacement | undefined> {
    const { signal } = this.#request;
    const places = await openPlaces(first, this.#outline, theorem, signal);
    if (places === undefined) return undefined;
    const filled: { place: OpenPlace; script: ScriptTree }[] = [];
    for (const [index, place] of places.entries()) {
      const worker = { session: first.session, root: place.root };
      const script = await search(
        [worker],
        place.proof,
        PLACES_SHARE / (places.length - index * PLACES_SHARE),
      );
      if (script === undefined) return undefined;
      filled.push({ place, script });
    }
    return filledProof(this.#outline, theorem, filled);
  }

  /** What an earlier run found for the goals in focus, written as is asked for now. */
  async #foundBefore(
    asked: string,
    worker: SearchWorker,
    state: ProofState,
    recursive: ReadonlySet<string>,
  ): Promise<RestyledProof | undefined> {
    const found = await this.#keptProofs?.find(asked);
    if (found === undefined) return undefined;
    const { signal } = this.#request;
    const options = { recursive, signal, wantedStyle: this.#wantedStyle, habits: this.#knowledge.habits };
    const kept = await rewritten(found, worker, state, options);
    if (kept !== undefined) this.#found.push({ worker, script: kept.unnamed });
    return kept;
  }

  async #wholeProof(
    theorem: TheoremItem,
    found: ScriptTree | undefined,
    { worker, opened, hidden }: AtHole,
  ): Promise<Replacement | undefined> {
    if (found === undefined) return undefined;
    const script = await withHidden(worker.session, opened, hidden, found);
    return wholeProof(this.#outline, theorem, script);
  }
}
