/**
 * The lemmas of the libraries behind the first sentences of a file, ready to be ranked, alone or with those of the
 * file; the last few are kept.
 */
import { RecentlyUsed } from '../../../core/recently-used.ts';
import { headOf } from '../../../provers/rocq/goals/term.ts';
import { closedStatementOf } from '../../../provers/rocq/syntax/theorem-text.ts';
import { LemmaMemory, type Lemma } from '../../../retrieval/lexical/lemma-similarity.ts';
import { listLemmas } from '../../../search/libraries/list-lemmas.ts';
import type { Service } from '../../definition/services.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import type { RocqWorkbench } from '../session/rocq-workbench.ts';

/** With all that Coq's reals require, one takes 80 MB. */
const MEMORIES_KEPT = 4;

/** Where lemmas are wanted. */
export interface LemmasWanted {
  readonly file: RocqFile;
  /** How many sentences of the file stand before the place. */
  readonly upTo: number;
  readonly workbench: RocqWorkbench;
  readonly signal: AbortSignal;
}

export interface LemmasHere {
  readonly memory: LemmaMemory;
  /** What the conclusions of the file's own lemmas begin with. */
  readonly heads: ReadonlySet<string>;
}

class LibraryLemmas implements Service {
  readonly #memories = new RecentlyUsed<Promise<LemmaMemory>>(MEMORIES_KEPT);
  readonly #withOwn = new RecentlyUsed<Promise<LemmasHere>>(MEMORIES_KEPT);

  memory(wanted: LemmasWanted): Promise<LemmaMemory> {
    const { file, upTo } = wanted;
    const requires = file.outline.requires.filter(({ sentence }) => sentence < upTo);
    const texts = requires.map(({ sentence }) => file.outline.sentences[sentence]?.text);
    const key = `${file.context.libraries}\n${texts.join('\n')}`;
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = listed(wanted).then((lemmas) => {
      // Nothing was found, which the next call may do better.
      if (lemmas.length === 0) this.#memories.drop(key);
      return memoryOf(lemmas);
    });
    void this.#memories.keep(key, memory);
    memory.catch(() => this.#memories.drop(key));
    return memory;
  }

  /** Those of the libraries and, as such, those that the file itself states before the place. */
  withOwn(wanted: LemmasWanted): Promise<LemmasHere> {
    const { file, upTo } = wanted;
    const key = JSON.stringify([file.context, file.source.hash, upTo]);
    const known = this.#withOwn.get(key);
    if (known !== undefined) return known;
    const lemmas = readWithOwn(wanted);
    void this.#withOwn.keep(key, lemmas);
    lemmas.catch(() => this.#withOwn.drop(key));
    return lemmas;
  }

  close(): Promise<void> {
    this.#memories.clear();
    this.#withOwn.clear();
    return Promise.resolve();
  }
}

async function listed({ file, upTo, workbench, signal }: LemmasWanted): Promise<readonly Lemma[]> {
  const { cacheDirectory } = workbench.settings;
  const request = {
    prover: await workbench.prover(),
    file: file.context.file,
    ...(cacheDirectory !== undefined && { cacheDirectory }),
  };
  return listLemmas(request, file.outline, upTo, signal);
}

async function readWithOwn(wanted: LemmasWanted): Promise<LemmasHere> {
  const memory = memoryOf(await listed(wanted));
  const heads = new Set<string>();
  for (const item of wanted.file.outline.statements) {
    const { name, statement, sentence } = item;
    if (sentence >= wanted.upTo || name === undefined || statement === '') continue;
    const view = memory.addOwn({ name, statement: closedStatementOf(item) });
    if (view !== undefined) heads.add(headOf(view.conclusion));
  }
  return { memory, heads };
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
