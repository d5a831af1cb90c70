/**
 * The file of a run as the run knows it: as it was opened, and as Quod itself has written it since; and what it rests on
 * of its project, as that was when it was opened. What is said of another text, or of that text with other libraries,
 * says nothing of the theorems of the run, and ends it.
 */
import { basename, dirname, relative } from 'node:path';
import type { Comparison } from '../agent/target.ts';
import { someOf } from '../core/counted.ts';
import { QuodError } from '../core/errors.ts';
import { foreignName } from '../core/foreign-text.ts';
import { RUN_REMEDIES } from '../core/remedies/run-remedies.ts';
import { readUnlinkedSource, type SourceFile } from '../operations/files/source-file.ts';
import type { OwnProofs, ProofOfRun } from './own-proofs.ts';

/** What a file rests on, by paths: a digest of each. */
export type Dependencies = ReadonlyMap<string, string>;

export interface OpenedFile {
  /** Absolute, with no link in it. */
  readonly path: string;
  /** As messages call it. */
  readonly name: string;
  /** As it was opened. */
  readonly hash: string;
  /** As they are on the disk now. */
  readonly dependencies: () => Promise<Dependencies>;
  /** Every file of the run: what it writes itself is no change. */
  readonly runFiles?: readonly string[] | undefined;
  /** Absent where nothing is written. */
  readonly own?: OwnProofs;
}

export class RunFile {
  readonly path: string;
  readonly #opened: OpenedFile;
  /** The last one is what Quod wrote last. */
  readonly #versions: Set<string>;
  #dependencies: Dependencies;

  private constructor(opened: OpenedFile, dependencies: Dependencies) {
    this.path = opened.path;
    this.#opened = opened;
    this.#versions = new Set([opened.hash]);
    this.#dependencies = dependencies;
  }

  static async open(opened: OpenedFile): Promise<RunFile> {
    return new RunFile(opened, await opened.dependencies());
  }

  /** Before a proof is written: what is in the file may be it already. */
  found(proof: ProofOfRun): void {
    this.#opened.own?.add(proof);
  }

  /**
   * Asked of the very text that is replaced: a write goes through only where the file is still that.
   * @throws QuodError `file-changed` where somebody else's proof of the theorem stands in it.
   */
  requireOwnProof({ text }: Pick<SourceFile, 'text'>, theorem: string): void {
    if (this.#opened.own === undefined || this.#opened.own.notOwn(text, [theorem]).length === 0) return;
    throw new QuodError('file-changed', `The proof of ${theorem} is yours by now: it is left as it is.`, {
      place: { file: this.#opened.name },
      remedy: RUN_REMEDIES.startAnew,
    });
  }

  /** Quod put this version there. */
  wrote(hash: string): void {
    this.#versions.delete(hash);
    this.#versions.add(hash);
  }

  /**
   * All of the file as it is now is compared with the text that the run began with. Where nothing else was changed, it is the
   * run's from now on, with what it rests on: whoever lets others write in the project sees to that.
   * @throws QuodError `file-changed` where it rests on something else by then, and as `readUnlinkedSource`.
   */
  async compared(compare: (source: SourceFile) => Promise<Comparison>): Promise<Comparison> {
    const source = await readUnlinkedSource(this.path);
    const dependencies = await this.#opened.dependencies();
    const comparison = await compare(source);
    if (!comparison.clean) return comparison;
    await this.#requireSame(dependencies);
    this.wrote(source.hash);
    this.#dependencies = dependencies;
    return comparison;
  }

  /** @throws QuodError `file-changed` for a version that is not the run's. */
  async require(hash: string): Promise<void> {
    if (!this.#versions.has(hash)) throw await this.#changed();
  }

  async #changed(): Promise<QuodError> {
    // Whoever resumes it has the gate asked whether the file states what it did; that is no text of a log.
    const isThere = await readUnlinkedSource(this.path).then(
      () => true,
      () => false,
    );
    const isResumable = isThere && this.#opened.own !== undefined;
    const remedy = isResumable ? RUN_REMEDIES.goOnOrAnew : RUN_REMEDIES.startAnew;
    return fileChangedDuringRun(this.#opened.name, 'while the agent worked on it', remedy);
  }

  /** @throws QuodError `file-changed` where the file rests on something else now. */
  async requireDependencies(): Promise<void> {
    await this.#requireSame(this.#dependencies);
  }

  async #requireSame(before: Dependencies): Promise<void> {
    const { path, name, runFiles = [] } = this.#opened;
    const now = await this.#opened.dependencies();
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (one) => before.get(one) !== now.get(one) && !runFiles.includes(one),
    );
    if (changed.length === 0) return;
    const names = someOf(changed.map((one) => foreignName(shownFrom(dirname(path), one))));
    throw new QuodError(
      'file-changed',
      `A dependency changed while the agent worked on the file: ${names}.`,
      {
        place: { file: name },
        remedy: RUN_REMEDIES.goOn,
      },
    );
  }

  /** As it is on the disk now. @throws QuodError `file-changed`, and as `readUnlinkedSource`. */
  async read(): Promise<SourceFile> {
    const source = await readUnlinkedSource(this.path);
    await this.require(source.hash);
    await this.requireDependencies();
    return source;
  }

  /**
   * What is found out of the file as it is now, where it rests on the same before and afterwards.
   * @param stands Whether it says something of a proof that was found in the file as Quod wrote it last, too: one that does not
   *   stand in an earlier version, to which somebody has put the file back, may need what is gone. @throws as `read`.
   */
  async judged<Result>(
    judge: (source: SourceFile) => Promise<Result>,
    stands: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const source = await this.read();
    const result = await judge(source);
    await this.requireDependencies();
    if (source.hash !== [...this.#versions].at(-1) && !stands(result)) throw await this.#changed();
    return result;
  }
}

/** A folder that the file is in has no name from there. */
function shownFrom(folder: string, path: string): string {
  const shown = relative(folder, path);
  return ['', '..'].includes(basename(shown)) ? path : shown;
}

/** @param when as it ends the sentence: `since the run` */
export function fileChangedDuringRun(
  file: string,
  when: string,
  remedy: string = RUN_REMEDIES.startAnew,
): QuodError {
  return new QuodError('file-changed', `The file changed ${when}.`, {
    place: { file },
    remedy,
  });
}
