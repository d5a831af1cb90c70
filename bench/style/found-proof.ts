/**
 * One line of bench/records/style-found.jsonl, which is kept with the sources: a proof as the search left it, before
 * it was rewritten for people.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ScriptTree } from '../../src/provers/rocq/syntax/script-tree.ts';

const RECORD = join(import.meta.dirname, '..', 'records', 'style-found.jsonl');

const scriptSchema: z.ZodType<ScriptTree> = z.lazy(() =>
  z.object({ sentences: z.array(z.string()), children: z.array(scriptSchema) }),
);

const foundProofSchema = z.object({
  /** Of this repository, or of what `coqc -where` prints. */
  source: z.string(),
  theorem: z.string(),
  script: scriptSchema,
});

export type FoundProof = z.output<typeof foundProofSchema>;

export function readFoundProofs(): FoundProof[] {
  if (!existsSync(RECORD)) return [];
  return readFileSync(RECORD, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => foundProofSchema.parse(JSON.parse(line)));
}

/** In the place of what the record had of these sources. */
export function recordFoundProofs(sources: readonly string[], proofs: readonly FoundProof[]): void {
  const kept = readFoundProofs().filter(({ source }) => !sources.includes(source));
  const lines = [...kept, ...proofs].map((proof) => `${JSON.stringify(proof)}\n`);
  writeFileSync(RECORD, lines.join(''));
}
