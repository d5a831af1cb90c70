/**
 * Chooses a Rocq: the one on the machine, because it is several times faster and has the installed libraries, else the
 * one inside Node. A backend is imported only when it is chosen.
 */
import { QuodError, errorText } from '../../core/errors.ts';
import type { Prover } from '../../core/prover.ts';

export const BACKENDS = ['coqidetop', 'embedded'] as const;

export type Backend = (typeof BACKENDS)[number];

export type BackendChoice = Backend | 'auto';

/** Starts nothing that stays. @throws QuodError `prover-missing`. */
export async function findRocq(choice: BackendChoice): Promise<Prover> {
  if (choice !== 'auto') return openBackend(choice);
  const reasons: string[] = [];
  for (const backend of BACKENDS) {
    try {
      return await openBackend(backend);
    } catch (error) {
      if (!(error instanceof QuodError) || error.reason !== 'prover-missing') throw error;
      reasons.push(error.message);
    }
  }
  throw new QuodError('prover-missing', `There is no Rocq that Quod can use: ${reasons.join(' ')}`, {
    remedy: 'Install one (`apt install coq`), or install Quod with its optional dependency `jscoq`.',
  });
}

async function openBackend(backend: Backend): Promise<Prover> {
  try {
    switch (backend) {
      case 'coqidetop':
        return await (await import('./coqidetop/adapter.ts')).createCoqidetop();
      case 'embedded':
        return await (await import('./embedded/adapter.ts')).createEmbeddedRocq();
    }
  } catch (error) {
    if (error instanceof QuodError) throw error;
    throw new QuodError('prover-missing', `${backend} cannot be used: ${errorText(error)}`, { cause: error });
  }
}
