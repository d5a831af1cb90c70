/**
 * Files that a task, a benchmark or the log of a run names. Whoever wrote it may be a stranger: what lies elsewhere, by
 * its path or a link, and what Quod keeps for itself, is neither read nor written until the user says so (`--outside`).
 */
import { dirname, resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { Workspace } from '../../../operations/definition/workspace.ts';

interface Refusal {
  readonly message: string;
  /** How the user says that they mean that file. */
  readonly remedy: string;
}

/** @throws QuodError `outside-workspace`, `invalid-input` for the first file that is not of this folder. */
export async function requireOfThisFolder(files: readonly string[], refusal: Refusal): Promise<void> {
  await requireInside(await Workspace.confinedTo(process.cwd()), files, refusal);
}

/**
 * The folder is this one where the document lies in it, else its own.
 * @param files The document itself is looked at with them.
 * @throws QuodError `outside-workspace`, `invalid-input`.
 */
export async function requireOfDocumentsFolder(
  document: string,
  files: readonly string[],
  refusal: Refusal,
): Promise<void> {
  const path = resolve(document);
  const here = await Workspace.confinedTo(process.cwd());
  const isElsewhere = here.nameOf(path) === path;
  const workspace = isElsewhere ? await Workspace.confinedTo(dirname(path)) : here;
  await requireInside(workspace, [...files, path], refusal);
}

async function requireInside(
  workspace: Workspace,
  files: readonly string[],
  { message, remedy }: Refusal,
): Promise<void> {
  for (const file of files) {
    try {
      await workspace.resolve(file);
    } catch (error) {
      // What Quod keeps for itself is of the folder, and no file to work on wherever it is asked for.
      if (!(error instanceof QuodError) || error.reason !== 'outside-workspace') throw error;
      throw new QuodError(error.reason, message, { place: { file }, remedy, cause: error });
    }
  }
}
