/**
 * The program that looks for counterexamples inside Rocq, as sentences. It is written in Ltac2, which comes with every
 * Rocq since 8.12, and stands in a module of its own, so that loading it changes nothing of the file it is loaded
 * behind: neither the language of proofs nor a name. What it says of Rocq's own types and lemmas it calls by qualified names
 * (`Init.Datatypes.S`, which the libraries `Coq` and `Corelib` both have), and patterns without notations: the file may have
 * its own `S`, `True` or `=`.
 */
import { splitSentences } from '../../provers/rocq/syntax/sentences.ts';
import { DECISIONS } from './decide.ts';
import { SEARCH } from './search.ts';
import { VALUES } from './values.ts';

const OPENING = `
From Ltac2 Require Ltac2.
Module Quod_refute.
Import Ltac2.Ltac2.
Import Ltac2.Constr.Unsafe.
`;

/** To be run outside of sections: Rocq has no modules in them. */
export const ENGINE: readonly string[] = splitSentences(
  `${OPENING}${VALUES}${DECISIONS}${SEARCH}End Quod_refute.\n`,
).sentences.map(({ text }) => text);

export type Look = 'enumerate' | 'narrow';

/** One pass of the search with what it may use. */
export interface Round {
  readonly look: Look;
  /** A hypothesis that computation leaves open must be proved by the engine itself. */
  readonly strict: boolean;
  /** Values for each variable. */
  readonly most: number;
  /** Constructors in a value. */
  readonly size: number;
  /** Rules on top of each other in a derivation. */
  readonly depth: number;
  /** Combinations of values. */
  readonly tried: number;
  /** Counterexamples after which the pass ends; of those that computation leaves open, twice as many. */
  readonly wanted: number;
}

export function roundSentence({ look, strict, most, size, depth, tried, wanted }: Round): string {
  return `ltac2:(Quod_refute.run Quod_refute.${look} ${strict ? 1 : 0} ${most} ${size} ${depth} ${tried} ${wanted}).`;
}
