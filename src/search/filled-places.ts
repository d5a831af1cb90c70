/** Keeps what the author wrote of a proof and searches only the places that were left open. */
import type { ProverSession } from '../core/prover.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import type { SearchWorker } from './graph/search-options.ts';
import type { FoundProof } from './prove-request.ts';
import type { OpenPlace } from './script/partial-proof.ts';
import { filledProof } from './script/splice.ts';

/** What stands in the file in the place of a hole. */
export type ProofInPlace = Pick<FoundProof, 'replacement' | 'setAside'>;

/** Searches the goals in focus with a share of what is left of the budget. */
export type SearchPlace = (
  workers: readonly SearchWorker[],
  proof: ProofState,
  share: number,
) => Promise<ScriptTree | undefined>;

/** Whose places they are, and where they can be searched. */
export interface PartialProof {
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
  readonly session: ProverSession;
}

/** The part of the budget that goes to the places an author left open, before the whole proof is searched anew. */
const PLACES_SHARE = 0.5;

/** @param places Undefined where the author finished no step. @returns undefined, too, where one of them is not filled. */
export async function filledPlaces(
  places: readonly OpenPlace[] | undefined,
  { outline, theorem, session }: PartialProof,
  search: SearchPlace,
): Promise<ProofInPlace | undefined> {
  if (places === undefined) return undefined;
  const filled: { place: OpenPlace; script: ScriptTree }[] = [];
  for (const [index, place] of places.entries()) {
    const worker = { session, root: place.root };
    const script = await search([worker], place.proof, PLACES_SHARE / (places.length - index * PLACES_SHARE));
    if (script === undefined) return undefined;
    filled.push({ place, script });
  }
  return { replacement: filledProof(outline, theorem, filled) };
}
