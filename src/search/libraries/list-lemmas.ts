/**
 * Lists what the libraries of a file state, in a session of its own, so that the search need not wait for it: where
 * Rocq runs inside Node a list takes longer than many a proof.
 */
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';
import type { Lemma } from '../../retrieval/lexical/lemma-similarity.ts';
import type { Prover, ProverSession, StateId } from '../../core/prover.ts';
import { steadySession } from '../../sessions/steady-session.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { requireSentences, StoredLemmas } from './stored-lemmas.ts';
import { lemmasAt, lemmasOf } from './lemmas-in-scope.ts';
import { untilNotFoundAtOnce } from './not-found-at-once.ts';

/** Whose libraries are listed. */
interface LemmaRequest {
  /** Absolute path of the file, which finds its project. */
  readonly file: string;
  readonly prover: Prover;
  /** A budget of nodes: the list must then not depend on the clock. */
  readonly nodes?: number;
  /** Where lists are stored; without it they are made anew. */
  readonly cacheDirectory?: string;
}

export interface LemmaLists {
  /** What the required modules themselves state, where the whole list takes longer to make. */
  readonly first: Promise<readonly Lemma[]>;
  readonly all: Promise<readonly Lemma[]>;
}

/**
 * For who begins with what there is. The whole list, where it is not stored, is made for searches that last: a short one has
 * its proof before, and the machine for itself.
 */
export function listLemmasInTurn(
  request: LemmaRequest,
  outline: FileOutline,
  upTo: number,
  signal: AbortSignal,
): LemmaLists {
  const lister = new Lister(request, outline, upTo, signal);
  if (request.nodes !== undefined || request.prover.identity.backend === 'embedded')
    return { first: Promise.resolve([]), all: lister.all(() => lister.everything()) };
  const first = Promise.withResolvers<readonly Lemma[]>();
  const all = lister
    .all(async () => {
      first.resolve(await lister.first());
      await untilNotFoundAtOnce(signal);
      return lister.everything();
    })
    .finally(() => first.resolve([]));
  return { first: first.promise, all };
}

/** Empty when there is nothing to be had: a search without lemmas is weaker, not wrong. */
export async function listLemmas(
  request: LemmaRequest,
  outline: FileOutline,
  upTo: number,
  signal: AbortSignal,
): Promise<readonly Lemma[]> {
  const lister = new Lister(request, outline, upTo, signal);
  return lister.all(() => lister.everything());
}

/** What Rocq listed before it ran out of time: of use, but not to be kept. */
class PartialList extends Error {
  readonly lemmas: readonly Lemma[];

  constructor(lemmas: readonly Lemma[]) {
    super('Not all lemmas of the libraries were listed in time.');
    this.lemmas = lemmas;
  }
}

/** Lists in one session, which is opened when a list is not stored. */
class Lister {
  readonly #request: LemmaRequest;
  readonly #outline: FileOutline;
  readonly #upTo: number;
  readonly #signal: AbortSignal;
  #session: ProverSession | undefined;
  #behindRequires: Promise<{ readonly session: ProverSession; readonly state: StateId }> | undefined;

  constructor(request: LemmaRequest, outline: FileOutline, upTo: number, signal: AbortSignal) {
    this.#request = request;
    this.#outline = outline;
    this.#upTo = upTo;
    this.#signal = signal;
  }

  /** The whole list; its end is that of the session. @param make makes it where it is not stored. */
  async all(make: () => Promise<readonly Lemma[]>): Promise<readonly Lemma[]> {
    try {
      return await this.#stored('', make);
    } finally {
      await this.#close();
    }
  }

  /** What the required modules state themselves. */
  first(): Promise<readonly Lemma[]> {
    return this.#stored('first ', () => this.#list(lemmasOf));
  }

  everything(): Promise<readonly Lemma[]> {
    return this.#list(lemmasAt);
  }

  async #list(lemmasIn: typeof lemmasAt): Promise<readonly Lemma[]> {
    const modules = this.#outline.requires.flatMap((required) => required.modules);
    this.#behindRequires ??= this.#open();
    const { session, state } = await this.#behindRequires;
    const { lemmas, whole } = await lemmasIn(session, state, modules, this.#signal);
    // A list that was broken off must not be stored as if it were whole.
    this.#signal.throwIfAborted();
    if (!whole) throw new PartialList(lemmas);
    return lemmas;
  }

  async #stored(which: string, make: () => Promise<readonly Lemma[]>): Promise<readonly Lemma[]> {
    const { cacheDirectory, prover } = this.#request;
    try {
      if (cacheDirectory === undefined) return await make();
      const { backend, version, location } = prover.identity;
      const context = `${which}${backend} ${version} ${location}`;
      return await new StoredLemmas(cacheDirectory).behindRequires(this.#outline, this.#upTo, context, make);
    } catch (error) {
      return error instanceof PartialList ? error.lemmas : [];
    }
  }

  async #open(): Promise<{ readonly session: ProverSession; readonly state: StateId }> {
    const { prover, file, nodes } = this.#request;
    const opened = await prover.openSession({ file, signal: this.#signal });
    this.#session = opened;
    this.#signal.addEventListener('abort', this.#end, { once: true });
    const session = nodes === undefined ? opened : steadySession(opened);
    let state = session.root;
    for (const sentence of requireSentences(this.#outline, this.#upTo)) {
      const result = await session.run(state, asSentence(sentence), { signal: this.#signal });
      if (result.status === 'done') state = result.state;
    }
    return { session, state };
  }

  readonly #end = (): void => void this.#close();

  async #close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#end);
    await this.#session?.close();
  }
}
