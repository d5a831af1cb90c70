/** Checks a file with the prover that it is written for, told by its name. The report has the same shape for all. */
import { basename } from 'node:path';
import { QuodError } from '../core/errors.ts';
import type { ProverIdentity } from '../core/prover.ts';
import { type BackendChoice, findRocq } from '../provers/rocq/discovery.ts';
import { checkFile } from './check-file.ts';
import type { CheckReport } from './check-report.ts';
import { checkModule } from './fstar/check-module.ts';
import { checkScript } from './hol4/check-script.ts';

export interface SourceCheckRequest {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** For Rocq only. */
  readonly backend: BackendChoice;
  /** Milliseconds for each sentence or declaration. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface CheckedSource {
  readonly identity: ProverIdentity;
  readonly report: CheckReport;
  /** What the file is cut into. */
  readonly unit: 'sentence' | 'declaration';
}

/** @throws QuodError `prover-missing`, `invalid-input`, and as starting the prover does. */
export async function checkSource({ backend, ...request }: SourceCheckRequest): Promise<CheckedSource> {
  const name = basename(request.file);
  if (/\.fsti?$/u.test(name)) return { ...(await checkModule(request)), unit: 'declaration' };
  if (name.endsWith('Script.sml')) return { ...(await checkScript(request)), unit: 'declaration' };
  if (name.endsWith('.sml')) {
    throw new QuodError('invalid-input', 'This is Standard ML, but no script of a HOL4 theory.', {
      place: { file: request.file },
      remedy: 'Name a file that ends in Script.sml.',
    });
  }
  const prover = await findRocq(backend, { errorPlaces: true });
  return { identity: prover.identity, report: await checkFile({ ...request, prover }), unit: 'sentence' };
}
