/**
 * Carries a tactic from the goal where it was used over to another goal: local names are replaced by what stands in
 * their place, found by matching the two goals position by position and hypotheses by the shape of their types.
 */
import { orNothing } from '../../core/entry.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import type { Term } from '../../provers/rocq/goals/term.ts';
import { freshName, PLAIN_NAME, tacticWords, type TacticWord } from '../../provers/rocq/goals/names.ts';
import type { Costs } from './costs.ts';

export interface AdaptedTactic {
  readonly text: string;
  /** 0 for the tactic as it stood; grows with each guess. Added to the cost of trying it. */
  readonly penalty: number;
}

/** What each local name of `from` stands for in `to`. */
export type Correspondence = ReadonlyMap<string, string>;

function correspondence(from: GoalView, to: GoalView): Map<string, string> {
  const mapping = new Map<string, string>();
  const text = to.goal.conclusion;
  const align = (left: Term, right: Term): void => {
    if (left.children.length === 0 && from.locals.has(left.symbol)) {
      if (!mapping.has(left.symbol)) mapping.set(left.symbol, text.slice(right.start, right.end));
      return;
    }
    const headsAgree =
      left.symbol === right.symbol || (from.locals.has(left.symbol) && to.locals.has(right.symbol));
    if (!headsAgree || left.children.length !== right.children.length) return;
    if (left.symbol !== right.symbol && !mapping.has(left.symbol)) mapping.set(left.symbol, right.symbol);
    left.children.forEach((child, index) => {
      const other = right.children[index];
      if (other !== undefined) align(child, other);
    });
  };
  align(from.conclusion, to.conclusion);
  return mapping;
}

const ALTERNATIVES = 3;
const MAXIMUM_VARIANTS = 5;

export function adaptTactic(tactic: string, from: GoalView, to: GoalView, costs: Costs): AdaptedTactic[] {
  const words = tacticWords(tactic);
  const used = [...new Set(words.map((word) => word.text).filter((word) => from.locals.has(word)))];
  const introduced = namesIntroduced(tactic);
  const clashes = [...introduced].filter((name) => to.locals.has(name) && !used.includes(name));
  const results: AdaptedTactic[] = [];
  const push = (mapping: Correspondence, penalty: number): void => {
    const text = substitute(tactic, words, mapping);
    if (!results.some((known) => known.text === text)) results.push({ text, penalty });
  };
  const fresh = new Map(clashes.map((name) => [name, freshName(name, to.locals)] as const));
  if (used.length === 0) {
    push(fresh, clashes.length === 0 ? 0 : costs['adapted.fresh-names.more']);
    return results;
  }
  const mapping = correspondence(from, to);
  // What the tactic also binds (`induction l as [| x l IH]`) can only become another name.
  const choices = used.map((name) =>
    choicesFor(name, from, to, mapping).filter(({ text }) => !introduced.has(name) || PLAIN_NAME.test(text)),
  );
  const first = new Map(fresh);
  const factor = costs['adapted.penalty.factor'];
  let penalty = 0;
  used.forEach((name, index) => {
    const best = choices[index]?.[0];
    if (best === undefined) {
      penalty += costs['adapted.unplaced-name.each'];
      return;
    }
    first.set(name, best.text);
    penalty += best.text === name ? 0 : 1 - best.score;
  });
  push(first, penalty * factor);
  if (used.every((name) => to.locals.has(name))) push(fresh, costs['adapted.as-it-stood.more']);
  used.forEach((name, index) => {
    for (const [rank, choice] of (choices[index] ?? []).slice(1, ALTERNATIVES).entries()) {
      if (results.length >= MAXIMUM_VARIANTS) return;
      push(
        new Map(first).set(name, choice.text),
        penalty * factor + costs['adapted.alternative.each'] * (rank + 1),
      );
    }
  });
  return results;
}

interface Choice {
  readonly text: string;
  /** In [0, 1]. */
  readonly score: number;
}

function choicesFor(name: string, from: GoalView, to: GoalView, mapping: Correspondence): Choice[] {
  const source = from.hypotheses.find((hypothesis) => hypothesis.name === name);
  const choices: Choice[] = [];
  const aligned = mapping.get(name);
  if (aligned !== undefined) choices.push({ text: parenthesise(aligned), score: 0.9 });
  if (source !== undefined) {
    const total = to.hypotheses.length || 1;
    const ranked = to.hypotheses
      .map((hypothesis, position) => ({
        text: hypothesis.name,
        score:
          overlap(source.term, hypothesis.term, from.locals, to.locals) * 0.9 +
          (hypothesis.name === name ? 0.08 : 0) +
          (0.02 * position) / total,
      }))
      .filter((choice) => choice.score > 0.15)
      .sort((left, right) => right.score - left.score);
    for (const choice of ranked.slice(0, ALTERNATIVES))
      if (!choices.some((known) => known.text === choice.text)) choices.push(choice);
  }
  return choices.sort((left, right) => right.score - left.score);
}

/** The share of two terms that agrees from the root down; locals agree with locals. In [0, 1]. */
function overlap(
  left: Term,
  right: Term,
  leftLocals: ReadonlySet<string>,
  rightLocals: ReadonlySet<string>,
): number {
  const count = (a: Term, b: Term): number => {
    const bothLocal = leftLocals.has(a.symbol) && rightLocals.has(b.symbol);
    if (a.symbol !== b.symbol && !bothLocal) return 0;
    let matched = a.symbol === b.symbol ? 1 : 0.8;
    if (a.children.length === b.children.length)
      a.children.forEach((child, index) => {
        const other = b.children[index];
        if (other !== undefined) matched += count(child, other);
      });
    return matched;
  };
  const size = (term: Term): number => term.children.reduce((sum, child) => sum + size(child), 1);
  return count(left, right) / Math.max(size(left), size(right));
}

function parenthesise(term: string): string {
  return /^[\p{L}\p{N}_'.?]+$/u.test(term) || /^\([^()]*\)$/u.test(term) ? term : `(${term})`;
}

export function substitute(tactic: string, words: readonly TacticWord[], mapping: Correspondence): string {
  let result = '';
  let at = 0;
  for (const word of words) {
    const replacement = mapping.get(word.text);
    if (replacement === undefined) continue;
    result += tactic.slice(at, word.start) + replacement;
    at = word.end;
  }
  return result + tactic.slice(at);
}

const PATTERN_PART = /(?:\bas\b|\bintros?\b|\beqn:|=>|\bset\s*\(|\bpose\s*\()([^.;]*)/gu;

/** Names that a tactic gives to what it introduces. */
export function namesIntroduced(tactic: string): Set<string> {
  const names = new Set<string>();
  for (const match of tactic.matchAll(PATTERN_PART))
    for (const word of tacticWords(orNothing(match[1]))) if (!KEYWORDS.has(word.text)) names.add(word.text);
  return names;
}

const KEYWORDS = new Set([
  'as',
  'in',
  'by',
  'with',
  'using',
  'eqn',
  'at',
  'now',
  'into',
  'try',
  'eauto',
  'auto',
]);
