/**
 * Whether all that another program proved still stands. Its files may be anything by now: they are compared with what they
 * were when the run began, as after each turn.
 */
import { dirname } from 'node:path';
import type { RunState } from '../runs/fold.ts';
import type { TargetFile } from '../target.ts';
import type { JudgedFiles } from '../workflow/judged-files.ts';
import { stoppable } from '../workflow/run-context.ts';
import { BesideReader, changedBeside, touchedBetween } from './project-beside.ts';

/** @param proofs as they are recorded, by theorem. */
export async function standsAsProved(
  { before, proofs }: { readonly before: RunState; readonly proofs: ReadonlyMap<string, string> },
  files: readonly TargetFile[],
  judgedFiles: JudgedFiles,
  signal: AbortSignal,
): Promise<boolean> {
  if (before.task === null || before.beside === undefined) return false;
  const own = files.map(({ file }) => file);
  const reader = new BesideReader({ folder: dirname(before.task.file), files: own });
  const stood = before.beside;
  const isChanged = async (): Promise<boolean> =>
    changedBeside(stood, await reader.read(stood), own).length > 0;
  if (await isChanged()) return false;
  const stamps = reader.stamps();
  const originals = new Map(before.files.map(({ file, text }) => [file, text]));
  for (const one of files) {
    const original = originals.get(one.file);
    if (original === undefined || original === '') return false;
    const { clean, accepted, apart, bytes } = await stoppable(
      signal,
      (stop) => one.compare(original, stop),
      ({ unjudged, findings }) => unjudged.length === 0 && findings.length === 0,
    );
    const standing = new Map(accepted.map(({ theorem, proof }) => [theorem, proof]));
    const isAll = one.targets.every(
      ({ theorem }) => proofs.has(theorem) && standing.get(theorem) === proofs.get(theorem),
    );
    if (!clean || !isAll || apart !== undefined) return false;
    if (bytes !== undefined) judgedFiles.judged(one.file, bytes);
  }
  return !(await isChanged()) && touchedBetween(stamps, reader.stamps(), own).length === 0;
}
