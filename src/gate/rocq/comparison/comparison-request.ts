/** What a comparison of two compiled files is asked, and what it tells of differences. */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import type { ComparisonWork } from './comparison-work.ts';

export interface Difference {
  readonly kind:
    'statement-changed' | 'definition-changed' | 'missing' | 'undefined' | 'checks-disabled' | 'added';
  /** Qualified by the modules inside the file. */
  readonly subject: string;
  readonly message: string;
}

export interface ComparisonRequest {
  readonly target: CompiledFile;
  readonly submission: CompiledFile;
  /** All that is compared for one verdict shares it. */
  readonly work: ComparisonWork;
  /** Statements of the target without a proof in `target`, which must have one in the submission. */
  readonly provable: (name: string) => boolean;
  /** Statements that stay open: in the submission they may have a proof or none. */
  readonly open: (name: string) => boolean;
  /** Whether a polymorphic statement says all that it demands of its universe levels (`t@{u | }`). */
  readonly demandsAll: (name: string) => boolean;
  /** What a sentence of the target states under this very name, so that it is no obligation that `Program` names. */
  readonly stated?: (name: string) => boolean;
  /** Definitions whose value the submission chooses. */
  readonly mayChange?: (name: string) => boolean;
  /** What the submission may declare that the target does not. Default: anything. */
  readonly mayAdd?: (name: string) => boolean;
  /**
   * Where the submission is the target with proofs in sections that use fewer variables: what may be generalised over fewer, and be no
   * other where nothing but that differs. What is taken for granted may not: it would say more.
   */
  readonly mayTakeFewer?: (name: string) => boolean;
  /** Kernel checks that additions may do without, and what the libraries that they require may extend. */
  readonly unchecked?: ReadonlySet<UncheckedFlag>;
}

export type UncheckedFlag =
  'unchecked-guard' | 'unchecked-positivity' | 'unchecked-universes' | 'rewrite-rules';

export const NO_FLAGS: ReadonlySet<UncheckedFlag> = new Set();

export type Report = (kind: Difference['kind'], subject: string, message: string) => void;
