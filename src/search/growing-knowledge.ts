/** What the search of one prover of theorems knows: it grows with the file, from hole to hole. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProverSession, StateId } from '../core/prover.ts';
import { Turn } from '../core/concurrency/turn.ts';
import { headOf } from '../provers/rocq/goals/term.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { LemmaMemory, type Lemma } from '../retrieval/lexical/lemma-similarity.ts';
import type { StepMemory, StoredStep } from '../retrieval/lexical/step-memory.ts';
import { automationAt } from './candidates/available-automation.ts';
import type { Ingredient, Knowledge } from './candidates/candidate.ts';
import { COSTS } from './candidates/costs.ts';
import type { SearchWorker } from './graph/search-options.ts';
import { declaredNames } from './libraries/declared-names.ts';
import { modulesBetween } from './libraries/declared-modules.ts';
import { Definitions } from './libraries/definitions.ts';
import { lemmasInside } from './libraries/lemmas-in-scope.ts';
import type { LemmaLists } from './libraries/list-lemmas.ts';
import { speaksSsreflect } from './libraries/dialect.ts';
import type { ProveRequest } from './prove-request.ts';
import type { Recorder } from './recorder.ts';
import { NameHabits } from './script/style/naming.ts';

const LIST_WAIT_MS = 300;
const MAXIMUM_DECLARED = 200;
const MAXIMUM_MODULES = 20;
const QUERY_TIMEOUT_MS = 1000;

/** Where it comes from. */
export interface KnowledgeSources {
  readonly request: ProveRequest;
  readonly outline: FileOutline;
  readonly lemmas: LemmaLists;
  readonly recorder: Recorder;
}

export class GrowingKnowledge {
  readonly habits = new NameHabits();
  readonly #request: ProveRequest;
  readonly #outline: FileOutline;
  readonly #recorder: Recorder;
  readonly #without: ReadonlySet<Ingredient>;
  readonly #steps: StepMemory;
  readonly #lemmas = new LemmaMemory();
  readonly #definitions = new Definitions();
  #libraryLemmas: Promise<void>;
  readonly #firstLemmas = Promise.withResolvers<undefined>();
  /** What the conclusions of the file's own lemmas begin with. */
  readonly #ownHeads = new Set<string>();
  #absorbed = 0;
  #lemmasUpTo = -1;
  #declared = 0;
  #modules = 0;
  #closed = false;

  constructor(
    { request, outline, lemmas, recorder }: KnowledgeSources,
    steps: StepMemory,
    without: ReadonlySet<Ingredient>,
  ) {
    this.#request = request;
    this.#outline = outline;
    this.#recorder = recorder;
    this.#steps = steps;
    this.#without = without;
    this.#lemmas.growing = true;
    this.#libraryLemmas = this.#addLibraryLemmas(lemmas);
  }

  /** No more is read. */
  close(): void {
    this.#closed = true;
  }

  /** What of the lemmas is not offered from now on, by name. */
  avoid(isAvoided: (name: string) => boolean): void {
    this.#lemmas.isAvoided = isAvoided;
  }

  /** Reads lists again that were broken off. */
  readLemmas(lemmas: LemmaLists): void {
    this.#lemmas.growing = true;
    this.#libraryLemmas = this.#addLibraryLemmas(lemmas);
  }

  addSteps(steps: readonly StoredStep[]): void {
    for (const step of steps) this.#steps.add(step);
  }

  /** Takes up what was watched meanwhile of the proofs before a hole. */
  absorb(hole: TheoremItem): void {
    const { watched } = this.#recorder;
    for (let next = watched[this.#absorbed]; next !== undefined; next = watched[this.#absorbed]) {
      if (next.theorem.sentence >= hole.sentence) return;
      this.#absorbed += 1;
      this.habits.learn(next.goals);
      for (const step of next.steps) this.#steps.add(step);
    }
  }

  /** What is known where a theorem stands, before its proof is searched. */
  async at({ session, root }: SearchWorker, theorem: TheoremItem): Promise<Knowledge> {
    if (!this.#without.has('lemmas')) {
      // A run that can be repeated waits for the list; any other begins with what is listed first, or without.
      await (this.#request.nodes === undefined
        ? Promise.race([this.#firstLemmas.promise, sleep(LIST_WAIT_MS)])
        : this.#libraryLemmas);
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
      await this.#addModules(session, root, theorem.sentence);
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

  /** Thousands of statements are read: meanwhile the provers are heard, and the search ends if it can. */
  async #addLibraryLemmas({ first, all }: LemmaLists): Promise<void> {
    const turn = new Turn();
    for (const list of [first, all]) {
      const lemmas = await list;
      for (const lemma of lemmas) {
        if (this.#closed) return;
        this.#lemmas.add(lemma);
        if (turn.isOver) await turn.pass();
      }
      // Where the whole list is stored, none is made first.
      if (lemmas.length > 0 || list === all) this.#firstLemmas.resolve(undefined);
    }
    this.#lemmas.growing = false;
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

  /** What modules state that the file did not write, or names by a longer name now. */
  async #addModules(session: ProverSession, root: StateId, end: number): Promise<void> {
    for (const module of modulesBetween(this.#outline, Math.max(0, this.#lemmasUpTo), end)) {
      if (this.#modules >= MAXIMUM_MODULES) return;
      this.#modules += 1;
      for (const lemma of await lemmasInside(session, root, module)) this.#addOwnLemma(lemma);
    }
  }

  #addOwnLemma(lemma: Lemma): void {
    const view = this.#lemmas.addOwn(lemma);
    if (view !== undefined) this.#ownHeads.add(headOf(view.conclusion));
  }
}
