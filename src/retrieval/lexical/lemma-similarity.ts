/**
 * How near the statements in scope are to a goal: for applying, rewriting in either direction, or standing in for
 * another.
 */
import { lazyConstant } from '../../core/lazy-constant.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { goalFeatures, symbolFeature, termFeatures } from './goal-features.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { NearestIndex } from './nearest.ts';
import { splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import { readStatement } from '../../provers/rocq/goals/hidden-equations.ts';
import { patternsOf, type Pattern, type StatementParts } from './lemma-patterns.ts';

export interface Lemma {
  /** The shortest name that resolves where it is used. */
  readonly name: string;
  readonly statement: string;
  /** What {@link lemmaFeatures} says of it, where that was asked before: reading a statement costs more than finding it. */
  readonly features?: readonly number[];
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

/** @param known the statement as a term, where that is there. */
export function viewLemma({ name, statement }: Lemma, order: number, known?: Term): LemmaView {
  // Most are never looked at.
  const parts = lazyConstant(() => partsOf(known ?? readStart(statement)));
  return {
    ...{ name, statement, order },
    patterns: lazyConstant(() => patternsOf(parts())),
    get term() {
      return parts().term;
    },
    get premises() {
      return parts().premises;
    },
    get conclusion() {
      return parts().conclusion;
    },
    get bound() {
      return parts().bound;
    },
  };
}

function partsOf(term: Term): StatementParts {
  const { premises, conclusion, bound } = splitArrows(term);
  return { term, premises, conclusion, bound: new Set(bound) };
}

const LONGEST_READ = 2000;

function readStart(statement: string): Term {
  return readStatement(statement.slice(0, LONGEST_READ));
}

/** The features by which goals find a lemma. */
export function lemmaFeatures({ statement }: Lemma): readonly number[] {
  const { term, bound } = partsOf(readStart(statement));
  // All of a statement weighs the same.
  return [...termFeatures(term, bound).keys()];
}

export class LemmaMemory {
  readonly #index = new NearestIndex<LemmaView>();
  readonly #byName = new Map<string, LemmaView>();
  readonly #bySuffix = new Map<string, LemmaView>();
  readonly #own: LemmaView[] = [];
  readonly #superseded = new Set<LemmaView>();
  #added = 0;
  /** Whether the lemmas of the libraries are still being listed. */
  growing = false;
  /** What is kept out of all answers: statements that no proof is to rest on. */
  isAvoided: (name: string) => boolean = () => false;

  get size(): number {
    return this.#byName.size;
  }

  /** The file's own, the newest last. */
  get own(): readonly LemmaView[] {
    return this.#own.filter((lemma) => this.#isOffered(lemma));
  }

  /** Of the parameters of two functors one name may mean two statements: the later one counts. */
  addOwn(lemma: Lemma): LemmaView | undefined {
    const known = this.#byName.get(lemma.name);
    if (known !== undefined && known.statement !== lemma.statement && this.#own.includes(known)) {
      this.#superseded.add(known);
      this.#byName.delete(lemma.name);
    }
    const view = this.add(lemma);
    if (view !== undefined) this.#own.push(view);
    return view;
  }

  /** Undefined when there is one of that name. */
  add(lemma: Lemma): LemmaView | undefined {
    if (this.#byName.has(lemma.name)) return undefined;
    const view = viewLemma(lemma, this.#added);
    this.#added += 1;
    this.#byName.set(lemma.name, view);
    this.#bySuffix.set(lastPart(lemma.name), view);
    if (lemma.features === undefined) this.#index.add(view, termFeatures(view.term, view.bound));
    else this.#index.addEven(view, lemma.features);
    return view;
  }

  /** The lemma of that name, however much of its path is written. */
  find(name: string): LemmaView | undefined {
    if (TACTIC_WORDS.has(name) || this.isAvoided(name)) return undefined;
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
      .filter(({ item }) => this.#isOffered(item))
      .map(({ item, similarity }) => ({ lemma: item, score: similarity }));
  }

  /** Lemmas that mention a constant, in the order in which they were added. */
  mentioning(symbol: string): LemmaView[] {
    return this.#index.itemsWith(symbolFeature(symbol)).filter((lemma) => this.#isOffered(lemma));
  }

  #isOffered(lemma: LemmaView): boolean {
    return !this.#superseded.has(lemma) && !this.isAvoided(lemma.name);
  }

  /** Lemmas stated like this one, itself excluded. */
  similarTo(lemma: LemmaView, count: number): { lemma: LemmaView; score: number }[] {
    return this.#index
      .nearest(termFeatures(lemma.term, lemma.bound), count + 1)
      .filter(({ item }) => item !== lemma && this.#isOffered(item))
      .map(({ item, similarity }) => ({ lemma: item, score: similarity }));
  }
}

export function isEquation(lemma: LemmaView): boolean {
  return EQUATION_HEADS.has(lemma.conclusion.symbol) && lemma.conclusion.children.length === 2;
}
