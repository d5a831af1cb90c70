/** What the judge of compiled Lean modules allows. */
import type { SearchSettings } from '../olean/search-path.ts';

/** What may be stored about a definition so that the compiler runs something else than what the kernel checks. */
export const COMPILER_ATTRIBUTES = ['implemented_by', 'extern', 'noncomputable', 'csimp'] as const;

export type CompilerAttribute = (typeof COMPILER_ATTRIBUTES)[number];

export interface LeanPolicy extends SearchSettings {
  /** The axioms that declarations of the submission may rest on. Default: the three standard ones. */
  readonly allowedAxioms?: readonly string[];
  /** The theorems of the target that must be proved. Default: all; others may stay open, and everything stays the same. */
  readonly theorems?: readonly string[];
  /** Definitions of the target whose value the submission may choose, besides holes. */
  readonly definitionsMayChange?: readonly string[];
  /** Whether the submission may declare anything that the target does not. Default: true. */
  readonly helpers?: boolean;
  readonly disallowPartial?: boolean;
  readonly disallowedAttributes?: readonly CompilerAttribute[];
  /** Accept a theorem `X.disproof` of the negation of the target's theorem `X` in its place. */
  readonly disproofs?: boolean;
  /**
   * Which definitions of the target the submission may fill: those that rest on `sorry` in any way, as SafeVerify has it (the
   * default), or only those in whose own value `sorry` stands.
   */
  readonly strictHoles?: boolean;
  /** Check the imported modules, too. */
  readonly fresh?: boolean;
  /** How many steps the kernel may take for one declaration. Default: the kernel's own limit. */
  readonly fuel?: number;
}
