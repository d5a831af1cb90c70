/** What an HOL4 script rests on of its project, and how that is read: all that the gate builds it with. */
import { dirname, join } from 'node:path';
import { errorText } from '../../core/errors.ts';
import { theoryProjectNames } from '../../gate/hol4/theory/project-files.ts';
import { FileDigests } from '../../process/foreign-folder/file-digests.ts';
import type { Dependencies } from '../run-file.ts';

export function hol4Dependencies(path: string): () => Promise<Dependencies> {
  const folder = dirname(path);
  const digests = new FileDigests();
  return async () => {
    const found = new Map<string, string>();
    try {
      for (const name of await theoryProjectNames(path)) {
        const file = join(folder, name);
        const digest = await digests.of(file);
        if (digest !== undefined) found.set(file, digest);
      }
      return found;
    } catch (error) {
      // The gate, which reads them, says so of each proof.
      return new Map([[folder, errorText(error)]]);
    }
  };
}
