/** In which prover's language a file is written, told by its name as the provers themselves tell it. */
import { basename } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { filesBelow } from '../../process/foreign-folder/files-below.ts';

export type SourceLanguage = 'rocq' | 'hol4' | 'fstar' | 'lean';

/** Undefined where no prover takes files of that name. */
export function sourceLanguageOf(file: string): SourceLanguage | undefined {
  const name = basename(file);
  if (name.endsWith('.v')) return 'rocq';
  if (name.endsWith('Script.sml')) return 'hol4';
  if (/\.fsti?$/u.test(name)) return 'fstar';
  return name.endsWith('.lean') ? 'lean' : undefined;
}

/** The sources of all provers below a folder. @throws as readdir does, for the folder itself. */
export async function sourceFilesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of filesBelow(folder)) if (sourceLanguageOf(path) !== undefined) found.push(path);
  return found;
}

/** @param taken What the asker takes instead, as advice. */
export function unknownLanguage(file: string, taken: string): QuodError {
  return file.endsWith('.sml')
    ? new QuodError('invalid-input', 'This is Standard ML, but no script of a HOL4 theory.', {
        place: { file },
        remedy: 'Name a file that ends in Script.sml.',
      })
    : new QuodError('invalid-input', 'Quod does not know in which language this file is.', {
        place: { file },
        remedy: taken,
      });
}
