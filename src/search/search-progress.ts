/** Tells how far the search of one theorem is: now and then while much is tried, and also while one tactic runs and nothing else happens. */
import type { ProveEvent } from './prove-request.ts';
import type { RunningStep } from './running-steps.ts';

const PROGRESS_EVERY_MS = 200;
/** A step that runs for longer is named; also how often it is told that one runs. */
const LONG_STEP_MS = 1000;

interface Told {
  readonly theorem: string;
  /** When the work on it began, in milliseconds of the process. */
  readonly since: number;
  /** What searches before this one tried. */
  readonly nodesBefore: number;
  readonly goalCount: number;
  readonly running: () => RunningStep | undefined;
  readonly onEvent: (event: ProveEvent) => void;
}

/** @param search Is given what it tells its progress to. */
export async function withProgress<Result>(
  { theorem, since, nodesBefore, goalCount, running, onEvent }: Told,
  search: (onProgress: (tried: number, bestGoalCount: number) => void) => Promise<Result>,
): Promise<Result> {
  let toldAt = performance.now();
  let latest = { tried: 0, bestGoalCount: goalCount };
  const tell = (): void => {
    toldAt = performance.now();
    const step = running();
    onEvent({
      ...{ kind: 'progress', theorem, elapsedMs: toldAt - since },
      nodes: nodesBefore + latest.tried,
      bestGoalCount: latest.bestGoalCount,
      ...(step !== undefined && step.elapsedMs >= LONG_STEP_MS && { running: step }),
    });
  };
  const heart = setInterval(tell, LONG_STEP_MS);
  try {
    return await search((tried, bestGoalCount) => {
      latest = { tried, bestGoalCount };
      if (performance.now() - toldAt >= PROGRESS_EVERY_MS) tell();
    });
  } finally {
    clearInterval(heart);
  }
}
