/** The files of a project that one embedded Coq can see: they are compiled and shown to it when it requires them. */
import type { Lost } from '../../../core/driver.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ExecuteAnswer } from '../driver.ts';
import type { FileForCoq, ProjectLibrary } from './project-library.ts';

/** What is to be executed instead of a sentence. */
interface ProvidedSentence {
  readonly before: readonly string[];
  readonly sentence: string;
}

export class ShownFiles {
  readonly #library: ProjectLibrary | undefined;
  readonly #put: (files: readonly FileForCoq[]) => Promise<Lost | undefined>;
  readonly #shown = new Set<string>();
  /** Set while files are compiled. */
  #compiling: AbortController | undefined;

  /** @param put Shows files to Coq; answers when Coq is lost by it. */
  constructor(
    library: ProjectLibrary | undefined,
    put: (files: readonly FileForCoq[]) => Promise<Lost | undefined>,
  ) {
    this.#library = library;
    this.#put = put;
  }

  stop(): void {
    this.#compiling?.abort();
  }

  /**
   * For a sentence that requires files of the project: compiles them and shows them to Coq. Answers the sentence with a
   * comment behind it that names their content, so that an image with other content is another document, and the
   * sentences that must be executed before.
   */
  async provide(sentence: string): Promise<ProvidedSentence | ExecuteAnswer | undefined> {
    if (!this.#library) return undefined;
    const stop = new AbortController();
    this.#compiling = stop;
    try {
      const provision = await this.#library.provide(sentence, stop.signal);
      if (!provision) return undefined;
      const { files, loadPath, listing, content } = provision;
      const unseen = files.filter(({ name, bytes }) => bytes.length > 0 || !this.#shown.has(name));
      for (const { name } of unseen) this.#shown.add(name);
      const lost = await this.#put(unseen);
      if (lost !== undefined) return lost;
      return {
        before: loadPath.map((text) => `${text} (* ${listing} *)`),
        sentence: `${sentence} (* ${content} *)`,
      };
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
      if (stop.signal.aborted) return { status: 'interrupted' };
      return { status: 'failed', error: { severity: 'error', message: error.toString() }, messages: [] };
    } finally {
      this.#compiling = undefined;
    }
  }
}
