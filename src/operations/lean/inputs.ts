/** Inputs that operations on Lean share. */
import { z } from 'zod';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { STANDARD_AXIOMS } from '../../gate/lean/standard-axioms.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import type { Workspace } from '../definition/workspace.ts';

export const searchPathInput = z
  .array(z.string())
  .default([])
  .describe('Folders with compiled modules, before LEAN_PATH.');

export const fuelInput = z
  .int()
  .positive()
  .nullable()
  .default(null)
  .describe('Steps that the kernel may take for one declaration; null: 50 million.');

export const axiomInputs = {
  allow_axiom: z
    .array(z.string())
    .default([])
    .describe('Axioms to allow, by their full names, besides the standard ones or those of the list.'),
  axioms: z
    .string()
    .nullable()
    .default(null)
    .describe(`A file with the axioms to allow, one a line; null: ${STANDARD_AXIOMS.join(', ')}.`),
};

interface AxiomInput {
  readonly allow_axiom: readonly string[];
  readonly axioms: string | null;
}

/** @throws QuodError `not-found`, `outside-workspace`. */
export async function allowedAxioms(input: AxiomInput, workspace: Workspace): Promise<string[]> {
  const listed =
    input.axioms === null ? STANDARD_AXIOMS : readAxiomList(await workspace.resolve(input.axioms));
  return [...listed, ...input.allow_axiom];
}

/** Folders may be given as in `LEAN_PATH`, several in a text. */
export async function foldersOf(paths: readonly string[], workspace: Workspace): Promise<string[]> {
  return Promise.all(paths.flatMap((text) => text.split(':')).map((path) => workspace.resolve(path)));
}

/** One name a line; blank lines and what follows `#` are ignored. @throws QuodError `not-found`. */
function readAxiomList(path: string): string[] {
  let text: string;
  try {
    text = readRegularFileSync(path).toString('utf8');
  } catch (error) {
    throw unreadableFile(path, error, { what: 'The list of axioms' });
  }
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
