/** Reads a file for the gate: sources as text; compiled modules their judge reads itself, as bytes. */
import { readFile, realpath } from 'node:fs/promises';
import { QuodError } from '../../core/errors.ts';
import type { JudgedFile } from '../../gate/report.ts';
import type { SourceText } from '../../gate/verdict.ts';
import { encode, readSourceFile } from './source-file.ts';

/** With the bytes that stood in the file when it was read. */
export type JudgedSource = SourceText & JudgedFile;

/** @throws QuodError as `readSourceFile`. */
export async function readJudgedFile(name: string): Promise<JudgedSource> {
  if (!name.endsWith('.olean')) {
    try {
      const source = await readSourceFile(name);
      return { path: source.path, text: source.text, bytes: encode(source, source.text) };
    } catch (error) {
      // An empty submission proves nothing, which is for the judge to say.
      if (!(error instanceof QuodError) || error.reason !== 'invalid-input') throw error;
      return { path: await realpath(name), text: '', bytes: Buffer.alloc(0) };
    }
  }
  try {
    return { path: await realpath(name), text: '', bytes: await readFile(name) };
  } catch (cause) {
    throw new QuodError('not-found', 'There is no such file.', { place: { file: name }, cause });
  }
}
