/** What an accepted proof rests on that a machine checked which the policy allows to no proof. It only warns. */
import type { GatePolicy } from '../../policy.ts';
import type { Warning } from '../../verdict.ts';
import { SpokenNames } from '../comparison/spoken-names.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { insideOf, libraryOf } from '../compiled/module-paths.ts';
import { machinesByPart } from '../compiled/proof-casts.ts';
import { GroundsReached } from '../compiled/reached-grounds.ts';
import type { RequiredLibraries } from '../libraries/required-libraries.ts';
import { deniedIn, keysOf, MACHINES } from '../machine-findings.ts';

/**
 * What proofs that are accepted rest on all the same: statements of the target that are finished, types, and what the submission copied of these, that a
 * machine checked which the policy allows to no proof.
 *
 * @param names of the statements that are proved. @param libraries of the submission.
 */
export async function machineWarnings(
  { target, submission }: { readonly target: CompiledFile; readonly submission: CompiledFile },
  names: readonly string[],
  libraries: Pick<RequiredLibraries, 'findForeign' | 'all'>,
  policy: GatePolicy,
): Promise<readonly Warning[]> {
  const denied = deniedIn(submission, policy);
  if (denied.length === 0) return [];
  const grounds = new GroundsReached(submission, libraries.findForeign, libraries.all);
  const behindModules = new SpokenNames(submission);
  const parts = [...machinesByPart(submission)];
  const ofTarget = new Set([...machinesByPart(target)].flatMap(keysOf));
  const warnings: Warning[] = [];
  for (const name of names) {
    const { mentioned } = await grounds.of(name);
    const reached = new Set([
      ...[...mentioned].filter((full) => libraryOf(full) === grounds.own).map((full) => insideOf(full)),
      // What a signature hides, too.
      ...behindModules.reachedFrom(name, () => true),
    ]);
    for (const machine of denied) {
      const by = parts
        .filter(({ machines }) => machines.has(machine))
        .flatMap((part) => part.names.find((one) => reached.has(one)) ?? []);
      const where = Map.groupBy(new Set(by), (one) => (ofTarget.has(one) ? 'target' : 'submission'));
      for (const [place, those] of where)
        warnings.push({
          kind: 'machine-checked',
          message: `${name} rests on what ${MACHINES[machine].what} checked in the ${place} (${those.join(', ')}), which the policy allows to no proof.`,
        });
    }
  }
  return warnings;
}
