/** Reads a file for the gate: sources as text, compiled modules not at all, because their judge reads them as bytes. */
import { realpath } from 'node:fs/promises';
import { QuodError } from '../../core/errors.ts';
import type { SourceText } from '../../gate/verdict.ts';
import { readSourceFile } from './source-file.ts';

/** @throws QuodError as `readSourceFile`. */
export async function readJudgedFile(name: string): Promise<SourceText> {
  if (!name.endsWith('.olean')) {
    try {
      const { path, text } = await readSourceFile(name);
      return { path, text };
    } catch (error) {
      // An empty submission proves nothing, which is for the judge to say.
      if (!(error instanceof QuodError) || error.reason !== 'invalid-input') throw error;
      return { path: await realpath(name), text: '' };
    }
  }
  try {
    return { path: await realpath(name), text: '' };
  } catch (cause) {
    throw new QuodError('not-found', 'There is no such file.', { place: { file: name }, cause });
  }
}
