/** What an HOL4 script rests on of its project, and how that is read: all that the gate builds it with. */
import { dirname, join } from 'node:path';
import { errorText } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import { theoryProjectFiles } from '../../gate/hol4/theory/project-files.ts';
import type { Dependencies } from '../run-file.ts';

export function hol4Dependencies(path: string): () => Promise<Dependencies> {
  const folder = dirname(path);
  return async () => {
    try {
      const files = await theoryProjectFiles({ path, text: '' }, new Set());
      return new Map([...files].map(([name, bytes]) => [join(folder, name), sha256(bytes)]));
    } catch (error) {
      // The gate, which reads them, says so of each proof.
      return new Map([[folder, errorText(error)]]);
    }
  };
}
