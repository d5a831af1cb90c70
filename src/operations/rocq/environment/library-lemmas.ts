/** The lemmas of the libraries behind the first sentences of a file, ready to be ranked; the last few are kept. */
import { LemmaMemory, type Lemma } from '../../../retrieval/lexical/lemma-memory.ts';
import { listLemmas } from '../../../search/libraries/list-lemmas.ts';
import type { Service } from '../../definition/services.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import type { RocqWorkbench } from '../session/rocq-workbench.ts';

const MEMORIES_KEPT = 8;

class LibraryLemmas implements Service {
  readonly #memories = new Map<string, Promise<LemmaMemory>>();

  /** @param upTo Sentences of the file that stand before the place. */
  memory(file: RocqFile, upTo: number, workbench: RocqWorkbench, signal: AbortSignal): Promise<LemmaMemory> {
    const requires = file.outline.requires.filter(({ sentence }) => sentence < upTo);
    const texts = requires.map(({ sentence }) => file.outline.sentences[sentence]?.text);
    const key = `${file.context.libraries}\n${texts.join('\n')}`;
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = this.#read(key, { file, upTo, workbench, signal });
    this.#memories.set(key, memory);
    memory.catch(() => this.#memories.delete(key));
    const [oldest] = this.#memories.keys();
    if (this.#memories.size > MEMORIES_KEPT && oldest !== undefined) this.#memories.delete(oldest);
    return memory;
  }

  async #read(
    key: string,
    {
      file,
      upTo,
      workbench,
      signal,
    }: {
      readonly file: RocqFile;
      readonly upTo: number;
      readonly workbench: RocqWorkbench;
      readonly signal: AbortSignal;
    },
  ): Promise<LemmaMemory> {
    const { cacheDirectory } = workbench.settings;
    const request = {
      prover: await workbench.prover(),
      file: file.context.file,
      ...(cacheDirectory !== undefined && { cacheDirectory }),
    };
    const lemmas = await listLemmas(request, file.outline, upTo, signal);
    // Nothing was found, which the next call may do better.
    if (lemmas.length === 0) this.#memories.delete(key);
    return memoryOf(lemmas);
  }

  close(): Promise<void> {
    this.#memories.clear();
    return Promise.resolve();
  }
}

/** The factory under which the services hold them. */
export function libraryLemmas(): LibraryLemmas {
  return new LibraryLemmas();
}

export function memoryOf(lemmas: readonly Lemma[]): LemmaMemory {
  const memory = new LemmaMemory();
  for (const lemma of lemmas) memory.add(lemma);
  return memory;
}
