/**
 * Writes out what a compound closing step did. The search tries whole strategies in one sentence; in a proof that people
 * keep, the same steps stand one by one, in the order in which the strategy takes them.
 */
import type { Goal } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import {
  goalKey,
  looksLikeProposition,
  viewGoal,
  type GoalView,
} from '../../provers/rocq/goals/goal-view.ts';
import { splitTopLevel } from './minimise.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { INVERT_ONE, MERGE_EQUALS, REFUTE_ONE } from '../candidates/strategies.ts';
import {
  caseSubjects,
  CONJUNCTION,
  DISJUNCTION,
  EQUIVALENCE,
  isVariableEquation,
} from '../candidates/structure.ts';
import { EXISTENTIAL, splitArrows, subterms } from '../../provers/rocq/goals/term.ts';
import { freshHypothesis, freshName } from '../../provers/rocq/goals/names.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { written } from '../../provers/rocq/syntax/sentences.ts';

/** Pieces that are taken apart rather than run. */
const NESTED = /^(?:first \[|do \d+ try|repeat|solve|match)/u;
const STEP_TIMEOUT_MS = 1500;
const MAXIMUM_DEPTH = 9;
const MAXIMUM_RUNS = 250;

export interface UnfoldOptions {
  readonly session: ProverSession;
  /** Tactics that may close a goal, the most welcome first. */
  readonly closers: readonly string[];
  readonly signal: AbortSignal;
}

/** What a strategy may use besides its rounds. */
interface Strategy {
  readonly rewrites: readonly string[];
  readonly closers: readonly string[];
  /** Whether it shows objects to be equal. */
  readonly merges: boolean;
  /** What it ends with on a goal that nothing of this makes simpler. */
  readonly rest: readonly string[];
}

/** A step with its strategies written out; what cannot be written out stays as it is. */
export class Unfolder {
  readonly #options: UnfoldOptions;
  #runs = 0;

  constructor(options: UnfoldOptions) {
    this.#options = options;
  }

  async unfold(tree: ScriptTree, state: StateId): Promise<ScriptTree> {
    const [sentence] = tree.sentences;
    if (tree.children.length === 0 && tree.sentences.length === 1 && sentence !== undefined) {
      if (!sentence.includes(';')) return tree;
      return (await this.#sequence(splitTopLevel(sentence, ';'), state)) ?? tree;
    }
    let at = state;
    for (const text of tree.sentences) {
      const next = await this.#run(at, `${text}.`);
      if (next === undefined) return tree;
      at = next.state;
    }
    const children: ScriptTree[] = [];
    for (const [index, child] of tree.children.entries()) {
      const focused = tree.children.length === 1 ? { state: at } : await this.#run(at, `${index + 1}: {`);
      children.push(focused === undefined ? child : await this.unfold(child, focused.state));
    }
    return { sentences: tree.sentences, children };
  }

  /** `a; b; c` on one goal: `a`, then the rest on each goal that it leaves; what cannot be taken apart in one sentence. */
  async #sequence(pieces: readonly string[], state: StateId): Promise<ScriptTree | undefined> {
    const apart = await this.#takenApart(pieces, state);
    if (apart !== undefined || pieces.length === 0) return apart;
    const whole = pieces.join('; ');
    const closed = await this.#run(state, `${whole}.`);
    return closed?.goals.length === 0 ? { sentences: [whole], children: [] } : undefined;
  }

  async #takenApart(pieces: readonly string[], state: StateId): Promise<ScriptTree | undefined> {
    const [first, ...rest] = pieces;
    const [goal] = (await this.#options.session.goals(state))?.goals ?? [];
    if (first === undefined || goal === undefined) return undefined;
    if (/^(?:do \d+ try|repeat|solve)\b/u.test(first)) {
      const inside = {
        rewrites: rewritesOf(first),
        closers: pieces.flatMap(alternativesOf),
        merges: pieces.includes(MERGE_EQUALS),
        rest,
      };
      return this.#greedy(goal, state, 0, inside);
    }
    if (first.startsWith('first ['))
      return this.#alternatives(first.slice('first ['.length, -1), rest, state);
    if (first.startsWith(INVERT_ONE)) return this.#withOne(INVERT_ONE, first, goal, state);
    if (first.startsWith(REFUTE_ONE)) return this.#withOne(REFUTE_ONE, first, goal, state);
    const next = await this.#run(state, `${first}.`);
    if (next === undefined) return undefined;
    const unchanged =
      next.goals.length === 1 && next.goals[0] !== undefined && goalKey(next.goals[0]) === goalKey(goal);
    if (unchanged) return this.#sequence(rest, state);
    return this.#each(next, first, (_, childState) => this.#sequence(rest, childState));
  }

  /** `first [a | b]`: the first of them that goes on to the end. */
  async #alternatives(
    inside: string,
    rest: readonly string[],
    state: StateId,
  ): Promise<ScriptTree | undefined> {
    for (const alternative of splitTopLevel(inside, '|')) {
      const pieces = splitTopLevel(alternative, ';');
      const [first = ''] = pieces;
      // A closing piece stays as it is: what it does inside is its own affair.
      const closing = /^solve \[([^|[\]]*)\]$/u.exec(alternative)?.[1];
      if (closing !== undefined) {
        if ((await this.#run(state, `${alternative}.`)) !== undefined)
          return { sentences: [closing], children: [] };
        continue;
      }
      if (!NESTED.test(first) && (await this.#run(state, `${first}.`)) === undefined) continue;
      const tree = await this.#sequence([...pieces, ...rest], state);
      if (tree !== undefined) return tree;
    }
    return undefined;
  }

  /** `match goal with H : _ |- _ => solve [t H; u] end`: the newest hypothesis with which that succeeds. */
  async #withOne(opening: string, text: string, goal: Goal, state: StateId): Promise<ScriptTree | undefined> {
    const inside = /solve \[(.*)$/su.exec(opening)?.[1] ?? '';
    const finish = text.slice(opening.length, -'] end'.length);
    for (const { name } of goal.hypotheses.toReversed()) {
      const step = inside.replace(/\bH\b/gu, name).replace(/; $/u, '');
      if ((await this.#run(state, `solve [${step}; ${finish}].`)) !== undefined)
        return this.#sequence([step, ...splitTopLevel(finish, ';')], state);
    }
    return undefined;
  }

  async #each(
    after: { state: StateId; goals: readonly Goal[] },
    sentence: string,
    solve: (goal: Goal, state: StateId) => Promise<ScriptTree | undefined>,
  ): Promise<ScriptTree | undefined> {
    const children: ScriptTree[] = [];
    for (const [index, goal] of after.goals.entries()) {
      const focused = after.goals.length === 1 ? after : await this.#run(after.state, `${index + 1}: {`);
      const child = focused === undefined ? undefined : await solve(goal, focused.state);
      if (child === undefined) return undefined;
      children.push(child);
    }
    return { sentences: [sentence], children };
  }

  /** The rounds of the strategy, one sentence each, until a closer succeeds. */
  async #greedy(
    goal: Goal,
    state: StateId,
    depth: number,
    strategy: Strategy,
  ): Promise<ScriptTree | undefined> {
    for (const closer of [...this.#options.closers, ...strategy.closers]) {
      const closed = await this.#run(state, `${closer}.`);
      if (closed?.goals.length === 0) return { sentences: [closer], children: [] };
    }
    if (depth >= MAXIMUM_DEPTH) return undefined;
    const view = viewGoal(goal);
    for (const step of [
      ...rounds(view),
      ...strategy.rewrites,
      ...(strategy.merges ? equalities(view) : []),
    ]) {
      const next = await this.#run(state, `${step}.`);
      if (next === undefined || next.goals.some((left) => goalKey(left) === goalKey(goal))) continue;
      return this.#each(next, step, (child, childState) =>
        this.#greedy(child, childState, depth + 1, strategy),
      );
    }
    return this.#sequence(strategy.rest, state);
  }

  async #run(
    from: StateId,
    sentence: string,
  ): Promise<{ state: StateId; goals: readonly Goal[] } | undefined> {
    this.#runs += 1;
    const { session, signal } = this.#options;
    if (this.#runs > MAXIMUM_RUNS) return undefined;
    const result = await session.run(from, written(sentence), {
      timeoutMs: STEP_TIMEOUT_MS,
      withGoals: true,
      signal,
    });
    if (result.status !== 'done' || !result.proof) return undefined;
    return { state: result.state, goals: result.proof.goals };
  }
}

/** The lemmas that a chain `do 12 try first [rewrite a | rewrite b]` rewrites with. */
function rewritesOf(piece: string): string[] {
  const inside = /^do \d+ try \(?first \[(.*)\](?:; subst; try discriminate\))?$/su.exec(piece)?.[1] ?? '';
  return splitTopLevel(inside, '|').filter((alternative) => /^rewrite [^;]*$/u.test(alternative));
}

/** `a` and `b` of `solve [a | b]`, without what is a strategy itself. */
function alternativesOf(piece: string): string[] {
  const inside = /^solve \[(.*)\]$/su.exec(piece)?.[1] ?? '';
  return splitTopLevel(inside, '|').filter(
    (alternative) => alternative !== '' && !/[;[]/u.test(alternative.replace(/ \([^[]*\)$/u, '')),
  );
}

/** What {@link MERGE_EQUALS} may have shown. */
function* equalities({ hypotheses }: GoalView): Generator<string> {
  for (const [at, one] of hypotheses.entries())
    for (const other of hypotheses.slice(at + 1))
      if (one.type === other.type && !looksLikeProposition(one.term))
        yield `assert (${one.name} = ${other.name}) by eauto 3`;
}

function* rounds(view: GoalView): Generator<string> {
  const { symbol } = view.conclusion;
  const names = introductionNames(view.conclusion, view.locals);
  if (names.length > 0) yield `intros ${names.join(' ')}`;
  if (symbol === '~' || symbol === '¬') yield `intros ${freshHypothesis(view.locals, 0)}`;
  if (CONJUNCTION.has(symbol) || EQUIVALENCE.has(symbol)) yield 'split';
  if (view.hypotheses.some((hypothesis) => isVariableEquation(hypothesis, view))) yield 'subst';
  for (const { name, term } of view.hypotheses) {
    const fresh = freshName(name, view.locals);
    if (CONJUNCTION.has(term.symbol)) yield `destruct ${name} as [${name} ${fresh}]`;
    if (EXISTENTIAL.has(term.symbol)) yield `destruct ${name} as [${freshName('k', view.locals)} ${name}]`;
    if (DISJUNCTION.has(term.symbol)) yield `destruct ${name} as [${name}|${name}]`;
  }
  yield 'simpl';
  if (view.hypotheses.length > 0) yield 'simpl in *';
  for (const subject of caseSubjects(view, view.hypotheses.length))
    yield `destruct ${/^\S+$/u.test(subject) ? subject : `(${subject})`} eqn:${freshName('E', view.locals)}`;
  for (const { name, term } of view.hypotheses) {
    const { conclusion } = splitArrows(term);
    const [left] = conclusion.children;
    if (conclusion.symbol !== '=' || left === undefined) continue;
    for (const part of subterms(view.conclusion))
      if (part.symbol === left.symbol) {
        yield `rewrite ${name}`;
        break;
      }
  }
}
