/** Features of a goal for similarity: its symbols, pairs of a symbol and its argument's, heads; locals are anonymous. */
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { BINDERS, boundBy, splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';

/** Features are 32-bit hashes of their names, the same in every process, so that vectors can be stored. */
function hashed(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The feature of a statement that says: it mentions this constant. */
export const symbolFeature = hashed;

/** Feature to weight in (0, 1]. */
export type FeatureVector = ReadonlyMap<number, number>;

const HYPOTHESIS_WEIGHT = 0.35;
const HYPOTHESES_READ = 12;

export function goalFeatures(view: GoalView): FeatureVector {
  const vector = new Map<number, number>();
  const locals = new Set(view.locals);
  addTerm(vector, view.conclusion, locals, '', 1);
  add(vector, `head ${symbolOf(splitArrows(view.conclusion).conclusion, locals)}`, 1);
  for (const hypothesis of view.hypotheses.slice(-HYPOTHESES_READ)) {
    const { conclusion } = splitArrows(hypothesis.term);
    add(vector, `hyp ${symbolOf(conclusion, locals)}`, HYPOTHESIS_WEIGHT);
    addTerm(vector, hypothesis.term, locals, 'h', HYPOTHESIS_WEIGHT);
  }
  return vector;
}

export function termFeatures(term: Term, locals: ReadonlySet<string>): FeatureVector {
  const vector = new Map<number, number>();
  addTerm(vector, term, new Set(locals), '', 1);
  add(vector, `head ${symbolOf(splitArrows(term).conclusion, locals)}`, 1);
  return vector;
}

function addTerm(
  vector: Map<number, number>,
  term: Term,
  locals: Set<string>,
  prefix: string,
  weight: number,
): void {
  for (const part of subterms(term))
    if (BINDERS.has(part.symbol)) for (const name of boundBy(part)) locals.add(name);
  walk(vector, term, locals, prefix, weight, undefined, 0);
}

function walk(
  vector: Map<number, number>,
  term: Term,
  locals: ReadonlySet<string>,
  prefix: string,
  weight: number,
  parent: string | undefined,
  depth: number,
): void {
  const symbol = symbolOf(term, locals);
  if (symbol !== VARIABLE) add(vector, `${prefix}${symbol}`, weight);
  if (parent !== undefined) add(vector, `${prefix}${parent}>${symbol}`, weight);
  if (depth > 12) return;
  for (const child of term.children) walk(vector, child, locals, prefix, weight, symbol, depth + 1);
}

const VARIABLE = '_';

function symbolOf(term: Term, locals: ReadonlySet<string>): string {
  return locals.has(term.symbol) || term.symbol.startsWith('?') ? VARIABLE : term.symbol;
}

function add(vector: Map<number, number>, feature: string, weight: number): void {
  const id = hashed(feature);
  if ((vector.get(id) ?? 0) < weight) vector.set(id, weight);
}
