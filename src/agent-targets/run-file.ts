/**
 * The file of a run as the run knows it: as it was opened, and as Quod itself has written it since. What is said of
 * another text says nothing of the theorems of the run, and ends it.
 */
import { QuodError } from '../core/errors.ts';
import { RUN_REMEDIES } from '../core/remedies/run-remedies.ts';
import { readUnlinkedSource, type SourceFile } from '../operations/files/source-file.ts';

export class RunFile {
  /** Absolute, with no link in it. */
  readonly path: string;
  /** As messages call it. */
  readonly #name: string;
  readonly #versions: Set<string>;

  /** @param hash of the file as it was opened. */
  constructor(path: string, name: string, hash: string) {
    this.path = path;
    this.#name = name;
    this.#versions = new Set([hash]);
  }

  /** Quod put this version there. */
  wrote(hash: string): void {
    this.#versions.add(hash);
  }

  /** @throws QuodError `file-changed` for a version that is not the run's. */
  require(hash: string): void {
    if (!this.#versions.has(hash)) throw fileChangedDuringRun(this.#name, 'while the agent worked on it');
  }

  /** As it is on the disk now. @throws QuodError `file-changed`, and as `readUnlinkedSource`. */
  async read(): Promise<SourceFile> {
    const source = await readUnlinkedSource(this.path);
    this.require(source.hash);
    return source;
  }
}

/** @param when as it ends the sentence: `since the run` */
export function fileChangedDuringRun(file: string, when: string): QuodError {
  return new QuodError('file-changed', `The file changed ${when}.`, {
    place: { file },
    remedy: RUN_REMEDIES.startAnew,
  });
}
