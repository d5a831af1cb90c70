/** In which prover's language a file is written, told by its name as the provers themselves tell it. */
import { basename } from 'node:path';

export type SourceLanguage = 'rocq' | 'hol4' | 'fstar' | 'lean';

/** Undefined where no prover takes files of that name. */
export function sourceLanguageOf(file: string): SourceLanguage | undefined {
  const name = basename(file);
  if (name.endsWith('.v')) return 'rocq';
  if (name.endsWith('Script.sml')) return 'hol4';
  if (/\.fsti?$/u.test(name)) return 'fstar';
  return name.endsWith('.lean') ? 'lean' : undefined;
}
