/**
 * The end of a run whose process was stopped from outside and did not record one in the time that it had, on a busy
 * machine for instance. Whoever stopped it records the end for it, when the process is gone.
 */
import { foldRun } from '../../agent/runs/fold.ts';
import { readRun, RunLog } from '../../agent/runs/run-log.ts';
import { endOfStopped } from '../../agent/workflow/conclusion.ts';
import { QuodError } from '../../core/errors.ts';

/** Nothing where it has recorded its end, or its log can neither be read nor written. */
export function recordStopped(runs: string, name: string): void {
  try {
    if (foldRun(readRun(runs, name))?.outcome !== 'open') return;
    const log = RunLog.reopen(runs, name);
    try {
      // Somebody may have gone on with it since.
      const state = foldRun(log.past);
      if (state?.outcome !== 'open') return;
      log.append(endOfStopped(state.theorems));
    } finally {
      log.close();
    }
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
  }
}
