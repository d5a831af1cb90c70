/** Finds the step at which the proof of a theorem fails, by executing it step by step: logs of a build do not say. */
import type { PrintedPosition } from '../../core/position.ts';
import type { Goal } from '../../core/proof-state.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import type { FileReplay, ReplayLimits } from './file-replay.ts';

export interface FailedStep {
  readonly position: PrintedPosition;
  readonly tactic: string;
  readonly message: string;
  /** The goals before it. */
  readonly goals: readonly Goal[];
}

/**
 * Undefined when the theorem is not found or every step of it goes through, as it can when goals are left at the
 * end.
 */
export async function findFailedStep(
  replay: FileReplay,
  path: string,
  theorem: string,
  limits: ReplayLimits,
): Promise<FailedStep | undefined> {
  const script = parseScript(await readRegularText(path));
  const found = script.theorems.find(({ name, proof }) => name === theorem && proof !== undefined);
  if (found === undefined) return undefined;
  const place = await replay.proofOf(script, found, script.text.length, limits);
  return place.kind === 'broken' ? place : undefined;
}
