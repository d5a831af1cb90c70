/**
 * Attacks on the judge of HOL4 as files that anybody can read and add to (`attacks/README.md` says how): scripts
 * that are built, and traces that the kernel replays. The folder is the class, the file's name is the attack's.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { REASON_CODES } from '../../../core/reason.ts';
import { policySchema } from '../../policy.ts';
import { attacksIn, commaSeparated, jsonField, type AttackPlace } from '../../testing/attack-folder.ts';
import { FINDING_KINDS } from '../../verdict.ts';
import { REFUSALS } from '../kernel/refusal.ts';

const oneOf = (...lists: readonly object[]) =>
  commaSeparated.pipe(z.array(z.enum(lists.flatMap((list) => Object.keys(list)))));

const submissions = { cheat: z.string(), innocent: z.string() };

const scriptSchema = z.strictObject({
  /** A finding of the gate, or the reason why nothing may be concluded; one of several is enough. */
  expectation: oneOf(FINDING_KINDS, REASON_CODES),
  /** What the scan of the text says; it says nothing where this is missing. */
  scanned: z.enum(Object.keys(FINDING_KINDS) as [string, ...string[]]).optional(),
  policy: jsonField.pipe(policySchema).default({}),
  target: z.string(),
  ...submissions,
});

const traceSchema = z.strictObject({
  /** A code of the kernel, or the reason why nothing may be concluded. */
  expectation: oneOf(REFUSALS, REASON_CODES),
  policy: jsonField
    .pipe(
      z.strictObject({
        /** The theorems to be proved, where others of the target may stay open. */
        wanted: z.array(z.string()).optional(),
        /** Whether what the target asserts as axioms may be asserted again. */
        allowsTargetAxioms: z.boolean().default(true),
      }),
    )
    .default({ allowsTargetAxioms: true }),
  target: z.string().optional(),
  /** A theory that lies below, of the attacker's making or not. */
  below: z.string().optional(),
  /** What stands below in the innocent case, where it cannot be the same. */
  'innocent below': z.string().optional(),
  ...submissions,
});

export type ScriptAttack = AttackPlace & z.output<typeof scriptSchema>;
export type TraceAttack = AttackPlace & z.output<typeof traceSchema>;

const ATTACKS = join(import.meta.dirname, 'attacks');

export function readScriptAttacks(): ScriptAttack[] {
  return attacksIn(join(ATTACKS, 'scripts'), scriptSchema);
}

export function readTraceAttacks(): TraceAttack[] {
  return attacksIn(join(ATTACKS, 'traces'), traceSchema);
}
