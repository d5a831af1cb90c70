/** What is ranked: statements with their proofs, for a goal that has none yet, or only the beginning of one. */
import type { Goal } from '../core/proof-state.ts';

export interface ProvedStatement {
  readonly name: string;
  /** A file or a library's logical name. */
  readonly origin: string;
  /** A closed statement is a goal without hypotheses. */
  readonly goal: Goal;
  /** As {@link tacticsOfProof} cuts it. */
  readonly tactics: readonly string[];
}

export interface Query {
  readonly goal: Goal;
  /** The proof as far as it is known. */
  readonly tactics?: readonly string[];
  /** Where the collection holds what is asked about: its number there. Its proof is not looked at. */
  readonly itself?: number;
}
