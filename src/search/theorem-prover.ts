/**
 * Works through theorems in the order of the file, one at a time; what the file's proofs taught is kept between
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LineIndex } from '../core/position.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { SearchResult, SearchWorker } from './graph/search-options.ts';
import { INGREDIENTS, type Ingredient, type Knowledge } from './candidates/candidate.ts';
import { declaredNames } from './libraries/declared-names.ts';
import { COSTS } from './candidates/costs.ts';
import { Definitions } from './libraries/definitions.ts';
import { falsehoodOf } from './falsehood.ts';
import { withHidden } from './script/hide-unused.ts';
import { SearchSessions, type AtHole, type SearchSessionsWork } from './search-sessions.ts';
import { LemmaMemory, type Lemma } from '../retrieval/lexical/lemma-memory.ts';
import { Phases } from './phases.ts';
import { openPlaces, type OpenPlace } from './script/partial-proof.ts';
import { recursiveNames } from './candidates/recursion.ts';
import { stepsOf } from '../retrieval/lexical/recorded-steps.ts';
import type {
  FalseStatement,
  ProveEvent,
  ProveRequest,
  SearchedTheorem,
  SearchOutcome,
} from './prove-request.ts';
import type { Recorder } from './recorder.ts';
import type { Replacement } from '../core/replacement.ts';
import { Turn } from '../core/turn.ts';
import { scriptSentences, type ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import { StepMemory, storedSteps, type StoredStep } from '../retrieval/lexical/step-memory.ts';
import { headOf } from '../provers/rocq/goals/term.ts';
import { searchTheorem } from './theorem-search.ts';
import { automationAt } from './candidates/available-automation.ts';
import { speaksSsreflect } from './libraries/dialect.ts';
import { traceOf } from '../sessions/rocq/traced-proof.ts';
import { filledProof, wholeProof } from './script/splice.ts';
import { fileStyleOf } from './script/style/file-style.ts';
import { NameHabits } from './script/style/naming.ts';
import type { WantedStyle } from './script/style/plainer.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';

/** Searches the goals in focus with a share of what is left of the budget. */
type SearchPlace = (
  workers: readonly SearchWorker[],
  proof: ProofState,
  share: number,
) => Promise<ScriptTree | undefined>;

const PROGRESS_EVERY_MS = 200;
/** What is found sooner is found by one session. */
const ALONE_MS = 2000;
const LIST_WAIT_MS = 300;
const WATCH_WAIT_MS = 100;
const MAXIMUM_DECLARED = 200;
const QUERY_TIMEOUT_MS = 1000;
const DEFAULT_BUDGET_MS = 60_000;
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
export interface TheoremProverWork extends SearchSessionsWork {
  readonly request: ProveRequest;
  /** Steps of the libraries, the nearest first. */
  readonly library: Promise<readonly StoredStep[]>;
  readonly lemmas: Promise<readonly Lemma[]>;
  readonly recorder: Recorder;
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
  readonly #steps: StepMemory;
  readonly #lemmas = new LemmaMemory();
  readonly #definitions = new Definitions();
  readonly #habits = new NameHabits();
  readonly #wantedStyle: WantedStyle;
  readonly #without: ReadonlySet<Ingredient>;
  readonly #lines: LineIndex;
  readonly #libraryLemmas: Promise<void>;
  /** Proofs that were found and not yet learned from. */
  readonly #found: { worker: SearchWorker; script: ScriptTree }[] = [];
  /** What the conclusions of the file's own lemmas begin with. */
  readonly #ownHeads = new Set<string>();
  readonly #recorder: Recorder;
  #absorbed = 0;
  #lemmasUpTo = -1;
  #declared = 0;
  #loaded = false;
  #closed = false;

  private constructor(
    { request, outline, lemmas, recorder }: TheoremProverWork,
    {
      steps,
      workers,
      helpers,
    }: { readonly steps: StepMemory; readonly workers: SearchSessions; readonly helpers: number },
  ) {
    this.#request = request;
    this.#outline = outline;
    this.#recorder = recorder;
    this.#lines = new LineIndex(request.text);
    this.#wantedStyle = { style: request.style ?? 'terse', file: fileStyleOf(outline) };
    this.#steps = steps;
    this.#lemmas.growing = true;
    this.#libraryLemmas = lemmas.then((listed) => this.#addLibraryLemmas(listed));
    this.#without = new Set(INGREDIENTS.filter((name) => request.without?.includes(name)));
    this.#workers = workers;
    this.#helpers = helpers;
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
    this.#closed = true;
    return this.#workers.close();
  }

  /** Thousands of statements are read: meanwhile the provers are heard, and the search ends if it can. */
  async #addLibraryLemmas(listed: readonly Lemma[]): Promise<void> {
    const turn = new Turn();
    for (const lemma of listed) {
      if (this.#closed) return;
      this.#lemmas.add(lemma);
      if (turn.isOver) await turn.pass();
    }
    this.#lemmas.growing = false;
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
      this.#absorb(theorem);
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
    const asked = { outline: this.#outline, theorem, session, opened: place.opened, phases };
    let isFalse: FalseStatement | undefined;
    let isAlone = this.#request.refuter !== undefined;
    // A run that can be repeated waits for all of it; any other begins with what there is.
    await Promise.race([allWatched, ...(this.#request.nodes === undefined ? [sleep(WATCH_WAIT_MS)] : [])]);
    this.#absorb(theorem);
    await this.#learn(theorem, place.opened);
    const knowledge = await this.#knowledgeAt(first, theorem);
    let noted = phases.begin('search');
    let spent = 0;
    let reached: Extract<SearchResult<ScriptTree>, { kind: 'not-found' }> | undefined;
    let budgetSince = started;
    const searchWith = async (
      on: readonly SearchWorker[],
      state: ProofState,
      limits: { readonly share: number; readonly enough?: AbortSignal },
    ): Promise<ScriptTree | undefined> => {
      const { nodes, budgetMs = () => DEFAULT_BUDGET_MS, seed, signal } = this.#request;
      const used = performance.now() - budgetSince;
      const found = await searchTheorem(on, state, knowledge, {
        budgetMs: nodes === undefined ? () => (budgetMs() - used) * limits.share : undefined,
        nodes: nodes === undefined ? undefined : Math.floor((nodes - spent) * limits.share),
        seed,
        without: this.#without,
        wantedStyle: this.#wantedStyle,
        habits: this.#habits,
        recursive: recursiveNames(theorem, state),
        signal,
        ...(limits.enough !== undefined && { enough: limits.enough }),
        onGraph:
          this.#request.watchGraph === true
            ? (news) => onEvent({ kind: 'graph', theorem: common.theorem, news })
            : undefined,
        onProgress: (tried, bestGoalCount) => {
          const now = performance.now();
          if (now - noted < PROGRESS_EVERY_MS) return;
          noted = now;
          const elapsedMs = now - started;
          onEvent({
            kind: 'progress',
            theorem: common.theorem,
            elapsedMs,
            nodes: spent + tried,
            bestGoalCount,
          });
        },
      });
      spent += found.nodes;
      if (found.kind === 'found') {
        this.#found.push({ worker: on[0] ?? first, script: found.script });
        return found.script;
      }
      reached = found;
      return undefined;
    };
    const { signal } = this.#request;
    /**
     * Begins alone and with what is known by now. When that was not enough for a while it is looked whether the
     * statement is false, which most are not; then the search goes on with all that the file's own proofs show and
     * with the helpers.
     */
    const search: SearchPlace = async (on, state, share) => {
      const helpers = on === alone ? this.#helpers : 0;
      if (this.#request.nodes !== undefined || (isWatched && helpers === 0 && !isAlone))
        return searchWith(on, state, { share });
      if (isFalse !== undefined) return undefined;
      const enough = new AbortController();
      const more = Promise.all([
        allWatched,
        sleep(ALONE_MS * knowledge.pace, undefined, { signal: enough.signal }),
      ]);
      void more.then(() => enough.abort()).catch(() => undefined);
      const found = await searchWith(on, state, { share, enough: enough.signal });
      enough.abort();
      if (found !== undefined || signal.aborted || (isWatched && !mayGoOn(reached))) return found;
      if (isAlone) {
        isAlone = false;
        isFalse = await falsehoodOf(this.#request, asked, 'brief');
        if (isFalse !== undefined) return undefined;
        phases.begin('search');
      }
      if (!isWatched) {
        await allWatched;
        budgetSince = performance.now();
      }
      const joining = helpers === 0 ? [] : await this.#workers.helpersAt(theorem, helpers);
      return searchWith([...on, ...joining], state, { share });
    };
    const alone = [first];
    const replacement =
      (await this.#fillPlaces(first, theorem, search)) ??
      (await this.#wholeProof(theorem, await search(alone, proof, 1), place));
    if (replacement === undefined) {
      const late = isFalse ?? (await falsehoodOf(this.#request, asked, 'thorough'));
      if (late !== undefined) return finish(spent, late);
      const { reason, message, bestGoalCount } = reached ?? NOTHING_REACHED;
      return finish(spent, { kind: 'not-proved', reason, message, bestGoalCount });
    }
    return finish(spent, { kind: 'found', script: replacement.text.trim(), replacement });
  }

  /** Takes up what was watched meanwhile of the proofs before a hole. */
  #absorb(hole: TheoremItem): void {
    const { watched } = this.#recorder;
    for (let next = watched[this.#absorbed]; next !== undefined; next = watched[this.#absorbed]) {
      if (next.theorem.sentence >= hole.sentence) return;
      this.#absorbed += 1;
      this.#habits.learn(next.goals);
      for (const step of next.steps) this.#steps.add(step);
    }
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
      for (const step of storedSteps(stepsOf(trace, file))) this.#steps.add(step);
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

  async #wholeProof(
    theorem: TheoremItem,
    found: ScriptTree | undefined,
    { worker, opened, hidden }: AtHole,
  ): Promise<Replacement | undefined> {
    if (found === undefined) return undefined;
    const script = await withHidden(worker.session, opened, hidden, found);
    return wholeProof(this.#outline, theorem, script);
  }

  /** Axioms, rules and fields of the file, as Rocq states them where the theorem stands. */
  async #addDeclared(session: ProverSession, root: StateId, end: number): Promise<void> {
    const sentences = this.#outline.sentences.slice(Math.max(0, this.#lemmasUpTo), end);
    for (const name of sentences.flatMap(({ text }) => declaredNames(text))) {
      if (this.#declared >= MAXIMUM_DECLARED) return;
      this.#declared += 1;
      // With `@` no instance is looked for, which may take for ever.
      const answer = await session.query(root, asSentence(`Check @${name}.`), {
        timeoutMs: QUERY_TIMEOUT_MS,
      });
      const said = answer.status === 'done' ? answer.messages.map(({ message }) => message).join('\n') : '';
      const statement = /^\s*\S+\s+: ([^]*)$/u.exec(said)?.[1];
      if (statement !== undefined) this.#addOwnLemma({ name, statement: statement.replace(/\s+/gu, ' ') });
    }
  }

  #addOwnLemma(lemma: Lemma): void {
    const view = this.#lemmas.addOwn(lemma);
    if (view !== undefined) this.#ownHeads.add(headOf(view.conclusion));
  }

  async #knowledgeAt({ session, root }: SearchWorker, theorem: TheoremItem): Promise<Knowledge> {
    if (!this.#without.has('lemmas')) {
      // A run that can be repeated waits for the list; any other begins without and uses it from when it is there.
      await Promise.race([
        this.#libraryLemmas,
        ...(this.#request.nodes === undefined ? [sleep(LIST_WAIT_MS)] : []),
      ]);
      for (const earlier of this.#outline.statements) {
        const { name, binders, statement, sentence } = earlier;
        if (sentence < this.#lemmasUpTo || sentence >= theorem.sentence || name === undefined) continue;
        if (statement === '') continue;
        this.#addOwnLemma({
          name,
          statement: binders === '' ? statement : `forall ${binders}, ${statement}`,
        });
      }
      await this.#addDeclared(session, root, theorem.sentence);
      await this.#definitions.learnHeads(session, root, this.#ownHeads);
      this.#lemmasUpTo = theorem.sentence;
    }
    const { costs = COSTS } = this.#request;
    const { automation, pace } = await automationAt(session, root, this.#steps, costs);
    return {
      steps: this.#steps,
      lemmas: this.#lemmas,
      automation,
      pace,
      definitions: this.#definitions,
      costs,
      ssreflect: speaksSsreflect(this.#request.text),
    };
  }
}
