/** Attacks as files that anybody can read and add to: the folder is the class, the file's name is the attack's. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { parseSectioned } from './sectioned-file.ts';

/** Fields that say several things. */
export const commaSeparated = z.string().transform((text) => text.split(/,\s*/));

/** Fields that say more than a word. */
export const jsonField = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON on one line' });
    return z.NEVER;
  }
});

export interface AttackPlace {
  readonly name: string;
  /** The folder. */
  readonly group: string;
}

/** @throws Error that names the file, when it is not in the form of the schema. */
export function attacksIn<Content>(root: string, schema: z.ZodType<Content>): (AttackPlace & Content)[] {
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
