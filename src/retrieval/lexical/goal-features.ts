/**
 * Features of a goal for similarity: its symbols, pairs of a symbol and its argument's, heads; locals are
 * anonymous.
 */
import { orZero } from '../../core/entry.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { opened } from '../../provers/rocq/goals/hidden-equations.ts';
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
/** What stands deeper in a term says little about it. */
const DEEPEST = 12;

export function goalFeatures(view: GoalView): FeatureVector {
  const vector = new Map<number, number>();
  const locals = new Set(view.locals);
  addTerm(vector, view.conclusion, { locals, prefix: '', weight: 1 });
  add(vector, `head ${symbolOf(splitArrows(view.conclusion).conclusion, locals)}`, 1);
  // Lemmas are found by what they say, so a goal that hides an equation looks for that, too.
  const said = opened(view.conclusion);
  if (said !== view.conclusion) addTerm(vector, said, { locals, prefix: '', weight: 1 });
  for (const hypothesis of view.hypotheses.slice(-HYPOTHESES_READ)) {
    const { conclusion } = splitArrows(hypothesis.term);
    add(vector, `hyp ${symbolOf(conclusion, locals)}`, HYPOTHESIS_WEIGHT);
    addTerm(vector, hypothesis.term, { locals, prefix: 'h', weight: HYPOTHESIS_WEIGHT });
  }
  return vector;
}

export function termFeatures(term: Term, locals: ReadonlySet<string>): FeatureVector {
  const vector = new Map<number, number>();
  addTerm(vector, term, { locals: new Set(locals), prefix: '', weight: 1 });
  add(vector, `head ${symbolOf(splitArrows(term).conclusion, locals)}`, 1);
  return vector;
}

/** What all features of one term have in common. */
interface TermRole {
  /** Names that count as variables; what the term binds is added. */
  readonly locals: Set<string>;
  readonly prefix: string;
  readonly weight: number;
}

function addTerm(vector: Map<number, number>, term: Term, role: TermRole): void {
  for (const part of subterms(term))
    if (BINDERS.has(part.symbol)) for (const name of boundBy(part)) role.locals.add(name);
  const { locals, prefix, weight } = role;
  const walk = (at: Term, parent: string | undefined, depth: number): void => {
    const symbol = symbolOf(at, locals);
    if (symbol !== VARIABLE) add(vector, `${prefix}${symbol}`, weight);
    if (parent !== undefined) add(vector, `${prefix}${parent}>${symbol}`, weight);
    if (depth > DEEPEST) return;
    for (const child of at.children) walk(child, symbol, depth + 1);
  };
  walk(term, undefined, 0);
}

const VARIABLE = '_';

function symbolOf(term: Term, locals: ReadonlySet<string>): string {
  return locals.has(term.symbol) || term.symbol.startsWith('?') ? VARIABLE : term.symbol;
}

function add(vector: Map<number, number>, feature: string, weight: number): void {
  const id = hashed(feature);
  if (orZero(vector.get(id)) < weight) vector.set(id, weight);
}
