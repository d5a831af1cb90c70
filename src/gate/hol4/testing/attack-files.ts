/**
 * Attacks on the judge of HOL4 as files that anybody can read and add to (`attacks/README.md` says how): scripts
 * that are built, and traces that the kernel replays. The folder is the class, the file's name is the attack's.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { REASON_CODES } from '../../../core/reason.ts';
import { policySchema } from '../../policy.ts';
import { parseSectioned } from '../../testing/sectioned-file.ts';
import { FINDING_KINDS } from '../../verdict.ts';
import { REFUSALS } from '../kernel/refusal.ts';

const commaSeparated = z.string().transform((text) => text.split(/,\s*/));

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON on one line' });
    return z.NEVER;
  }
});

const oneOf = (...lists: readonly object[]) =>
  commaSeparated.pipe(z.array(z.enum(lists.flatMap((list) => Object.keys(list)))));

const submissions = { cheat: z.string(), innocent: z.string() };

const scriptSchema = z.strictObject({
  /** A finding of the gate, or the reason why nothing may be concluded; one of several is enough. */
  expectation: oneOf(FINDING_KINDS, REASON_CODES),
  /** What the scan of the text says; it says nothing where this is missing. */
  scanned: z.enum(Object.keys(FINDING_KINDS) as [string, ...string[]]).optional(),
  policy: json.pipe(policySchema).default({}),
  target: z.string(),
  ...submissions,
});

const traceSchema = z.strictObject({
  /** A code of the kernel, or the reason why nothing may be concluded. */
  expectation: oneOf(REFUSALS, REASON_CODES),
  policy: json
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

interface Place {
  readonly name: string;
  /** The folder. */
  readonly group: string;
}

export type ScriptAttack = Place & z.output<typeof scriptSchema>;
export type TraceAttack = Place & z.output<typeof traceSchema>;

export function readScriptAttacks(): ScriptAttack[] {
  return attacksIn('scripts', scriptSchema);
}

export function readTraceAttacks(): TraceAttack[] {
  return attacksIn('traces', traceSchema);
}

/** @throws Error that names the file, when it is not in the form that `attacks/README.md` describes. */
function attacksIn<Content>(kind: string, schema: z.ZodType<Content>): (Place & Content)[] {
  const root = join(import.meta.dirname, 'attacks', kind);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.attack'))
    .toSorted()
    .map((path) => {
      try {
        const { head, sections } = parseSectioned(readFileSync(join(root, path), 'utf8'));
        const content = schema.parse({ ...Object.fromEntries(head), ...Object.fromEntries(sections) });
        return { ...content, name: basename(path, '.attack'), group: relative('.', dirname(path)) };
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    });
}
