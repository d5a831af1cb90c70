/**
 * What the check of a whole file found: the same for all provers, whose files are cut into sentences or
 * declarations.
 */
import { z } from 'zod';
import { counted, someOf } from '../../core/counted.ts';
import type { Span } from '../../core/position.ts';
import type { Goal } from '../../core/proof-state.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { holdsSoFar } from '../definition/cut-off.ts';
import type { Saying } from '../definition/operation.ts';

export interface CheckError {
  /** Where in the file; the sentence when the prover gave no closer place. */
  readonly span: Span;
  readonly message: string;
  /** When the sentence was not refused but could not be judged. */
  readonly reason?: ReasonCode;
  /** The earlier definition that failed and is missing here, or the library that was required in vain before. */
  readonly follows?: string;
  readonly remedy?: string;
  /** The goals in focus where the error stands; absent outside of a proof. */
  readonly goals?: readonly Goal[];
}

export interface TimedSpan {
  readonly span: Span;
  readonly elapsedMs: number;
}

export interface FoundHole {
  /** The statement or definition that the hole leaves open. */
  readonly theorem: string;
  /** What leaves it open: `admitted`, `cheat`, `assume`, … */
  readonly kind: string;
  readonly span: Span;
  /** It is one more gap in what an earlier hole leaves open. */
  readonly isFurther?: boolean;
}

/** How many are open, however many gaps each of them has. */
export function openAmong(holes: readonly Pick<FoundHole, 'isFurther'>[]): number {
  return holes.filter(({ isFurther }) => isFurther !== true).length;
}

/** Of a language in which no two declarations of a file have one name. @param holes In the order of the text. */
export function gapsByName(holes: readonly FoundHole[]): readonly FoundHole[] {
  return holes.map((hole, at) =>
    holes[at - 1]?.theorem === hole.theorem ? { ...hole, isFurther: true } : hole,
  );
}

/** For people: a hole is what is open, and may have several gaps. */
export function holesText(open: number, gaps: number): string {
  return counted(open, 'hole') + (gaps > open ? ` (${gaps} places to fill)` : '');
}

/** Behind what a file may do and a proof may not. */
export const NO_JUDGEMENT = 'That a file compiles is no judgement: the gate says what a proof rests on';

/** For people. */
export function assumesText(assumed: readonly string[], say: Saying): string {
  return `It assumes ${someOf(assumed)}. ${NO_JUDGEMENT} (${say('`gate_verify`')}).`;
}

/** What the file declares without a proof for good, in the answers of operations. */
export const assumedSchema = z
  .array(z.string())
  .describe(
    'What the file declares without a proof for good (`Axiom`, `Parameter`, `Declare Instance`) or conjectures, as Rocq names it at the end of a file without errors.',
  );

/** Why a prover did not come to the end of a part of a file: it was neither accepted nor refused. */
const CUT_OFF: ReadonlySet<string> = new Set<ReasonCode>([
  'timeout',
  'interrupted',
  'memory-exceeded',
  'prover-crashed',
  'protocol-error',
]);

/** For people: how many errors there are of themselves, and how many follow from others. */
export function errorsText(own: number, following: number): string {
  return counted(own, 'error') + (following === 0 ? '' : ` and ${following} that follow`);
}

interface ToldError {
  readonly reason?: string | null | undefined;
  readonly follows?: string | null | undefined;
}

/** Whether it says of a part of the file that it was not looked at to its end. */
export function isCutOff({ reason }: ToldError): boolean {
  return typeof reason === 'string' && CUT_OFF.has(reason);
}

export interface WholeCheck {
  readonly errors: readonly ToldError[];
  readonly holes: readonly unknown[];
  readonly partial: boolean;
}

/**
 * Whether the file holds; null where that cannot be told: not all of it was looked at, or what it requires is not
 * compiled from the sources as they are.
 */
export function holdsOf({ errors, holes, partial }: WholeCheck, stale: readonly string[]): boolean | null {
  const isRefused = (error: ToldError): boolean => !isCutOff(error) && typeof error.follows !== 'string';
  const soFar = holdsSoFar({
    isRefused: errors.some(isRefused),
    isCutOff: partial || errors.length > 0,
  });
  if (soFar !== true) return soFar ?? null;
  if (holes.length > 0) return false;
  return stale.length > 0 ? null : true;
}

/** For people: why a file without errors may not compile. Nothing where what it requires is compiled as it is. */
export function staleText(
  { errors }: Pick<WholeCheck, 'errors'>,
  stale: readonly string[],
  say: Saying,
): string | undefined {
  if (stale.length === 0 || errors.length > 0) return undefined;
  return `It was checked against older files: ${someOf(stale)} changed since it was compiled. ${say('Compile again (`proof_build`), then check.')}`;
}

export interface CheckReport {
  readonly errors: readonly CheckError[];
  readonly holes: readonly FoundHole[];
  readonly warnings: readonly { readonly span: Span; readonly message: string }[];
  /** What the file declares without a proof and nobody is asked to prove, as its prover names it. Of provers that are not asked: absent. */
  readonly assumed?: readonly string[];
  /** Sentences or declarations that were run, accepted or not. */
  readonly times: readonly TimedSpan[];
  /** Those that were left out to recover from an error. */
  readonly skipped: number;
  /** The check was stopped or the prover was lost: what stands after `times` was not looked at. */
  readonly partial: boolean;
}
