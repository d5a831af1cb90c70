/** What every answer in JSON begins with: the file it is about and the prover that gave it. */
import type { ProverIdentity } from '../../../core/prover.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';

export function restsOn(source: SourceFile, prover: ProverIdentity) {
  return {
    file: source.name,
    fileHash: source.hash,
    prover: prover.prover,
    proverVersion: prover.version,
    backend: prover.backend,
  };
}
