/**
 * Attacks on what writes proofs into files, as data: `proof-attacks/*.json`, one file for a class. An attack is a
 * proof of a statement of a file that must not be taken for one; its twin uses the same means honestly and must be
 * accepted. New ones need no code.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** In a file, `$` stands for the statement. */
const FILE = 'Lemma t : $.\nAdmitted.\n\nLemma next : 1 = 1.\nProof. reflexivity. Qed.\n';
const NOT_TRUE = 'forall n : nat, n = S n';
const TRUE = 'forall n : nat, n = n';

const side = { file: z.string().default(FILE), proof: z.string() };

const pairSchema = z.strictObject({
  name: z.string(),
  theorem: z.string().default('t'),
  attack: z.strictObject({
    ...side,
    /** By default it cannot be proved at all. */
    statement: z.string().default(NOT_TRUE),
    /** What the operations make of it. */
    expect: z.enum(['refused', 'proved-but']),
    restsOnOpen: z.array(z.string()).default([]),
    /** What the gate makes of it when nobody reads the text before: `sound` proves the statement and nothing false. */
    gate: z.enum(['refused', 'sound']).default('refused'),
  }),
  twin: z.strictObject({ ...side, statement: z.string().default(TRUE) }),
});

const classSchema = z.strictObject({ about: z.string(), pairs: z.array(pairSchema).min(1) });

export type ProofAttack = z.output<typeof pairSchema> & { readonly class: string };

export function readProofAttacks(): readonly ProofAttack[] {
  const folder = join(import.meta.dirname, 'proof-attacks');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const { pairs } = classSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
      return pairs.map((pair) => ({ ...pair, class: name.replace(/\.json$/u, '') }));
    });
}

export function fileText({ file, statement }: { readonly file: string; readonly statement: string }): string {
  return file.replaceAll('$', statement);
}
