/** What a Rocq file rests on of its project, and how that is read. */
import { FileDigests } from '../../process/foreign-folder/file-digests.ts';
import { dependencyDigests } from '../../provers/rocq/build/dependency-digests.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { Dependencies } from '../run-file.ts';

export function rocqDependencies(path: string, text: string): () => Promise<Dependencies> {
  const { requires } = outlineOf(text);
  const known = new FileDigests();
  const digestOf = (one: string): Promise<string | undefined> => known.of(one);
  return async () =>
    (await dependencyDigests(path, requires, { compiled: digestOf, source: digestOf })).digests;
}
