import type { Span } from './position.ts';

export type Severity = 'error' | 'warning' | 'notice' | 'info' | 'debug';

/** Something a prover said about a piece of text. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly message: string;
  /** UTF-16 offsets into the text that was run; absent when the prover gave no place. */
  readonly span?: Span;
}
