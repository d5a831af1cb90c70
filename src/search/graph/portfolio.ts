/** Small configurations of the search that run side by side on one graph and share all that they learn. */
import type { Weighing } from '../candidates/candidate-source.ts';

export interface Configuration extends Weighing {
  readonly name: string;
  /** How much the way behind counts against a node: 1 is best-first by total cost, 0 goes straight down. */
  readonly caution: number;
  /** Its share of the work. */
  readonly weight: number;
}

export const PORTFOLIO: readonly Configuration[] = [
  {
    name: 'balanced',
    offsets: {
      reuse: 0,
      adaptation: 0.3,
      library: 0,
      lemmas: 0.3,
      automation: 0,
      structure: 0.3,
      conjectures: 0,
      strategies: 0.5,
    },
    caution: 0.7,
    weight: 3,
  },
  {
    name: 'reuse',
    offsets: { reuse: 0, adaptation: 0.2, automation: 0.5, structure: 1.5 },
    caution: 0.6,
    weight: 3,
  },
  {
    name: 'structure',
    offsets: { structure: 0, conjectures: 0, automation: 0, strategies: 0, lemmas: 1 },
    caution: 0.7,
    weight: 1.5,
  },
  {
    name: 'lemmas',
    offsets: { lemmas: 0, reuse: 0.6, adaptation: 0.3, automation: 0.3, structure: 1.2 },
    caution: 0.8,
    weight: 1.5,
  },
  {
    name: 'deep',
    offsets: { reuse: 0, adaptation: 0.5, lemmas: 0.8, automation: 0.3, structure: 0.6, conjectures: 0 },
    caution: 0.25,
    weight: 1.5,
  },
];

export const ALONE: readonly Configuration[] = PORTFOLIO.slice(0, 1);
