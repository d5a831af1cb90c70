/** A tactic worth trying on a goal, and what the ingredients of the search share. */
import type { Costs } from './costs.ts';
import type { Definitions } from '../libraries/definitions.ts';
import type { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import type { StepMemory, StoredStep } from '../../retrieval/lexical/step-memory.ts';
import { tacticText, type Tactic } from './tactic.ts';

/** The parts of the search that can be switched off one by one, to see what each gives. */
export const INGREDIENTS = [
  'reuse',
  'adaptation',
  'library',
  'lemmas',
  'automation',
  'structure',
  'conjectures',
  'strategies',
  'portfolio',
  'sharing',
] as const;
export type Ingredient = (typeof INGREDIENTS)[number];

export interface Candidate {
  readonly tactic: Tactic;
  /** The tactic in Ltac, without its final dot. */
  readonly text: string;
  /** Roughly the negative logarithm of the chance that this is the right step. */
  readonly cost: number;
  readonly timeoutMs: number;
  readonly ingredient: Ingredient;
  /** The tactic is only of use when it closes the goal. */
  readonly closing?: boolean;
  /** It was put off once, since it took long and never solved anything. */
  readonly late?: boolean;
  /** The earlier step that it was made from. */
  readonly source?: StoredStep;
}

export function candidate(tactic: Tactic, weighed: Omit<Candidate, 'tactic' | 'text'>): Candidate {
  return { tactic, text: tacticText(tactic), ...weighed };
}

/** What decides which steps are offered on a goal, besides the goal. */
export interface Setting {
  readonly definitions: Definitions;
  readonly ssreflect: boolean;
  readonly costs: Costs;
}

/** What is known where the hole stands. */
export interface Knowledge extends Setting {
  readonly steps: StepMemory;
  readonly lemmas: LemmaMemory;
  /** Automation tactics that exist here, cheapest first. */
  readonly automation: readonly AutomationTactic[];
  /** How many times slower than an installed Rocq this one is, at least 1: limits of single steps grow with it. */
  readonly pace: number;
}

export interface AutomationTactic {
  readonly tactic: Tactic;
  /** Added to the cost of trying it. */
  readonly cost: number;
  /** The time it gets at first; more only later. */
  readonly timeoutMs: number;
  /** Only tried on goals that mention one of these symbols. */
  readonly about?: ReadonlySet<string>;
  /** Takes many times what the others take to fail (it inverts every hypothesis): not for every new goal. */
  readonly dear?: boolean;
}

/** Milliseconds that an ordinary step gets. */
export const STEP_TIMEOUT_MS = 500;
