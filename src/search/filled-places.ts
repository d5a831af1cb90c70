/** What a proof comes to in its file: as its author left it with the places filled, or another one as a whole. */
import type { ProverSession } from '../core/prover.ts';
import { LineIndex } from '../core/position.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import type { SearchWorker } from './graph/search-options.ts';
import type { FoundProof } from './prove-request.ts';
import type { AtHole } from './search-sessions.ts';
import { withHidden } from './script/hide-unused.ts';
import type { OpenPlace } from './script/partial-proof.ts';
import { stepsSetAside } from './script/set-aside-steps.ts';
import { filledProof, wholeProof } from './script/splice.ts';

/** What stands in the file in the place of a hole. */
export type ProofInPlace = Pick<FoundProof, 'replacement' | 'setAside' | 'isOwn'>;

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

/** The author's steps with their end, where they have no open place; undefined where they have, or are no beginning. */
export function ownProof(
  places: readonly OpenPlace[] | undefined,
  { outline, theorem }: Pick<PartialProof, 'outline' | 'theorem'>,
): ProofInPlace | undefined {
  return places?.length === 0 ? { replacement: filledProof(outline, theorem, []), isOwn: true } : undefined;
}

/** @param places Undefined where the author finished no step. @returns undefined, too, where one of them is not filled. */
export async function filledPlaces(
  places: readonly OpenPlace[] | undefined,
  { outline, theorem, session }: PartialProof,
  search: SearchPlace,
): Promise<ProofInPlace | undefined> {
  // Steps without a place are no proof here: it is another one that is wanted.
  if (places === undefined || places.length === 0) return undefined;
  const filled: { place: OpenPlace; script: ScriptTree }[] = [];
  for (const [index, place] of places.entries()) {
    const worker = { session, root: place.root };
    const script = await search([worker], place.proof, PLACES_SHARE / (places.length - index * PLACES_SHARE));
    if (script === undefined) return undefined;
    filled.push({ place, script });
  }
  return { replacement: filledProof(outline, theorem, filled) };
}

/** What was found for all of the proof, with what it does without of the author's steps. */
export async function wholeInPlace(
  { outline, theorem }: Pick<PartialProof, 'outline' | 'theorem'>,
  found: ScriptTree,
  { worker, opened, hidden }: AtHole,
): Promise<ProofInPlace> {
  const script = await withHidden(worker.session, opened, hidden, found);
  const replacement = wholeProof(outline, theorem, script);
  const steps = stepsSetAside(outline, theorem, script);
  if (steps === undefined) return { replacement };
  const { line, column } = new LineIndex(outline.text).printedAt(steps.start);
  return { replacement, setAside: [{ kind: 'steps', line, column, text: steps.text }] };
}
