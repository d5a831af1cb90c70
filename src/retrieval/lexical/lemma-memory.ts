/**
 * The statements in scope, ranked for a goal: for applying, rewriting in either direction, or standing in for
 * another.
 */
import { lazyConstant } from '../../core/lazy-constant.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { goalFeatures, symbolFeature, termFeatures } from './goal-features.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { NearestIndex } from './nearest.ts';
import { splitArrows, subterms } from '../../provers/rocq/goals/term.ts';
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';
import { patternsOf, type Pattern, type StatementParts } from './lemma-patterns.ts';

export interface Lemma {
  /** The shortest name that resolves where it is used. */
  readonly name: string;
  readonly statement: string;
}

export interface LemmaView extends Lemma, StatementParts {
  readonly patterns: () => readonly Pattern[];
  /** Rank by position: later in the file is larger. */
  readonly order: number;
}

/** Names that lemmas of the standard library share with tactics. */
const TACTIC_WORDS = new Set([
  ...[
    'reflexivity',
    'symmetry',
    'transitivity',
    'induction',
    'case',
    'split',
    'exact',
    'constructor',
    'left',
  ],
  ...[
    'right',
    'exists',
    'apply',
    'unfold',
    'cut',
    'absurd',
    'contradiction',
    'discriminate',
    'injection',
    'ring',
  ],
  ...[
    'field',
    'tauto',
    'intuition',
    'auto',
    'move',
    'elim',
    'rewrite',
    'pose',
    'set',
    'by',
    'in',
    'do',
    'at',
  ],
]);

const EQUATION_HEADS = new Set(['=', '<->', '↔', '==', '≡', '≡ₚ', '≡ᵢ', '=i', '=1', '=2']);

export function viewLemma(
  lemma: Lemma,
  order: number,
  term = readTerm(lemma.statement.slice(0, 2000)),
): LemmaView {
  const { premises, conclusion, bound } = splitArrows(term);
  const parts = { term, premises, conclusion, bound: new Set(bound) };
  return { ...lemma, ...parts, patterns: lazyConstant(() => patternsOf(parts)), order };
}

export class LemmaMemory {
  readonly #index = new NearestIndex<LemmaView>();
  readonly #byName = new Map<string, LemmaView>();
  readonly #bySuffix = new Map<string, LemmaView>();
  readonly #own: LemmaView[] = [];
  /** Whether the lemmas of the libraries are still being listed. */
  growing = false;

  get size(): number {
    return this.#byName.size;
  }

  /** The file's own, the newest last. */
  get own(): readonly LemmaView[] {
    return this.#own;
  }

  addOwn(lemma: Lemma): LemmaView | undefined {
    const view = this.add(lemma);
    if (view !== undefined) this.#own.push(view);
    return view;
  }

  /** Undefined when there is one of that name. */
  add(lemma: Lemma): LemmaView | undefined {
    if (this.#byName.has(lemma.name)) return undefined;
    const view = viewLemma(lemma, this.#byName.size);
    this.#byName.set(lemma.name, view);
    this.#bySuffix.set(lastPart(lemma.name), view);
    this.#index.add(view, termFeatures(view.term, view.bound));
    return view;
  }

  /** The lemma of that name, however much of its path is written. */
  find(name: string): LemmaView | undefined {
    if (TACTIC_WORDS.has(name)) return undefined;
    return this.#byName.get(name) ?? this.#bySuffix.get(lastPart(name));
  }

  /** Lemmas whose statements share the goal's symbols, with their similarity in [0, 1]. */
  similarToGoal(view: GoalView, count: number): { lemma: LemmaView; score: number }[] {
    const features = new Map(goalFeatures(view));
    // A variable of the section, which lemmas of the section speak of by its name.
    for (const { symbol } of subterms(view.conclusion))
      if (view.locals.has(symbol)) features.set(symbolFeature(symbol), 1);
    return this.#index
      .nearest(features, count)
      .map(({ item, similarity }) => ({ lemma: item, score: similarity }));
  }

  /** Lemmas that mention a constant, in the order in which they were added. */
  mentioning(symbol: string): LemmaView[] {
    return this.#index.itemsWith(symbolFeature(symbol));
  }

  /** Lemmas stated like this one, itself excluded. */
  similarTo(lemma: LemmaView, count: number): { lemma: LemmaView; score: number }[] {
    return this.#index
      .nearest(termFeatures(lemma.term, lemma.bound), count + 1)
      .filter(({ item }) => item !== lemma)
      .map(({ item, similarity }) => ({ lemma: item, score: similarity }));
  }
}

export function isEquation(lemma: LemmaView): boolean {
  return EQUATION_HEADS.has(lemma.conclusion.symbol) && lemma.conclusion.children.length === 2;
}
