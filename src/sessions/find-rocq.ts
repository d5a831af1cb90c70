/**
 * Chooses a Rocq: one on the machine, because it is several times faster and has the installed libraries, else the one
 * inside Node. A backend is imported only when it is considered. docs/decisions/petanque.md has the measurements behind
 * the order.
 */
import { QuodError, errorText } from '../core/errors.ts';
import type { Prover } from '../core/prover.ts';
import { replayedProver } from './replayed-prover.ts';

export const BACKENDS = ['coqidetop', 'petanque', 'embedded'] as const;

export type Backend = (typeof BACKENDS)[number];

export type BackendChoice = Backend | 'auto';

export interface RocqNeeds {
  /** Errors must say which part of the sentence they are about. */
  readonly errorPlaces?: boolean;
}

/**
 * Starts nothing that stays. `auto` takes petanque, the fastest, unless it lacks what is needed or its Rocq is another
 * one than that of coqidetop, which is the one that compiles. @throws QuodError `prover-missing`.
 */
export async function findRocq(choice: BackendChoice, needs: RocqNeeds = {}): Promise<Prover> {
  if (choice !== 'auto') return openBackend(choice);
  const reasons: string[] = [];
  const look = async (backend: Backend): Promise<Prover | undefined> => {
    try {
      return await openBackend(backend);
    } catch (error) {
      if (!(error instanceof QuodError) || error.reason !== 'prover-missing') throw error;
      reasons.push(error.message);
      return undefined;
    }
  };
  const coqidetop = await look('coqidetop');
  const petanque = await look('petanque');
  const takesPetanque =
    petanque !== undefined &&
    (coqidetop === undefined || (needs.errorPlaces !== true && isSameRocq(petanque, coqidetop)));
  const found = takesPetanque ? petanque : (coqidetop ?? (await look('embedded')));
  if (found !== undefined) return found;
  throw new QuodError('prover-missing', `There is no Rocq that Quod can use: ${reasons.join(' ')}`, {
    remedy: 'Install one (`apt install coq`), or install Quod with its optional dependency `jscoq`.',
  });
}

function isSameRocq(one: Prover, other: Prover): boolean {
  return one.identity.version === other.identity.version;
}

async function openBackend(backend: Backend): Promise<Prover> {
  try {
    switch (backend) {
      case 'coqidetop':
        return replayedProver(await (await import('../provers/rocq/coqidetop/adapter.ts')).createCoqidetop());
      case 'petanque':
        return replayedProver(await (await import('../provers/rocq/petanque/adapter.ts')).createPetanque());
      case 'embedded':
        return replayedProver(
          await (await import('../provers/rocq/embedded/adapter.ts')).createEmbeddedRocq(),
        );
    }
  } catch (error) {
    if (error instanceof QuodError) throw error;
    throw new QuodError('prover-missing', `${backend} cannot be used: ${errorText(error)}`, { cause: error });
  }
}
