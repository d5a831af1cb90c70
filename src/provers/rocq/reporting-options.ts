/**
 * Options of Rocq's compiler that say what it reports, what it writes beside the compiled file, and how it shares its work.
 * Nothing that is compiled depends on them, and who reads what the prover prints asks for it himself: a project is read
 * without them.
 */
import { entryAt } from '../../core/entry.ts';

const ALONE: ReadonlySet<string> = new Set([
  ...['-time', '-verbose', '-emacs', '-bt', '-debug', '-m', '-memory', '--memory', '-profile-ltac'],
  ...['-noglob', '-no-glob', '-stm-debug', '-async-proofs-full', '-async-proofs-never-reopen-branch'],
]);

/** A word follows each. */
const WITH_WORD: ReadonlySet<string> = new Set([
  ...['-time-file', '-profile', '-d', '-diffs', '-color', '-dump-glob'],
  ...['-async-proofs', '-async-proofs-cache', '-async-proofs-j', '-async-proofs-tac-j'],
  ...['-async-proofs-worker-priority', '-async-proofs-private-flags', '-async-proofs-delegation-threshold'],
  ...['-async-proofs-tactic-error-resilience', '-async-proofs-command-error-resilience'],
]);

export function withoutReporting(options: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < options.length; index += 1) {
    const option = entryAt(options, index, 'option');
    if (WITH_WORD.has(option)) index += 1;
    else if (!ALONE.has(option)) kept.push(option);
  }
  return kept;
}
