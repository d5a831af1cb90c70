/**
 * Lists what the libraries of a file state, in a session of its own, so that the search need not wait for it: where
 * Rocq runs inside Node a list takes longer than many a proof.
 */
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';
import type { Lemma } from '../../retrieval/lexical/lemma-similarity.ts';
import type { Prover } from '../../core/prover.ts';
import { steadySession } from '../../sessions/steady-session.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { requireSentences, StoredLemmas } from './stored-lemmas.ts';
import { lemmasAt, lemmasOf } from './lemmas-in-scope.ts';

/** Whose libraries are listed. */
interface LemmaRequest {
  /** Absolute path of the file, which finds its project. */
  readonly file: string;
  readonly prover: Prover;
  /** A budget of nodes: the list must then not depend on the clock. */
  readonly nodes?: number;
  /** Where lists are stored; without it they are made anew. */
  readonly cacheDirectory?: string;
  /** Told before the whole list of what the required modules themselves state, where that list has to be made. */
  readonly onFirst?: (lemmas: readonly Lemma[]) => void;
}

export interface LemmaLists {
  /** What the required modules themselves state, where the whole list takes longer to make. */
  readonly first: Promise<readonly Lemma[]>;
  readonly all: Promise<readonly Lemma[]>;
}

/** For who begins with what there is. */
export function listLemmasInTurn(
  request: LemmaRequest,
  outline: FileOutline,
  upTo: number,
  signal: AbortSignal,
): LemmaLists {
  const first = Promise.withResolvers<readonly Lemma[]>();
  const mayComeFirst = request.nodes === undefined && request.prover.identity.backend !== 'embedded';
  const all = listLemmas(
    mayComeFirst ? { ...request, onFirst: first.resolve } : request,
    outline,
    upTo,
    signal,
  ).finally(() => first.resolve([]));
  return { first: first.promise, all };
}

/** Empty when there is nothing to be had: a search without lemmas is weaker, not wrong. */
export async function listLemmas(
  request: LemmaRequest,
  outline: FileOutline,
  upTo: number,
  signal: AbortSignal,
): Promise<readonly Lemma[]> {
  const { cacheDirectory, prover } = request;
  const list = (): Promise<Lemma[]> => listBehind(request, requireSentences(outline, upTo), outline, signal);
  try {
    if (cacheDirectory === undefined) return await list();
    const context = `${prover.identity.backend} ${prover.identity.version} ${prover.identity.location}`;
    return await new StoredLemmas(cacheDirectory).behindRequires(outline, upTo, context, list);
  } catch (error) {
    return error instanceof PartialList ? error.lemmas : [];
  }
}

/** What Rocq listed before it ran out of time: of use, but not to be kept. */
class PartialList extends Error {
  readonly lemmas: readonly Lemma[];

  constructor(lemmas: readonly Lemma[]) {
    super('Not all lemmas of the libraries were listed in time.');
    this.lemmas = lemmas;
  }
}

async function listBehind(
  { prover, file, nodes, onFirst }: LemmaRequest,
  sentences: readonly string[],
  outline: FileOutline,
  signal: AbortSignal,
): Promise<Lemma[]> {
  const opened = await prover.openSession({ file, signal });
  const session = nodes === undefined ? opened : steadySession(opened);
  const end = (): void => void session.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    let state = session.root;
    for (const sentence of sentences) {
      const result = await session.run(state, asSentence(sentence), { signal });
      if (result.status === 'done') state = result.state;
    }
    const modules = outline.requires.flatMap((required) => required.modules);
    onFirst?.((await lemmasOf(session, state, modules, signal)).lemmas);
    const { lemmas, whole } = await lemmasAt(session, state, modules, signal);
    // A list that was broken off must not be stored as if it were whole.
    signal.throwIfAborted();
    if (!whole) throw new PartialList(lemmas);
    return [...lemmas];
  } finally {
    signal.removeEventListener('abort', end);
    await session.close();
  }
}
