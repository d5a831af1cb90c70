/**
 * Attacks on the check of exports as files that anybody can read and add to (`attacks/README.md` says how). The
 * folder is the class, the file's name is the attack's.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { REASON_CODES } from '../../../core/reason.ts';
import { attacksIn, commaSeparated, jsonField, type AttackPlace } from '../../testing/attack-folder.ts';
import { FINDING_KINDS } from '../../verdict.ts';

const attackSchema = z.strictObject({
  /** A finding, or the reason why nothing may be concluded; one of several is enough. */
  expectation: commaSeparated.pipe(
    z.array(z.enum([...Object.keys(FINDING_KINDS), ...Object.keys(REASON_CODES)])),
  ),
  policy: jsonField
    .pipe(
      z.strictObject({
        /** Asked for, by their full names; none asks for everything. */
        theorems: z.array(z.string()).default(['t']),
        axioms: z.array(z.string()).optional(),
      }),
    )
    .default({ theorems: ['t'] }),
  target: z.string().optional(),
  cheat: z.string(),
  innocent: z.string(),
});

export type ExportAttack = AttackPlace & z.output<typeof attackSchema>;

/** @throws Error that names the file, when it is not in the form that `attacks/README.md` describes. */
export function readExportAttacks(): ExportAttack[] {
  return attacksIn(join(import.meta.dirname, 'attacks', 'exports'), attackSchema);
}
