/**
 * Lists what the libraries of a file state, in a session of its own, so that the search need not wait for it: where
 * Rocq runs inside Node a list takes longer than many a proof.
 */
import type { FileOutline } from '../provers/rocq/syntax/outline.ts';
import { lemmasAt } from './environment.ts';
import type { Lemma } from './lemma-memory.ts';
import type { ProveRequest } from './prove-request.ts';
import { requireSentences, StoredLemmas } from './stored-lemmas.ts';

/** Whose libraries are listed. */
type LemmaRequest = Pick<ProveRequest, 'cacheDirectory' | 'prover' | 'file'>;

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
  } catch {
    return [];
  }
}

async function listBehind(
  { prover, file }: LemmaRequest,
  sentences: readonly string[],
  outline: FileOutline,
  signal: AbortSignal,
): Promise<Lemma[]> {
  const session = await prover.openSession({ file, signal });
  const end = (): void => void session.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    let state = session.root;
    for (const sentence of sentences) {
      const result = await session.run(state, sentence, { signal });
      if (result.status === 'done') state = result.state;
    }
    const modules = outline.requires.flatMap((required) => required.modules);
    const lemmas = await lemmasAt(session, state, modules, signal);
    // A list that was broken off must not be stored as if it were whole.
    signal.throwIfAborted();
    return lemmas;
  } finally {
    signal.removeEventListener('abort', end);
    await session.close();
  }
}
