/** How a whole buffer is checked; one implementation for each version of the protocol. */
import type { FstarIssue, TacticState } from '../protocol/answers.ts';
import type { FullBufferKind } from '../protocol/queries.ts';
import type { Lost } from '../../../core/driver.ts';
import type { CheckProgress, CutText, Fragment } from './report.ts';

export interface Checked {
  readonly status: 'finished' | 'interrupted';
  /** One for each declaration, in order. */
  readonly fragments: readonly Fragment[];
  readonly issues: readonly FstarIssue[];
  readonly states: readonly TacticState[];
  readonly texts: readonly { readonly level: string; readonly text: string }[];
  readonly dropped: number;
}

export interface BufferChecker {
  /** Fragments already reported are in the answer also when the process is lost: `partial`. */
  check(
    cut: CutText,
    check: FullBufferKind,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<Checked | { readonly status: 'lost'; readonly loss: Lost; readonly partial: Checked }>;
}
