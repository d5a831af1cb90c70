/** What a run wrote may be undone while it works, or before it is resumed: what is in the files counts, and is told. */
import type { TargetFile } from '../target.ts';
import type { RunContext } from './run-context.ts';

/** Theorems whose proofs were written and are not there any more, and those of them that this part of the run wrote. */
export async function takenOutOf({ eventLog, judgedFiles }: RunContext, files: readonly TargetFile[]) {
  const isHere = (theorem: string): boolean => eventLog.recorded('written', theorem) !== undefined;
  const before = new Set(eventLog.past.flatMap(({ event }) => (event.kind === 'written' ? [event.key] : [])));
  const written = files.flatMap(({ targets }) => targets.map(({ theorem }) => theorem));
  const takenOut = await judgedFiles.takenOut(written.filter((one) => before.has(one) || isHere(one)));
  return { takenOut, undone: takenOut.filter(isHere) };
}
