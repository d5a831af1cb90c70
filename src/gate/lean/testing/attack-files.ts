/**
 * Attacks on the check of exports as files that anybody can read and add to (`attacks/README.md` says how). The
 * folder is the class, the file's name is the attack's.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { REASON_CODES } from '../../../core/reason.ts';
import { parseSectioned } from '../../testing/sectioned-file.ts';
import { FINDING_KINDS } from '../../verdict.ts';

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON on one line' });
    return z.NEVER;
  }
});

const attackSchema = z.strictObject({
  /** A finding, or the reason why nothing may be concluded; one of several is enough. */
  expectation: z
    .string()
    .transform((text) => text.split(/,\s*/))
    .pipe(z.array(z.enum([...Object.keys(FINDING_KINDS), ...Object.keys(REASON_CODES)]))),
  policy: json
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

export type ExportAttack = z.output<typeof attackSchema> & { readonly name: string; readonly group: string };

/** @throws Error that names the file, when it is not in the form that `attacks/README.md` describes. */
export function readExportAttacks(): ExportAttack[] {
  const root = join(import.meta.dirname, 'attacks', 'exports');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.attack'))
    .toSorted()
    .map((path) => {
      try {
        const { head, sections } = parseSectioned(readFileSync(join(root, path), 'utf8'));
        const content = attackSchema.parse({ ...Object.fromEntries(head), ...Object.fromEntries(sections) });
        return { ...content, name: basename(path, '.attack'), group: relative('.', dirname(path)) };
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    });
}
