/** Values that a run gave to something, of which other files of the project may suppose what is not so. */
import type { FoundProof, TargetFile } from '../target.ts';
import type { RunContext } from './run-context.ts';

/** As sentences. */
export async function valuesElsewhere(
  { eventLog }: Pick<RunContext, 'eventLog'>,
  files: readonly TargetFile[],
): Promise<readonly string[]> {
  const said: (readonly string[])[] = [];
  for (const file of files) {
    const proofs = new Map<string, FoundProof>();
    for (const { theorem } of file.targets) {
      const ended = eventLog.recorded('theorem-ended', theorem);
      if (ended?.proof == null || ended.outcome === 'not-judged') continue;
      proofs.set(theorem, { proof: ended.proof, before: ended.before });
    }
    if (proofs.size > 0) said.push((await file.valuesElsewhere?.(proofs)) ?? []);
  }
  return said.flat();
}
