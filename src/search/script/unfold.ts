/**
 * Writes out what a compound closing step did. The search tries whole strategies in one sentence; in a proof that
 * people keep, the same steps stand one by one, in the order in which the strategy takes them.
 */
import type { Goal } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { goalKey, viewGoal } from '../../provers/rocq/goals/goal-view.ts';
import { onlyAlternative, piecesOf, shapeOf } from '../candidates/authored-tactic.ts';
import type { Comparison } from '../candidates/comparisons.ts';
import { FEEDING } from '../candidates/compound-steps.ts';
import {
  atom,
  hypothesisStep,
  partsOf,
  sequence,
  solve,
  tacticText,
  type Tactic,
} from '../candidates/tactic.ts';
import { scriptOf, type TacticTree } from '../candidates/tactic-tree.ts';
import { scriptSentences } from '../../provers/rocq/syntax/script-tree.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { STANDS_STILL } from '../../sessions/session-by-work.ts';
import { derivationSteps, equalities, rounds } from './round-steps.ts';

const IDLE = atom('idtac');
/** Of the prover's work. */
const STEP_LIMIT_MS = 1500;
const MAXIMUM_DEPTH = 16;
const MAXIMUM_RUNS = 600;
const MANY = 5;
const TRIED: ReadonlySet<Tactic['kind']> = new Set(['sequence', 'atom', 'derivations']);
const FEEDS = new Set(FEEDING.map(tacticText));

export interface UnfoldOptions {
  readonly session: ProverSession;
  /** Tactics that may close a goal, the most welcome first. */
  readonly closers: readonly Tactic[];
  readonly comparisons: readonly Comparison[];
  readonly signal: AbortSignal;
}

/** What a strategy may use besides its rounds. */
interface Strategy {
  readonly rewrites: readonly Tactic[];
  readonly closers: readonly Tactic[];
  /** Whether it shows objects to be equal. */
  readonly merges: boolean;
  /** Whether it hands facts to the hypotheses that wait for them. */
  readonly feeds: boolean;
  /** What it ends with on a goal that nothing of this makes simpler. */
  readonly rest: readonly Tactic[];
}

/** Where a sentence led. */
interface Reached {
  readonly state: StateId;
  readonly goals: readonly Goal[];
}

/** A step with its strategies written out; what cannot be written out stays as it is. */
export class Unfolder {
  readonly #options: UnfoldOptions;
  #runs = 0;
  /** What proves the goals that the sentence which is taken apart leaves, those that were not met yet. */
  #afterwards: readonly TacticTree[] = [];

  constructor(options: UnfoldOptions) {
    this.#options = options;
  }

  async unfold(tree: TacticTree, state: StateId): Promise<TacticTree> {
    const [tactic] = tree.tactics;
    if (tree.children.length === 0 && tree.tactics.length === 1 && tactic !== undefined)
      return isChained(tactic) ? ((await this.#sequence(piecesOf(tactic), state)) ?? tree) : tree;
    let at = state;
    for (const [index, step] of tree.tactics.entries()) {
      const rest = { tactics: tree.tactics.slice(index + 1), children: tree.children };
      const apart = await this.#spread(step, rest, at);
      if (apart !== undefined)
        return { tactics: [...tree.tactics.slice(0, index), ...apart.tactics], children: apart.children };
      const next = await this.#runTactic(at, step);
      if (next === undefined) return tree;
      at = next.state;
    }
    const children: TacticTree[] = [];
    for (const [index, child] of tree.children.entries()) {
      const focused = tree.children.length === 1 ? { state: at } : await this.#run(at, `${index + 1}: {`);
      children.push(focused === undefined ? child : await this.unfold(child, focused.state));
    }
    return { tactics: tree.tactics, children };
  }

  /** A chain that tries others and leaves goals, each of which gets its part of the rest where it arises. */
  async #spread(step: Tactic, rest: TacticTree, state: StateId): Promise<TacticTree | undefined> {
    const pieces = piecesOf(step);
    if (!pieces.some(triesChain)) return undefined;
    const outer = this.#afterwards;
    this.#afterwards = rest.tactics.length > 0 ? [rest] : rest.children;
    const apart = await this.#sequence(pieces, state);
    const isWhole = this.#afterwards.length === 0;
    this.#afterwards = outer;
    return isWhole ? apart : undefined;
  }

  /**
   * `a; b; c` on one goal: `a`, then the rest on each goal that it leaves; what cannot be taken apart in one
   * sentence.
   */
  async #sequence(pieces: readonly Tactic[], state: StateId): Promise<TacticTree | undefined> {
    if (pieces.length === 0) return this.#goOn(state);
    const apart = await this.#takenApart(pieces, state);
    if (apart !== undefined) return apart;
    const whole = sequence(...pieces);
    const closed = await this.#runTactic(state, whole);
    return closed?.goals.length === 0 ? { tactics: [whole], children: [] } : undefined;
  }

  /** Where a sentence leaves a goal: the part of the proof that follows there. */
  async #goOn(state: StateId): Promise<TacticTree | undefined> {
    const [next, ...others] = this.#afterwards;
    if (next === undefined) return undefined;
    this.#afterwards = [];
    const tree = await this.unfold(next, state);
    this.#afterwards = others;
    return tree;
  }

  async #takenApart(pieces: readonly Tactic[], state: StateId): Promise<TacticTree | undefined> {
    const [first, ...rest] = pieces;
    const [goal] = (await this.#options.session.goals(state))?.goals ?? [];
    if (first === undefined || goal === undefined) return undefined;
    const shape = shapeOf(first);
    if (repeats(shape)) {
      const inside = {
        rewrites: shape.kind === 'rounds' ? shape.steps.filter(isRewrite) : [],
        closers: pieces.flatMap(closersOf),
        merges: pieces.some((piece) => piece.kind === 'saturate' && piece.what === 'merge-equals'),
        feeds: partsOf(shape).some((step) => FEEDS.has(tacticText(step))),
        rest,
      };
      return this.#greedy(goal, state, 0, inside);
    }
    if (shape.kind === 'derivations')
      return this.#alternatives(derivationSteps(shape, viewGoal(goal)), rest, state);
    if (shape.kind === 'try' && TRIED.has(shape.tactic.kind))
      return this.#alternatives([shape.tactic, IDLE], rest, state);
    if (shape.kind === 'first') return this.#alternatives(shape.alternatives, rest, state);
    if (shape.kind === 'some-hypothesis') return this.#withOne(shape, goal, state);
    const next = await this.#runTactic(state, first);
    if (next === undefined) return undefined;
    const unchanged =
      next.goals.length === 1 && next.goals[0] !== undefined && goalKey(next.goals[0]) === goalKey(goal);
    if (unchanged) return this.#sequence(rest, state);
    return this.#each(next, first, (_, childState) => this.#sequence(rest, childState));
  }

  /** `first [a | b]`: the first of them that goes on to the end. */
  async #alternatives(
    alternatives: readonly Tactic[],
    rest: readonly Tactic[],
    state: StateId,
  ): Promise<TacticTree | undefined> {
    const afterwards = this.#afterwards;
    for (const alternative of alternatives) {
      this.#afterwards = afterwards;
      // A closing piece stays as it is: what it does inside is its own affair.
      const closing = onlyAlternative(alternative);
      if (closing !== undefined) {
        if ((await this.#runTactic(state, alternative)) !== undefined)
          return { tactics: [closing], children: [] };
        continue;
      }
      const pieces = piecesOf(alternative);
      const [first] = pieces;
      if (first === undefined) continue;
      // Of many values one is meant: what does not close the goal as it stands is not looked into.
      const closesAlone = alternatives.length > MANY && rest.length === 0 && afterwards.length === 0;
      if (closesAlone && (await this.#runTactic(state, solve(alternative))) === undefined) continue;
      if (!isNested(shapeOf(first)) && (await this.#runTactic(state, first)) === undefined) continue;
      const tree = await this.#sequence([...pieces, ...rest], state);
      if (tree !== undefined) return tree;
    }
    return undefined;
  }

  /** `match goal with H : _ |- _ => solve [t H; u] end`: the newest hypothesis with which that succeeds. */
  async #withOne(
    { use, finish }: Extract<Tactic, { readonly kind: 'some-hypothesis' }>,
    goal: Goal,
    state: StateId,
  ): Promise<TacticTree | undefined> {
    for (const { name } of goal.hypotheses.toReversed()) {
      const step = hypothesisStep(use, name);
      if ((await this.#runTactic(state, solve(sequence(step, finish)))) !== undefined)
        return this.#sequence([step, ...piecesOf(finish)], state);
    }
    return undefined;
  }

  async #each(
    after: Reached,
    tactic: Tactic,
    solveGoal: (goal: Goal, state: StateId) => Promise<TacticTree | undefined>,
  ): Promise<TacticTree | undefined> {
    if (after.goals.length > 1 && after.goals.some(({ conclusion }) => /\?\p{L}/u.test(conclusion)))
      return this.#inTurn(after, tactic, solveGoal);
    const children: TacticTree[] = [];
    for (const [index, goal] of after.goals.entries()) {
      const focused = after.goals.length === 1 ? after : await this.#run(after.state, `${index + 1}: {`);
      const child = focused === undefined ? undefined : await solveGoal(goal, focused.state);
      if (child === undefined) return undefined;
      children.push(child);
    }
    return { tactics: [tactic], children };
  }

  /** Where goals share what is not known yet (`R x ?y`, `star R ?y z`): each behind the proofs of those before it, which say it. */
  async #inTurn(
    after: Reached,
    tactic: Tactic,
    solveGoal: (goal: Goal, state: StateId) => Promise<TacticTree | undefined>,
  ): Promise<TacticTree | undefined> {
    const children: TacticTree[] = [];
    let at: StateId | undefined = after.state;
    while (at !== undefined && children.length < after.goals.length) {
      const focused = await this.#run(at, '{');
      const [goal] = focused?.goals ?? [];
      if (focused === undefined || goal === undefined) return undefined;
      const child = await solveGoal(goal, focused.state);
      if (child === undefined) return undefined;
      children.push(child);
      at = focused.state;
      for (const sentence of [...scriptSentences(scriptOf(child)), '}'])
        at = at === undefined ? undefined : (await this.#run(at, sentence))?.state;
    }
    return at === undefined ? undefined : { tactics: [tactic], children };
  }

  /** The rounds of the strategy, one sentence each, until a closer succeeds. */
  async #greedy(
    goal: Goal,
    state: StateId,
    depth: number,
    strategy: Strategy,
  ): Promise<TacticTree | undefined> {
    for (const closer of [...this.#options.closers, ...strategy.closers]) {
      const closed = await this.#runTactic(state, closer);
      if (closed?.goals.length === 0) return { tactics: [closer], children: [] };
    }
    if (depth >= MAXIMUM_DEPTH) return undefined;
    const view = viewGoal(goal);
    for (const step of [
      ...rounds(view, { comparisons: this.#options.comparisons, feeds: strategy.feeds }),
      ...strategy.rewrites,
      ...(strategy.merges ? equalities(view) : []),
    ]) {
      const next = await this.#runTactic(state, step);
      if (next === undefined || next.goals.some((left) => goalKey(left) === goalKey(goal))) continue;
      return this.#each(next, step, (child, childState) =>
        this.#greedy(child, childState, depth + 1, strategy),
      );
    }
    return this.#sequence(strategy.rest, state);
  }

  #runTactic(from: StateId, tactic: Tactic): Promise<Reached | undefined> {
    return this.#run(from, `${tacticText(tactic)}.`);
  }

  async #run(from: StateId, sentence: string): Promise<Reached | undefined> {
    this.#runs += 1;
    const { session, signal } = this.#options;
    if (this.#runs > MAXIMUM_RUNS) return undefined;
    const result = await session.run(from, asSentence(sentence), {
      ...{ workMs: STEP_LIMIT_MS, timeoutMs: STEP_LIMIT_MS * STANDS_STILL },
      withGoals: true,
      signal,
    });
    if (result.status !== 'done' || !result.proof) return undefined;
    return { state: result.state, goals: result.proof.goals };
  }
}

/** Whether one sentence of it takes several steps. */
function isChained(tactic: Tactic): boolean {
  switch (tactic.kind) {
    case 'sequence':
    case 'some-hypothesis':
    case 'derivations':
      return true;
    case 'rounds':
      return tactic.tidies || tactic.steps.some(isChained);
    case 'saturate':
      return tactic.what === 'merge-equals';
    case 'atom':
      return tactic.argument.includes(';');
    case 'written':
      return tactic.text.includes(';');
    default:
      return partsOf(tactic).some(isChained);
  }
}

/** What a strategy repeats, or tries until something closes the goal: taken apart by rounds of single steps. */
function repeats(piece: Tactic): boolean {
  if (piece.kind === 'written') return /^(?:do \d+ try|repeat|solve)\b/u.test(piece.text);
  return piece.kind === 'rounds' || piece.kind === 'saturate' || piece.kind === 'solve';
}

function triesChain(piece: Tactic): boolean {
  return piece.kind === 'try' && piece.tactic.kind === 'sequence';
}

/** Pieces that are taken apart rather than run. */
function isNested(piece: Tactic): boolean {
  if (piece.kind === 'written') return /^(?:do \d+ try|repeat|solve|match)/u.test(piece.text);
  return repeats(piece) || NESTED.has(piece.kind) || isMatch(piece);
}

const NESTED: ReadonlySet<Tactic['kind']> = new Set(['first', 'some-hypothesis', 'derivations']);

function isMatch(piece: Tactic): boolean {
  return piece.kind === 'atom' && piece.head === 'match';
}

function isRewrite(step: Tactic): boolean {
  return step.kind === 'atom' && step.head === 'rewrite';
}

/** `a` and `b` of `solve [a | b]`, without what is a strategy itself. */
function closersOf(piece: Tactic): readonly Tactic[] {
  const shape = shapeOf(piece);
  return shape.kind === 'solve' ? shape.alternatives.filter(isSimple) : [];
}

function isSimple(tactic: Tactic): boolean {
  if (tactic.kind === 'written')
    return tactic.text !== '' && !/[;[]/u.test(tactic.text.replace(/ \([^[]*\)$/u, ''));
  return tactic.kind === 'atom' || tactic.kind === 'using' || tactic.kind === 'firstorder';
}
