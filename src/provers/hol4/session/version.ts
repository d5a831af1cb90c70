/** HOL's version, which it tells only in its greeting. */
import { QuodError } from '../../../core/errors.ts';
import type { ProverIdentity } from '../../../core/prover.ts';

/** `Trindemossen 2` out of `HOL4 [Trindemossen 2 (stdknl, built …)]`. @throws QuodError `prover-missing`. */
export function readHolVersion(banner: string): string {
  const version = /HOL4 \[([^(\]]+?)\s*(?:\(|\])/.exec(banner)?.[1];
  if (version !== undefined) return version;
  throw new QuodError('prover-missing', `HOL greets without a version: ${banner.trim().slice(0, 200)}`);
}

/** @throws QuodError `prover-missing` when the greeting is not HOL's. */
export function identityOfHol(executable: string, banner: string): ProverIdentity {
  return { prover: 'hol4', backend: 'hol', version: readHolVersion(banner), location: executable };
}
