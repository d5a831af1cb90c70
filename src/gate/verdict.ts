/**
 * What the gate answers. A verdict is never a boolean: `accepted` says of which statements and what it rests on,
 * `rejected` says why with places and remedies, `unknown` says that nobody may conclude anything.
 */
import type { PrintedPosition } from '../core/position.ts';
import type { ReasonCode } from '../core/reason.ts';

/** The closed list of reasons to reject. docs/gate.md explains each with an example. */
export const FINDING_KINDS = {
  'statement-changed': 'A statement of the target means something else in the submission.',
  'definition-changed': 'A definition, inductive type or axiom of the target is different in the submission.',
  missing: 'A declaration of the target is not in the submission.',
  'new-axiom': 'The submission rests on an axiom that the policy does not allow.',
  admitted: 'A proof was left with Admitted, admit or give_up.',
  'unfinished-proof': 'A proof is open at its closing command or at the end of the file.',
  'checks-disabled': 'A kernel check (guard, positivity, universes) was switched off.',
  'does-not-compile': 'The prover refuses the submission.',
  'forbidden-command': 'The submission uses a command that the policy does not allow.',
  'new-dependency':
    'The submission requires a library that is not installed with the prover nor used by the target.',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

export interface Finding {
  readonly kind: FindingKind;
  readonly file: string;
  /** In the submission unless `file` is the target. Absent when the finding has no place in a text. */
  readonly position?: PrintedPosition;
  /** The declaration concerned, qualified by the modules inside the file. */
  readonly subject?: string;
  /** What is wrong. */
  readonly message: string;
  /** What the author can do about it. */
  readonly remedy: string;
}

export interface JudgedStatement {
  /** Qualified by the modules inside the file: `lemma` or `Module.lemma`. */
  readonly name: string;
  /** The axioms that the proof rests on, as full names; empty when it rests on none. */
  readonly assumptions: readonly string[];
  /** Statements of the same file that are still open and that this proof uses (judgeProof only). */
  readonly openStatements: readonly string[];
}

/** How it was made sure that the statements are those of the target. */
export type Pin =
  /** The submission is the target's text with proofs replaced by tactics and helper lemmas under fresh names added. */
  | 'text'
  /** The compiled kernel objects of target and submission were compared. */
  | 'compiled-objects';

export interface RestsOn {
  readonly prover: string;
  readonly backend: string;
  readonly targetSha256: string;
  readonly submissionSha256: string;
  readonly pinnedBy: readonly Pin[];
  /** SHA-256 of the compiled submission, when the backend compiles to files. */
  readonly compiledSha256?: string;
  readonly elapsedMs: number;
}

export type Verdict =
  | { readonly kind: 'accepted'; readonly statements: readonly JudgedStatement[]; readonly restsOn: RestsOn }
  | { readonly kind: 'rejected'; readonly findings: readonly Finding[]; readonly restsOn: RestsOn }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export interface GatePolicy {
  /**
   * Which axioms a proof may rest on: those declared in the target and in the libraries that the target requires
   * (`target`, the default), or exactly those named, by full name.
   */
  readonly axioms?: 'target' | readonly string[];
  /** The statements that must be proved; default: all holes of the target. */
  readonly theorems?: readonly string[];
  /** Milliseconds for each prover process. Default 600,000. */
  readonly timeoutMs?: number;
  /** Bytes of memory for each prover process. Default 8 GiB. */
  readonly memoryLimit?: number;
}
