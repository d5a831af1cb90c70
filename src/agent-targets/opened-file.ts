/** The file that a run opened, as it is now. Whoever works in its folder may have put something else in its place. */
import { QuodError } from '../core/errors.ts';
import { readSourceFile, type SourceFile } from '../operations/files/source-file.ts';

/**
 * @param path As it was when the run opened the file, with no link in it.
 * @throws QuodError `file-changed` where it leads elsewhere now, and what `readSourceFile` throws.
 */
export async function readOpenedFile(path: string): Promise<SourceFile> {
  const source = await readSourceFile(path);
  if (source.path === path) return source;
  throw new QuodError('file-changed', 'A link that leads elsewhere stands in the place of the file.', {
    place: { file: path },
    remedy: 'Nothing is judged or written through it. Put the file back, then go on with `agent_resume`.',
  });
}
