/**
 * What the kernel alone is asked about a file, and what it answers: data only, so that it can be sent between
 * threads.
 */
import type { ReasonCode } from '../../core/reason.ts';
import type { Finding } from '../verdict.ts';
import type { AllowedAxioms, AllowedByName, CheckedStatement } from './asked-statements.ts';
import type { ExportOrigin } from './export/read-ndjson.ts';

export interface KernelCheckRequest {
  readonly path: string;
  /**
   * Full names of theorems that must be there. Without any, all constants of the file are asked for; then nothing
   * tells whether the file is whole.
   */
  readonly theorems?: readonly string[];
  /** Default: the three standard ones. */
  readonly axioms?: AllowedAxioms;
  /** Steps of the kernel for one declaration. */
  readonly steps?: number;
}

export interface KernelCheck {
  readonly kind: 'accepted' | 'rejected' | 'unknown';
  /** Why it was rejected; of the kernel's refusals only the first. */
  readonly findings: readonly Finding[];
  /** Why nothing may be concluded. */
  readonly reason: ReasonCode | undefined;
  readonly message: string | undefined;
  /** How many were accepted before the end or the problem. */
  readonly declarations: number;
  readonly constants: number;
  /** The theorems that were asked for; when none were, the first of all. */
  readonly statements: readonly CheckedStatement[];
  readonly theoremCount: number;
  /** Axioms that the file declares, whether anything rests on them or not. */
  readonly declaredAxioms: readonly string[];
  /** What allowed axioms besides the standard ones say: they were allowed by their names. */
  readonly allowedByName: readonly AllowedByName[];
  /** Unsafe and partial constants: not checked, and nothing that was checked rests on them. */
  readonly unchecked: readonly string[];
  /** The two terms that should be equal and are not, when that is why the kernel refused. */
  readonly terms: readonly [string, string] | undefined;
  /** What an export says about itself. */
  readonly origin: ExportOrigin | undefined;
  /** Of the file as it was read; undefined when a problem stopped the reading. */
  readonly sha256: string | undefined;
  readonly targetSha256: string | undefined;
  /** Imported modules that were checked, and those that were taken as they are. */
  readonly checkedModules: readonly string[];
  readonly trustedModules: readonly string[];
}

/** A check of which nothing is known yet. */
export const NOTHING_CHECKED = {
  findings: [],
  reason: undefined,
  message: undefined,
  declarations: 0,
  constants: 0,
  statements: [],
  theoremCount: 0,
  declaredAxioms: [],
  allowedByName: [],
  unchecked: [],
  terms: undefined,
  origin: undefined,
  sha256: undefined,
  targetSha256: undefined,
  checkedModules: [],
  trustedModules: [],
} as const satisfies Omit<KernelCheck, 'kind'>;

/** How many theorems are listed when none were asked for. */
export const MOST_LISTED = 100;
