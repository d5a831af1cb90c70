/** Which provers this machine has, told by their files alone: nothing is started. */
import { findExecutable } from '../process/executable.ts';
import { locateFstar } from '../provers/fstar/discovery.ts';
import { findHol4 } from '../provers/hol4/discovery.ts';
import { findCoqidetop } from '../provers/rocq/coqidetop/adapter.ts';
import { findEmbeddedRocq } from '../provers/rocq/embedded/adapter.ts';
import { findPetanque } from '../provers/rocq/petanque/adapter.ts';

/** A prover by the area of the operations that need it. */
export type ProverArea = 'rocq' | 'lean' | 'hol' | 'fstar';

const LOOKS: Readonly<Record<ProverArea, () => boolean>> = {
  rocq: () => findCoqidetop() !== undefined || findPetanque() !== undefined || findEmbeddedRocq(),
  hol: () => findHol4() !== undefined,
  fstar: () => locateFstar() !== undefined,
  lean: () => findExecutable(['lean']) !== undefined,
};

/** In the order in which Quod names them. */
export const PROVER_AREAS = Object.keys(LOOKS) as readonly ProverArea[];

export function installedProvers(): readonly ProverArea[] {
  return PROVER_AREAS.filter((area) => LOOKS[area]());
}
