/** What the exit code of a run says, as docs/prove/command-line.md has it: the same as that of `quod prove`. */
import { foldRun, type RunState } from '../../../agent/runs/fold.ts';
import type { RunRecord } from '../../../agent/runs/events.ts';
import { tellsOfStop } from '../../../gate/verdict.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

/** @param allowOpen Whether a proof may rest on statements of its file that are open. */
export function exitCodeOfRun(
  outcome: RunState['outcome'],
  records: readonly RunRecord[],
  allowOpen: boolean,
): ExitCode {
  switch (outcome) {
    case 'proved':
      return stopsBehind(records) ? 1 : 0;
    case 'proved-but':
      return allowOpen && !stopsBehind(records) ? 0 : 1;
    case 'not-proved':
    case 'budget-exhausted':
      return 1;
    case 'not-judged':
    case 'failed':
    case 'open':
      return 2;
    case 'interrupted':
      return 130;
  }
}

/** Whether a file stops compiling behind what was proved in it: it proves nothing yet. */
function stopsBehind(records: readonly RunRecord[]): boolean {
  const theorems = foldRun(records)?.theorems.filter(({ proof }) => proof !== null);
  const warnings = theorems?.flatMap(({ grounds }) => grounds?.warnings).filter((text) => text !== undefined);
  return warnings?.some(tellsOfStop) === true;
}
