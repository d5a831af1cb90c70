import type { Diagnostic } from './diagnostic.ts';
import type { Span } from './position.ts';
import type { Goal } from './proof-state.ts';
import type { ReasonCode } from './reason.ts';

/**
 * The result of checking a proof script, the same union for every prover; states are named as the session names
 * them.
 */
export type Outcome =
  /** The closing command was executed and nothing is shelved, admitted or given up. */
  | { readonly kind: 'proved' }
  /** Proved as the gate says, but the proof uses statements of the file whose own proofs are open. */
  | { readonly kind: 'proved-but'; readonly restsOnOpen: readonly string[] }
  /** The closing command was executed, and the gate could not look at the proof: nobody may conclude anything. */
  | { readonly kind: 'not-judged'; readonly reason: ReasonCode; readonly message: string }
  /** The closing command was executed, and the gate does not accept the proof. */
  | { readonly kind: 'refused'; readonly findings: readonly string[] }
  | { readonly kind: 'incomplete'; readonly goals: readonly Goal[]; readonly state: string }
  /** The focused goals are done; `elsewhere` are those of the enclosing focus, `depth` the number of open focuses. */
  | {
      readonly kind: 'branch-closed';
      readonly elsewhere: readonly Goal[];
      readonly depth: number;
      readonly state: string;
    }
  | {
      readonly kind: 'failed';
      /** The part of the script before the failing sentence, all accepted. */
      readonly validPrefix: string;
      readonly error: Diagnostic;
      /** Offsets of the failing sentence in the script. */
      readonly span: Span;
      readonly goalsAtError: readonly Goal[];
      /** The state after the valid prefix. */
      readonly state: string;
    }
  /** The script contains something that the policy does not allow. */
  | { readonly kind: 'forbidden'; readonly what: string; readonly span: Span }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };
