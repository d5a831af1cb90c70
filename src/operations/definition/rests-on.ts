/** What every answer rests on, in one shape for all operations: which prover said it, about which text. */
import { z } from 'zod';
import type { ProverIdentity } from '../../core/prover.ts';

export const restsOnSchema = z.object({
  prover: z.string().describe('rocq, lean, fstar or hol4'),
  version: z.string().describe('As the prover prints it.'),
  backend: z.string().describe('The adapter that was used.'),
  file: z.string().nullable().describe('The file that the answer is about, relative to the workspace.'),
  file_hash: z.string().nullable().describe('SHA-256 of the bytes of the file when it was read.'),
  stale: z
    .array(z.string())
    .describe('Dependencies that are newer than what was compiled from them; empty when none is.'),
});

export type RestsOn = z.output<typeof restsOnSchema>;

/** For who keeps an answer and asks later whether it is still what would come of the same question. */
export const madeWithSchema = z.object({
  ...restsOnSchema.shape,
  libraries: z
    .string()
    .describe(
      'Names the prover, what the project tells it, and what is compiled of the sources that the file requires: another when any is another. A compiled file that has no source is not in it.',
    ),
});

export type MadeWith = z.output<typeof madeWithSchema>;

export function restsOn(
  identity: ProverIdentity,
  source: { readonly file: string; readonly hash: string } | null,
  stale: readonly string[] = [],
): RestsOn {
  return {
    prover: identity.prover,
    version: identity.version,
    backend: identity.backend,
    file: source?.file ?? null,
    file_hash: source?.hash ?? null,
    stale: [...stale],
  };
}
