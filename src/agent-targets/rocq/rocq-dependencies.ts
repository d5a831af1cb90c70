/** What a Rocq file rests on of its project: how that is read, and what Rocq loads of each file that it requires. */
import { sha256 } from '../../core/sha256.ts';
import { FileDigests } from '../../process/foreign-folder/file-digests.ts';
import { dependenciesOf } from '../../provers/rocq/build/project-build.ts';
import { coqArguments } from '../../provers/rocq/project.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { Dependencies } from '../run-file.ts';

/** By the paths of sources: a digest of what was compiled, and of the source where nothing was. */
export function rocqDependencies(path: string, text: string): () => Promise<Dependencies> {
  const { requires } = outlineOf(text);
  const digests = new FileDigests();
  return async () => {
    const { project, sources } = await dependenciesOf(path, requires);
    const found = new Map([[project.source ?? project.root, sha256(JSON.stringify(coqArguments(project)))]]);
    for (const source of sources) {
      const digest = (await digests.of(source.compiled)) ?? (await digests.of(source.path));
      if (digest !== undefined) found.set(source.path, digest);
    }
    return found;
  };
}
