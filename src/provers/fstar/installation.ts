/** From a file to a running F*: its project, its F*, its Z3, and the command line that follows. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { isProgramAllowed } from '../../process/foreign-folder/allowed.ts';
import { shellWord } from '../../core/shell-text.ts';
import { findFstar, locateFstar, type FstarInstallation } from './discovery.ts';
import { findFstarProject, type FstarProject, type ProjectWishes } from './project.ts';
import type { Launch } from './session/connection.ts';
import { chooseZ3, type Z3Choice } from './z3.ts';

export interface PreparedFile {
  readonly file: string;
  readonly installation: FstarInstallation;
  readonly project: FstarProject;
  readonly z3: Z3Choice;
  readonly launch: Launch;
}

export interface PrepareOptions extends ProjectWishes {
  /** The workspace, above which no settings are looked for. */
  readonly root?: string;
  readonly memoryLimit?: number;
  /** Options that this use needs, after all others. */
  readonly extraOptions?: readonly string[];
}

/** @throws QuodError `prover-missing`, `invalid-input`, `not-found` (no such folder). */
export async function prepareFile(file: string, options: PrepareOptions = {}): Promise<PreparedFile> {
  const project = await findFstarProject(file, options, options.root);
  if (!existsSync(project.folder)) {
    throw new QuodError('not-found', 'The folder in which F* is to run does not exist.', {
      place: { file: project.folder },
      remedy: 'Name a folder that exists as `cwd`.',
    });
  }
  requireAllowed(file, project);
  const installation = await findFstar(project.executable ?? undefined);
  const z3 = await chooseZ3(installation, project.options);
  return { file, installation, project, z3, launch: launchOf(file, { installation, project, z3, options }) };
}

/** The F* of the machine is no choice of the project's. */
function requireAllowed(file: string, { programs, source }: FstarProject): void {
  const asked = programs.find(
    (program) => program !== locateFstar() && !isProgramAllowed(program, dirname(file)),
  );
  if (asked === undefined) return;
  throw new QuodError(
    'not-allowed',
    `The settings here run the program ${JSON.stringify(asked)}, and you did not allow that.`,
    {
      ...(source !== null && { place: { file: source } }),
      remedy: `If you trust it, say so in the folder of the project: quod run allow --program ${shellWord(asked)}`,
    },
  );
}

function launchOf(
  file: string,
  {
    installation,
    project,
    z3,
    options: { memoryLimit, extraOptions },
  }: {
    readonly installation: FstarInstallation;
    readonly project: FstarProject;
    readonly z3: Z3Choice;
    readonly options: PrepareOptions;
  },
): Launch {
  const atHome = dirname(file) === project.folder;
  // F* looks for modules in its own folder, not in that of the file.
  const includes = atHome ? project.includeFolders : [dirname(file), ...project.includeFolders];
  return {
    executable: installation.location,
    arguments: [
      '--ide',
      atHome ? basename(file) : file,
      ...z3.arguments,
      ...includes.flatMap((folder) => ['--include', folder]),
      ...project.options,
      ...(extraOptions ?? []),
    ],
    folder: project.folder,
    ...(memoryLimit !== undefined && { memoryLimit }),
  };
}
