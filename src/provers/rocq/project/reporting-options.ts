/**
 * Options of Rocq's compiler that say what it reports, what it writes beside the compiled file, and how it shares its work.
 * Nothing that is compiled depends on them, and who reads what the prover prints asks for it himself: a project is read
 * without them.
 */
import { withoutOptions } from './without-options.ts';

const ALONE: readonly string[] = [
  ...['-time', '-verbose', '-emacs', '-bt', '-debug', '-m', '-memory', '--memory', '-profile-ltac'],
  ...['-noglob', '-no-glob', '-stm-debug', '-async-proofs-full', '-async-proofs-never-reopen-branch'],
];

/** A word follows each. */
const WITH_WORD: readonly string[] = [
  ...['-time-file', '-profile', '-d', '-diffs', '-color', '-dump-glob'],
  ...['-async-proofs', '-async-proofs-cache', '-async-proofs-j', '-async-proofs-tac-j'],
  ...['-async-proofs-worker-priority', '-async-proofs-private-flags', '-async-proofs-delegation-threshold'],
  ...['-async-proofs-tactic-error-resilience', '-async-proofs-command-error-resilience'],
];

const REPORTING: ReadonlyMap<string, number> = new Map([
  ...ALONE.map((option) => [option, 0] as const),
  ...WITH_WORD.map((option) => [option, 1] as const),
]);

export function withoutReporting(options: readonly string[]): readonly string[] {
  return withoutOptions(options, REPORTING);
}
