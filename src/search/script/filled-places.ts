/** Keeps what the author wrote of a proof and searches only the places that were left open. */
import type { ProofState } from '../../core/proof-state.ts';
import type { Replacement } from '../../core/replacement.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import type { SearchWorker } from '../graph/search-options.ts';
import { openPlaces, type OpenPlace } from './partial-proof.ts';
import { filledProof } from './splice.ts';

/** Searches the goals in focus with a share of what is left of the budget. */
export type SearchPlace = (
  workers: readonly SearchWorker[],
  proof: ProofState,
  share: number,
) => Promise<ScriptTree | undefined>;

/** The part of the budget that goes to the places an author left open, before the whole proof is searched anew. */
const PLACES_SHARE = 0.5;

/** Undefined where one place is not filled, or the author finished no step. */
export async function filledPlaces(
  first: SearchWorker,
  { outline, theorem }: { readonly outline: FileOutline; readonly theorem: TheoremItem },
  search: SearchPlace,
  signal: AbortSignal,
): Promise<Replacement | undefined> {
  const places = await openPlaces(first, outline, theorem, signal);
  if (places === undefined) return undefined;
  const filled: { place: OpenPlace; script: ScriptTree }[] = [];
  for (const [index, place] of places.entries()) {
    const worker = { session: first.session, root: place.root };
    const script = await search([worker], place.proof, PLACES_SHARE / (places.length - index * PLACES_SHARE));
    if (script === undefined) return undefined;
    filled.push({ place, script });
  }
  return filledProof(outline, theorem, filled);
}
