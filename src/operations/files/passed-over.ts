/** What the project files of sources say in vain, in the answers about these sources: it costs no answer, and hides in none. */
import { dirname } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { findRocqProject } from '../../provers/rocq/project/project.ts';
import { projectFaults, type ProjectFault } from '../../provers/rocq/project/project-faults.ts';
import { sourceLanguageOf } from './source-language.ts';

/** In answers. */
export const passedOverSchema = z
  .array(z.object({ file: z.string(), line: z.int(), message: z.string(), remedy: z.string() }))
  .describe(
    'What a `_CoqProject` says in vain: files that it lists and that are not there, options that are not known.',
  );

type PassedOver = z.output<typeof passedOverSchema>;

/**
 * Of all project files of some sources, each once; those of other languages than Rocq have none.
 * Of a project that cannot be read others tell, who work with it: this is asked at the end of what may have taken hours.
 * @param paths Absolute.
 */
export async function passedOverFor(paths: readonly string[]): Promise<readonly ProjectFault[]> {
  const rocq = paths.filter((path) => sourceLanguageOf(path) === 'rocq');
  // Files of one folder are of one project.
  const byFolder = new Map(rocq.map((path) => [dirname(path), path]));
  const bySource = new Map<string, readonly ProjectFault[]>();
  for (const path of byFolder.values()) {
    try {
      const project = await findRocqProject(path);
      const { source } = project;
      if (source !== undefined && !bySource.has(source)) bySource.set(source, await projectFaults(project));
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
    }
  }
  return [...bySource.values()].flat();
}

/** As the answers have it. @param nameOf How a file is called there. */
export function passedOverAnswer(
  faults: readonly ProjectFault[],
  nameOf: (path: string) => string,
): PassedOver {
  return faults.map((fault) => ({ ...fault, file: nameOf(fault.file) }));
}

/** For people, a line each. */
export function passedOverText(faults: readonly ProjectFault[]): readonly string[] {
  return faults.map(
    ({ file, line, message, remedy }) =>
      `${foreignName(file)}:${line}: warning: ${foreignText(message)} ${foreignText(remedy)}`,
  );
}
