/**
 * Runs the sentences of a proof and grows its tree from the goals that are seen before and after each. Sentences with a
 * goal selector are also run on each goal by itself, and chains step by step, as side paths from the same state: where
 * they end with the same goals as the sentence, they tell which goal became which. The file goes on from the sentence
 * as it stands.
 */
import type { Diagnostic } from '../core/diagnostic.ts';
import { sameGoals, sequentText, type Goal, type ProofState } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { RefusedSentence } from '../sessions/rocq/file-run.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { readSelector } from './goal-selector.ts';
import { changesNothing, isCommand, withoutTiming } from './proof-commands.ts';
import { newNode, withoutDot, type ProofNode } from './proof-tree.ts';
import type { SideBudget } from './side-budget.ts';
import { SidePaths, type Expansion, type Place } from './side-paths.ts';

export interface WalkedProof {
  /** The theorem's goal; undefined when the proof opens with several or none. */
  readonly root: ProofNode | undefined;
  /** All goals that were met, in order. */
  readonly nodes: readonly ProofNode[];
  /** Before the closing sentence. */
  readonly state: StateId;
  readonly counts: WalkCounts;
  /** Commands in the proof that are no tactics: what stands behind them may depend on them. */
  readonly hasCommands: boolean;
}

export interface WalkOptions {
  readonly budget: SideBudget;
  readonly signal: AbortSignal;
  /** Also ask for the goals with everything written out. */
  readonly explicit: boolean;
  /** The proof was run before: its time is not the file's. */
  readonly repeated: boolean;
  /** Told of each sentence that was run, by its index in the outline, with the proof behind it. */
  readonly onSentence?: (sentence: number, proof: ProofState, elapsedMs: number) => void;
}

export interface WalkCounts {
  tactics: number;
  /** Sentences that dealt with goals together, so that they cannot be told apart. */
  joint: number;
  chainsSplit: number;
  chainsKept: number;
  selectorsSplit: number;
}

const SENTENCE_TIMEOUT_MS = 120_000;

interface OpenSlice {
  readonly node: ProofNode;
  readonly from: number;
  readonly level: number;
}

export class ProofWalk {
  readonly #session: ProverSession;
  readonly #outline: FileOutline;
  readonly #budget: SideBudget;
  readonly #signal: AbortSignal;
  readonly #nodes: ProofNode[] = [];
  readonly #open = new Map<string, ProofNode>();
  #roots: readonly ProofNode[] = [];
  #slices: OpenSlice[] = [];
  readonly #counts: WalkCounts = { tactics: 0, joint: 0, chainsSplit: 0, chainsKept: 0, selectorsSplit: 0 };
  #hasCommands = false;
  readonly #side: SidePaths;
  readonly #repeated: boolean;
  readonly #onSentence: WalkOptions['onSentence'];
  #elapsedMs = 0;
  #afterEach = '';
  #state: StateId;
  #proof: ProofState;

  constructor(
    session: ProverSession,
    outline: FileOutline,
    start: { readonly state: StateId; readonly proof: ProofState },
    options: WalkOptions,
  ) {
    this.#session = session;
    this.#outline = outline;
    this.#state = start.state;
    this.#proof = start.proof;
    this.#budget = options.budget;
    this.#signal = options.signal;
    this.#repeated = options.repeated;
    this.#onSentence = options.onSentence;
    this.#side = new SidePaths(session, options.budget, options.signal, options.explicit);
  }

  /** Runs everything between the statement and the closing sentence. */
  async run(theorem: TheoremItem, end: number): Promise<WalkedProof | RefusedSentence> {
    this.#roots = this.#proof.goals.map((goal) => this.#meet(goal, newNode(goal, 'theorem', 0)));
    for (let index = theorem.sentence + 1; index < end; index += 1) {
      const sentence = this.#outline.sentences[index];
      if (sentence === undefined) break;
      const isTactic = index >= theorem.body.first && sentence.role === 'command';
      const error = await (isTactic && !isCommand(withoutTiming(sentence.text))
        ? this.#tactic(index, sentence.text)
        : this.#command(sentence.text, isTactic));
      if (error !== undefined) return { sentence: index, error, at: this.#state };
      this.#closeSlices(index);
      this.#onSentence?.(index, this.#proof, this.#elapsedMs);
    }
    return this.walked;
  }

  /** What was run until now: all of the proof, or what stands before the sentence that was refused. */
  get walked(): WalkedProof {
    return {
      root: this.#roots.length === 1 ? this.#roots[0] : undefined,
      nodes: this.#nodes,
      state: this.#state,
      counts: { ...this.#counts },
      hasCommands: this.#hasCommands,
    };
  }

  #meet(goal: Goal, node: ProofNode): ProofNode {
    this.#open.set(goal.id, node);
    this.#nodes.push(node);
    return node;
  }

  #nodeOf(goal: Goal): ProofNode {
    return this.#open.get(goal.id) ?? this.#meet(goal, newNode(goal, 'state', 1));
  }

  /** Runs a sentence of the file and goes on from there. */
  async #advance(
    text: string,
  ): Promise<{ readonly before: ProofState; readonly elapsedMs: number } | Diagnostic> {
    const before = this.#proof;
    const result = await this.#session.run(this.#state, asSentence(text), {
      timeoutMs: SENTENCE_TIMEOUT_MS,
      signal: this.#signal,
      withGoals: true,
      expected: true,
    });
    if (result.status !== 'done')
      return result.status === 'failed' ? result.error : { severity: 'error', message: result.message };
    if (this.#repeated) this.#budget.spend(result.elapsedMs);
    else this.#budget.earn(result.elapsedMs);
    this.#state = result.state;
    this.#elapsedMs = result.elapsedMs;
    this.#proof = result.proof ?? { goals: [], unfocused: [], shelved: 0, givenUp: 0 };
    return { before, elapsedMs: result.elapsedMs };
  }

  async #command(text: string, isInBody: boolean): Promise<Diagnostic | undefined> {
    const closesEach = /^Proof\b[^]*?\bwith\s+(?<tactic>[^]*)\.$/u.exec(text)?.groups?.['tactic'];
    if (closesEach !== undefined) this.#afterEach = closesEach.replace(/\busing\b[^]*$/u, '').trim();
    const ran = await this.#advance(text);
    if ('message' in ran) return ran;
    const known = new Set(ran.before.goals.map(({ id }) => id));
    if (isInBody && isCommand(text)) {
      const changed =
        this.#proof.unfocused.length === ran.before.unfocused.length &&
        (this.#proof.goals.length !== known.size || this.#proof.goals.some(({ id }) => !known.has(id)));
      if (changed && !/^(?:Focus|Unfocus)\b/u.test(text)) this.#counts.joint += 1;
      if (!changesNothing(text)) this.#hasCommands = true;
    }
    for (const goal of this.#proof.goals) this.#nodeOf(goal);
    return undefined;
  }

  async #tactic(index: number, sentence: string): Promise<Diagnostic | undefined> {
    const before = this.#proof.goals;
    const timed = withoutTiming(sentence);
    const plain = timed.endsWith('...')
      ? `${timed.slice(0, -3).trim()}; ${this.#afterEach}`
      : withoutDot(timed);
    const { tactic, selection } = readSelector(plain, before.length);
    if (before.length === 1 && before[0] !== undefined)
      this.#slices.push({
        node: this.#nodeOf(before[0]),
        from: index,
        level: this.#proof.unfocused.length,
      });
    const explicit = await this.#side.explicitGoals(this.#state);
    const stepsBefore = this.#counts.tactics;
    this.#counts.tactics += 1;
    const mark = (node: ProofNode, goal: Goal): void => {
      if (node.step !== undefined) return;
      node.goal = goal;
      node.explicit = explicit.get(goal.id);
      node.sentence = index;
      node.stepsBefore = stepsBefore;
    };
    if (selection.kind === 'each') {
      const split = await this.#side.eachByItself(this.#here, selection.indices, tactic);
      const ran = await this.#advance(sentence);
      if ('message' in ran) return ran;
      if (split === undefined || !sameGoals(split.final, this.#proof.goals)) {
        this.#together();
        return undefined;
      }
      this.#counts.selectorsSplit += 1;
      const places = new Map(split.final.map(({ id }, place) => [id, place]));
      for (const { target, children, elapsedMs } of split.steps) {
        const node = this.#nodeOf(target);
        if (children.length === 1 && children[0] === target.id) continue;
        mark(node, target);
        const goals = children.flatMap((id) => this.#proof.goals[places.get(id) ?? -1] ?? []);
        const nodes = goals.map((goal) => this.#meet(goal, newNode(goal, 'selector', node.depth + 1)));
        node.step ??= { tactic, children: nodes, elapsedMs };
      }
      for (const goal of this.#proof.goals) this.#nodeOf(goal);
      return undefined;
    }
    const first = selection.kind === 'one' && selection.index === 0 ? before[0] : undefined;
    const expansion = first && (await this.#expand(first, tactic));
    const ran = await this.#advance(sentence);
    if ('message' in ran) return ran;
    const target = selection.kind === 'one' ? before[selection.index] : this.#onlyGone(before);
    if (target === undefined) {
      if (selection.kind === 'named') this.#together();
      return undefined;
    }
    const node = this.#nodeOf(target);
    mark(node, target);
    this.#single(node, target, tactic, ran);
    if (expansion !== undefined) this.#join(expansion, node, index, stepsBefore);
    return undefined;
  }

  /** The goal that is in focus no more, when it is one. */
  #onlyGone(before: readonly Goal[]): Goal | undefined {
    const left = new Set(this.#proof.goals.map(({ id }) => id));
    const [gone, another] = before.filter(({ id }) => !left.has(id));
    return another === undefined ? gone : undefined;
  }

  /** A sentence was run that works on one goal. */
  #single(
    node: ProofNode,
    target: Goal,
    tactic: string,
    ran: { readonly before: ProofState; readonly elapsedMs: number },
  ): void {
    const after = this.#proof.goals;
    const known = new Set(ran.before.goals.map(({ id }) => id));
    const left = new Set(after.map(({ id }) => id));
    const added = after.filter(({ id }) => !known.has(id));
    const { elapsedMs } = ran;
    if (left.has(target.id)) {
      const now = after.find(({ id }) => id === target.id);
      const moved = now !== undefined && sequentText(now) !== sequentText(target);
      if (added.length > 0) this.#together();
      else if (now !== undefined && (moved || this.#proof.shelved !== ran.before.shelved)) {
        this.#open.delete(target.id);
        const child = this.#meet(now, newNode(now, 'state', node.depth + 1));
        node.step ??= { tactic, children: [child], elapsedMs };
      }
      return;
    }
    const children = added.map((goal) => this.#meet(goal, newNode(goal, 'state', node.depth + 1)));
    node.step ??= { tactic, children, elapsedMs };
    for (const { id } of ran.before.goals) {
      const other = this.#open.get(id);
      if (!left.has(id) && id !== target.id && other !== undefined && other.step === undefined)
        other.instantiated = true;
    }
  }

  /** A sentence worked on several goals together: no goal that it leaves has a known parent. */
  #together(): void {
    this.#counts.joint += 1;
    for (const goal of this.#proof.goals) this.#nodeOf(goal);
  }

  #closeSlices(index: number): void {
    if (this.#proof.goals.length > 0) return;
    const level = this.#proof.unfocused.length;
    const kept: OpenSlice[] = [];
    for (const slice of this.#slices) {
      if (slice.level < level) kept.push(slice);
      else if (slice.level === level) slice.node.slice ??= { from: slice.from, to: index + 1 };
    }
    this.#slices = kept;
  }

  async #expand(target: Goal, tactic: string): Promise<Expansion | undefined> {
    const expansion = await this.#side.expand(this.#here, this.#nodeOf(target).depth, tactic);
    if (expansion !== 'kept') return expansion;
    this.#counts.chainsKept += 1;
    return undefined;
  }

  get #here(): Place {
    return { state: this.#state, goals: this.#proof.goals };
  }

  /** The chain was run as a whole: its inner goals get into the tree when it left what its steps left. */
  #join(expansion: Expansion, target: ProofNode, sentence: number, stepsBefore: number): void {
    const { root, nodes, made } = expansion;
    const children = target.step?.children ?? [];
    const residual = nodes.map(({ goal }) => goal);
    const left = children.map(({ goal }) => goal);
    if (root.step === undefined || !sameGoals(residual, left)) {
      this.#counts.chainsKept += 1;
      return;
    }
    this.#counts.chainsSplit += 1;
    target.inner = root.step;
    const twins = new Map(nodes.map((node, place) => [node, children[place] ?? node]));
    for (const { node, children: kids } of made) {
      for (const [place, kid] of kids.entries()) kids[place] = twins.get(kid) ?? kid;
      if (node === root) continue;
      node.sentence = sentence;
      node.stepsBefore = stepsBefore;
      this.#nodes.push(node);
    }
  }
}
