/**
 * Works through theorems in the order of the file, one at a time; what the file's proofs taught is kept between
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from '../core/concurrency/in-time.ts';
import { lazyConstant } from '../core/lazy-constant.ts';
import { orZero } from '../core/entry.ts';
import { LineIndex } from '../core/position.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { NOTHING_TO_TELL, type SearchResult, type SearchWorker } from './graph/search-options.ts';
import type { GraphNews } from './graph/graph-watch.ts';
import { INGREDIENTS, type Ingredient } from './candidates/candidate.ts';
import { Falsehood } from './falsehood.ts';
import { GrowingKnowledge, type KnowledgeSources } from './growing-knowledge.ts';
import { SearchSessions, type AtHole, type SearchSessionsWork } from './search-sessions.ts';
import { Phases } from './phases.ts';
import {
  filledPlaces,
  ownProof,
  wholeInPlace,
  type ProofInPlace,
  type SearchPlace,
} from './filled-places.ts';
import { openPlaces } from './script/partial-proof.ts';
import { recursiveNames } from './candidates/recursion.ts';
import { stepsOf } from '../retrieval/lexical/recorded-steps.ts';
import {
  DEFAULT_BUDGET_MS,
  type ProveEvent,
  type ProveRequest,
  type SearchedAgain,
  type SearchedTheorem,
  type SearchOutcome,
} from './prove-request.ts';
import { withProgress } from './search-progress.ts';
import type { Recorder } from './recorder.ts';
import { scriptSentences, type ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import { StepMemory, storedSteps, type StoredStep } from '../retrieval/lexical/step-memory.ts';
import { TheoremBudget } from './theorem-budget.ts';
import { searchTheorem, stillCloses, type RewriteOptions } from './theorem-search.ts';
import { speaksOf, meansOneOf, sessionWithout, type FalseStatements } from './avoided-statements.ts';
import type { LemmaLists } from './libraries/list-lemmas.ts';
import { askedBy, EarlierProofs, ProofsOfTheorem } from './earlier-proofs.ts';
import { traceOf } from '../sessions/rocq/traced-proof.ts';
import { fileStyleOf, type WantedStyle } from './script/style/file-style.ts';
import { withoutOwnNames } from './script/own-name.ts';
import type { RestyledProof } from './script/style/restyle.ts';
import { titleOf } from '../provers/rocq/syntax/named-statements.ts';
import { statementOf, workIn } from '../provers/rocq/syntax/theorem-text.ts';

/** What is found sooner is found by one session. */
const ALONE_MS = 2000;
/** It goes on alone for longer while the file's own proofs are still watched, up to this. */
const WATCHED_MS = 4000;
/** The part of what is left of the budget that goes into waiting for what makes a search better. */
const WAITING_SHARE = 0.5;
/** The part of the budget that goes into watching what an author wrote of an open proof. */
const LEARNING_SHARE = 0.1;
const NOTHING_REACHED = {
  reason: 'search-exhausted',
  message: 'There was nothing to search.',
  bestGoalCount: 0,
  ...NOTHING_TO_TELL,
} as const;

/** What it works on and with. */
export interface TheoremProverWork extends SearchSessionsWork, KnowledgeSources {
  readonly request: ProveRequest;
  /** Steps of the libraries, the nearest first. */
  readonly library: Promise<readonly StoredStep[]>;
  /** No proof may rest on one. */
  readonly falseStatements: FalseStatements;
}

/** Whether it was the clock that ended a search. */
function mayGoOn(result: SearchResult<ScriptTree> | undefined): boolean {
  return result?.kind === 'not-found' && result.reason === 'interrupted';
}

function isSpent(result: SearchResult<ScriptTree> | undefined): boolean {
  return result?.kind === 'not-found' && result.reason === 'budget-exhausted';
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
  readonly #earlier: EarlierProofs;
  readonly #false: FalseStatements;
  /** The session goes on through the file, and can go back to where it was. */
  readonly #places = new Map<TheoremItem, AtHole | undefined>();
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
    this.#earlier = new EarlierProofs(request);
    this.#false = work.falseStatements;
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

  /** Reads lists of lemmas again that were broken off. */
  readLemmas(lemmas: LemmaLists): void {
    this.#knowledge.readLemmas(lemmas);
  }

  close(): Promise<void> {
    this.#knowledge.close();
    return this.#workers.close();
  }

  /**
   * What the search says of a theorem; a proof still has to be judged.
   * @param again Where it was searched before, by this prover; times and nodes are then those of both.
   */
  async prove(
    theorem: TheoremItem,
    onEvent: (event: ProveEvent) => void,
    again?: SearchedAgain,
  ): Promise<SearchedTheorem<SearchOutcome>> {
    const title = titleOf(this.#outline, theorem);
    const phases = new Phases(
      (phase) => onEvent({ kind: 'phase', theorem: title, phase }),
      again?.before.times,
    );
    const loading = phases.begin('file');
    const opened = await this.#openedAt(theorem);
    if (!this.#loaded) {
      this.#loaded = true;
      onEvent({ kind: 'file-loaded', elapsedMs: performance.now() - loading, sentences: theorem.sentence });
    }
    const proof = opened === undefined ? null : await opened.worker.session.goals(opened.worker.root);
    const locals = new Set(proof?.goals.flatMap(({ hypotheses }) => hypotheses.map(({ name }) => name)));
    // What others find out meanwhile is no part of a run that can be repeated.
    const { nodes: most, jobs } = this.#request;
    const live = most === undefined || jobs === 1 ? [this.#false.names] : [];
    const without = [...live, ...(again === undefined ? [] : [again.without])];
    const isAvoided = (text: string): boolean => without.some((names) => speaksOf(text, names, locals));
    this.#knowledge.avoid((name) => without.some((names) => meansOneOf(names, name)));
    const worker = opened && { ...opened.worker, session: sessionWithout(opened.worker.session, isAvoided) };
    const { signal } = this.#request;
    // To come to the places that an author left open is to run the file, and no part of the search.
    const places = worker && (await openPlaces(worker, this.#outline, theorem, signal));
    const started = phases.begin('lemmas');
    const usedBefore = orZero(again?.before.elapsedMs);
    const statement = statementOf(this.#outline, theorem);
    const common = {
      theorem: title,
      line: this.#lines.printedAt(statement.span.start).line,
      statement: statement.text,
    };
    const finish = (nodes: number, outcome: SearchOutcome): SearchedTheorem<SearchOutcome> => ({
      ...common,
      times: phases.end(),
      elapsedMs: performance.now() - started + usedBefore,
      nodes,
      outcome,
    });
    let isWatched = false;
    const allWatched = this.#recorder.passed(theorem).then(() => {
      isWatched = true;
      this.#knowledge.absorb(theorem);
    });
    // An instance with nothing to prove has an empty proof and no hole.
    if (theorem.hole === 'empty' && proof?.goals.length === 0) {
      const { end } = statement.span;
      return finish(0, { kind: 'found', script: '', replacement: { span: { start: end, end }, text: '' } });
    }
    if (opened === undefined || worker === undefined || proof === null || proof.goals.length === 0)
      return finish(0, {
        kind: 'not-proved',
        ...this.#workers.whyNotStated(theorem),
      });
    const foundAs = (found: ProofInPlace) =>
      ({ kind: 'found', ...found, script: found.replacement.text.trim() }) as const;
    const inWork = { outline: this.#outline, theorem, session: worker.session };
    // Where it is searched again, what its author's steps rest on does not count.
    const own = again === undefined ? ownProof(places, inWork) : undefined;
    if (own !== undefined) {
      await this.#learn(theorem, opened.opened);
      return finish(0, foundAs(own));
    }
    const before = again?.before.outcome;
    // What it rests on without naming it, it would rest on again.
    const mayBeLessened = before?.kind === 'found' && isAvoided(before.script);
    const falsehood = new Falsehood(this.#request, {
      ...{ outline: this.#outline, theorem, session: opened.worker.session, opened: opened.opened, phases },
      asked: askedBy(statement.text, proof),
    });
    const budget = new TheoremBudget(this.#request, {
      ...{ again, since: started - usedBefore, interludeMs: () => falsehood.interludeMs },
    });
    if (again === undefined) await falsehood.recall();
    const isStillFalse = falsehood.found();
    if (isStillFalse !== undefined) return finish(0, isStillFalse);
    // A run that can be repeated waits for all of it; any other begins with what there is.
    await (this.#request.nodes === undefined ? this.#recorder.recalled : allWatched);
    this.#knowledge.absorb(theorem);
    await this.#learn(theorem, opened.opened);
    // What an earlier run found needs none.
    const knowledgeHere = lazyConstant(async () => {
      const knowledge = await this.#knowledge.at(worker, theorem);
      phases.begin('search');
      return knowledge;
    });
    let spent = orZero(again?.before.nodes);
    const steps = places && workIn(this.#outline, theorem);
    const proofs = new ProofsOfTheorem(this.#earlier, steps && askedBy(statement.text, proof, steps));
    const rewriting = (state: ProofState): RewriteOptions => ({
      ...{
        leftMs: budget.leftMs(),
        nodes: this.#request.nodes,
        recursive: recursiveNames(theorem, state),
        signal,
      },
      ...{ wantedStyle: this.#wantedStyle, habits: this.#knowledge.habits },
    });
    const taken = async (on: SearchWorker, styled: RestyledProof, state = proof): Promise<ScriptTree> => {
      const { found, unnamed } = styled;
      this.#found.push({ worker: on, script: unnamed });
      const written = await withoutOwnNames(styled.written, on, { theorem, locals, signal }, (script) =>
        stillCloses(script, { first: on, proof: state }, rewriting(state)),
      );
      onEvent({ kind: 'written', theorem: common.theorem, found, written });
      return written;
    };
    let reached: Extract<SearchResult<ScriptTree>, { kind: 'not-found' }> | undefined;
    const searchWith = async (
      on: readonly SearchWorker[],
      state: ProofState,
      limits: { readonly share: number; readonly enough?: AbortSignal },
    ): Promise<ScriptTree | undefined> => {
      const knowledge = await knowledgeHere();
      const { seed } = this.#request;
      const interlude = falsehood.interlude(knowledge.pace);
      const spentBefore = spent;
      const told = {
        ...{ theorem: common.theorem, since: started, nodesBefore: spentBefore, onEvent },
        ...{ goalCount: state.goals.length, running: () => this.#workers.running },
      };
      const options = {
        ...rewriting(state),
        ...budget.limits(limits.share, spent),
        ...{ seed, without: this.#without },
        ...(limits.enough !== undefined && { enough: limits.enough }),
        interlude: {
          ...interlude,
          isDue: (tried: number) => interlude.isDue(spentBefore + tried),
        },
        onGraph:
          this.#request.watchGraph === true
            ? (news: GraphNews) => onEvent({ kind: 'graph', theorem: common.theorem, news })
            : undefined,
      };
      const found = await withProgress(told, (onProgress) =>
        searchTheorem(on, state, knowledge, { ...options, onProgress }),
      );
      spent += found.nodes;
      if (found.kind === 'found') {
        const asked = askedBy(statement.text, state);
        await this.#earlier.keep(asked, found.script);
        return taken(on[0] ?? worker, proofs.add(asked, found.script), state);
      }
      reached = found;
      return undefined;
    };
    /**
     * Begins alone and with what is known by now. When that was not enough for a while the search goes on with all
     * that the file's own proofs show and with the helpers. On the way it is looked whether the statement is false,
     * which most are not.
     */
    const search: SearchPlace = async (on, state, share) => {
      const asked = askedBy(statement.text, state);
      const at = { worker: on[0] ?? worker, state, isAvoided };
      const kept =
        again === undefined
          ? await this.#earlier.ofEarlierRun(asked, at, rewriting(state))
          : mayBeLessened && (await this.#earlier.ofThisRun(asked, at, rewriting(state)));
      if (kept !== undefined && kept !== false) return taken(at.worker, proofs.add(asked, kept), state);
      // Theirs are sessions that go on through the file.
      const helpers = on === alone && again === undefined ? this.#helpers : 0;
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
      if ((isWatched && !mayGoOn(reached)) || isSpent(reached)) return undefined;
      if (falsehood.isNew) {
        await falsehood.briefly(pace);
        if (falsehood.found() !== undefined) return undefined;
        phases.begin('search');
      }
      // Who watches gives way to all else on the machine: only where nothing else can be done is that waited for.
      if (!isWatched && !mayGoOn(reached))
        await inTime(allWatched, budget.leftMs() * WAITING_SHARE, undefined);
      const mayWait = budget.leftMs() * WAITING_SHARE;
      const joining = await this.#workers.helpersAt(theorem, helpers, mayWait);
      const joined = joining.map((one) => ({ ...one, session: sessionWithout(one.session, isAvoided) }));
      return searchWith([...on, ...joined], state, { share });
    };
    const alone = [worker];
    const whole = async (script: ScriptTree | undefined): Promise<ProofInPlace | undefined> => {
      if (script === undefined) return undefined;
      await proofs.standInsteadOfSteps(askedBy(statement.text, proof));
      return wholeInPlace(inWork, script, { ...opened, worker });
    };
    const shown =
      again === undefined
        ? await proofs.insteadOfSteps({ worker, state: proof, isAvoided }, rewriting(proof))
        : undefined;
    const inPlace =
      (await whole(shown && (await taken(worker, shown)))) ??
      (await filledPlaces(places, inWork, search)) ??
      (await whole(await search(alone, proof, 1)));
    if (inPlace === undefined) {
      if (again?.isBrief !== true) await falsehood.atLast();
      const isFalse = falsehood.found();
      if (isFalse !== undefined) return finish(spent, isFalse);
      const { reason, message, bestGoalCount } = reached ?? NOTHING_REACHED;
      const stoodAt = await falsehood.stoodAt(reached ?? NOTHING_REACHED);
      return finish(spent, { kind: 'not-proved', reason, message, bestGoalCount, ...stoodAt });
    }
    return finish(spent, { ...foundAs(inPlace), proofs });
  }

  /** Takes up what the author wrote of this proof, and what was found for the holes before it. */
  async #learn(theorem: TheoremItem, opened: StateId): Promise<void> {
    const { nodes, budgetMs = () => DEFAULT_BUDGET_MS } = this.#request;
    const begun = performance.now();
    const mayGoOn = (): boolean =>
      nodes !== undefined || performance.now() - begun < budgetMs() * LEARNING_SHARE;
    await this.#workers.recordOpenProof(theorem, opened, mayGoOn);
    const found = this.#found.splice(0);
    // Which holes this one proved before depends on the clock.
    if (nodes !== undefined) return;
    for (const { worker, script } of found) {
      const { signal, file } = this.#request;
      const trace = await traceOf(worker.session, worker.root, scriptSentences(script), signal);
      this.#knowledge.addSteps(storedSteps(stepsOf(trace, file)));
    }
  }

  /** Where its proof is to begin. Undefined where Rocq refuses the statement. */
  async #openedAt(theorem: TheoremItem): Promise<AtHole | undefined> {
    if (!this.#places.has(theorem)) this.#places.set(theorem, await this.#workers.firstAt(theorem));
    return this.#places.get(theorem);
  }
}
