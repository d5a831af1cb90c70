/** Reads a file for the gate: sources as text; compiled modules their judge reads itself, as bytes. */
import { realpath } from 'node:fs/promises';
import { QuodError } from '../../core/errors.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import type { JudgedFile } from '../../gate/report.ts';
import type { SourceText } from '../../gate/verdict.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { encode, readEditedFile } from './source-file.ts';

/** A source with the bytes that stood in its file when it was read. */
export type JudgedSource = SourceText & Partial<Pick<JudgedFile, 'bytes'>>;

/**
 * @param sought What a file would be called that is meant where a folder is named.
 * @throws QuodError as `readEditedFile`.
 */
export async function readJudgedFile(name: string, sought?: string): Promise<JudgedSource> {
  if (!name.endsWith('.olean')) {
    // An empty submission proves nothing, which is for the judge to say.
    const source = await readEditedFile(name, name, sought);
    return { path: source.path, text: source.text, bytes: encode(source, source.text) };
  }
  try {
    return { path: await realpath(name), text: '' };
  } catch (cause) {
    throw new QuodError('not-found', 'There is no such file.', { place: { file: name }, cause });
  }
}

/**
 * For the report. Of a compiled module, which its judge has read, the bytes are read here: a report is made only where
 * they are those of the verdict. @throws QuodError `not-found`.
 */
export function judgedFile({ path, bytes }: JudgedSource): JudgedFile {
  try {
    return { path, bytes: bytes ?? readRegularFileSync(path, LARGEST_WRITTEN_BYTES) };
  } catch (cause) {
    throw unreadableFile(path, cause);
  }
}
