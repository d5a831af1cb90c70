/**
 * Proofs that are there before anything is searched: those of earlier runs, and that of this run where a theorem is
 * searched again. Steps that name what a proof is not to rest on are left out where the rest proves it still.
 */
import type { ProofState } from '../core/proof-state.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import type { SearchWorker } from './graph/search-options.ts';
import { KeptBetweenRuns } from './kept-between-runs.ts';
import type { ProveRequest } from './prove-request.ts';
import { hasAvoided, withoutStatements } from './script/fewer-statements.ts';
import { FOUND_PROOFS, type KeptProof } from './script/found-proofs.ts';
import type { RestyledProof } from './script/style/restyle.ts';
import { rewritten, stillCloses, type RewriteOptions } from './theorem-search.ts';

/** Where a proof is to fit. */
export interface PlaceOfProof {
  readonly worker: SearchWorker;
  readonly state: ProofState;
  readonly isAvoided: (text: string) => boolean;
}

/**
 * What a proof is kept for: the statement, and the goals where it is a place in an author's proof.
 * @param steps Of the author, where all of the proof stands in the place of these, which came to nothing.
 */
export function askedBy(statement: string, { goals }: ProofState, steps?: string): string {
  const asked = [statement, ...goals.map(({ conclusion }) => conclusion)];
  return (steps === undefined ? asked : [...asked, 'instead of', steps]).join('\0');
}

export class EarlierProofs {
  readonly #kept: KeptBetweenRuns<KeptProof> | undefined;
  readonly #ofThisRun = new Map<string, ScriptTree>();

  readonly #style: string;

  constructor(request: ProveRequest) {
    this.#style = request.style ?? 'terse';
    this.#kept = KeptBetweenRuns.of(request, FOUND_PROOFS);
  }

  /**
   * What an earlier run found for the goals in focus: as it was shown in the style that is asked for, else written in
   * it now, which later runs show again.
   */
  async ofEarlierRun(
    asked: string,
    place: PlaceOfProof,
    options: RewriteOptions,
  ): Promise<RestyledProof | undefined> {
    const kept = await this.#kept?.find(asked);
    if (kept === undefined) return undefined;
    const shown = kept.shown?.[this.#style];
    const { worker, state, isAvoided } = place;
    if (shown !== undefined && !hasAvoided(shown.written, isAvoided)) {
      this.#ofThisRun.set(asked, kept.found);
      if (await stillCloses(shown.written, { first: worker, proof: state }, options))
        return { ...shown, found: kept.found };
    }
    const anew = await fitted(kept.found, place, options);
    if (anew === undefined) return undefined;
    this.#ofThisRun.set(asked, anew.found);
    await this.#kept?.keep(asked, { ...kept, shown: { ...kept.shown, [this.#style]: shownOf(anew) } });
    return anew;
  }

  /** What this run found for them, where it need not rest on what is avoided. */
  ofThisRun(asked: string, place: PlaceOfProof, options: RewriteOptions): Promise<RestyledProof | undefined> {
    return fitted(this.#ofThisRun.get(asked), place, options);
  }

  async keep(asked: string, proof: RestyledProof): Promise<void> {
    const { found } = proof;
    this.#ofThisRun.set(asked, found);
    await this.#kept?.keep(asked, { found, shown: { [this.#style]: shownOf(proof) } });
  }

  async forget(asked: string): Promise<void> {
    await this.#kept?.forget(asked);
  }
}

/** What a theorem got in one search, its whole proof or the places of it. */
export class ProofsOfTheorem {
  readonly #earlier: EarlierProofs;
  readonly #insteadOfSteps: string | undefined;
  readonly #proofs = new Map<string, RestyledProof>();

  /** @param insteadOfSteps What a proof is kept for that stands in the place of an author's steps; undefined where there are none. */
  constructor(earlier: EarlierProofs, insteadOfSteps: string | undefined) {
    this.#earlier = earlier;
    this.#insteadOfSteps = insteadOfSteps;
  }

  /** Answers the proof. */
  add(asked: string, proof: RestyledProof): RestyledProof {
    this.#proofs.set(asked, proof);
    return proof;
  }

  /** What an earlier run found when the author's steps had come to nothing: these are not gone on from again. */
  async insteadOfSteps(place: PlaceOfProof, options: RewriteOptions): Promise<RestyledProof | undefined> {
    const asked = this.#insteadOfSteps;
    const kept = asked === undefined ? undefined : await this.#earlier.ofEarlierRun(asked, place, options);
    if (asked !== undefined && kept !== undefined) this.#proofs.set(asked, kept);
    return kept;
  }

  /** All of the proof is the one that was kept for this, whatever the author's steps are. */
  async standInsteadOfSteps(whole: string): Promise<void> {
    const asked = this.#insteadOfSteps;
    const proof = this.#proofs.get(whole);
    if (asked === undefined || proof === undefined) return;
    this.#proofs.set(asked, proof);
    await this.#earlier.keep(asked, proof);
  }

  /** Later runs are to be given what is shown, also where another proof was found behind it and given up. */
  async keep(): Promise<void> {
    for (const [asked, proof] of this.#proofs) await this.#earlier.keep(asked, proof);
  }

  async forget(): Promise<void> {
    for (const asked of this.#proofs.keys()) await this.#earlier.forget(asked);
  }
}

function shownOf({ written, unnamed }: RestyledProof) {
  return { written, unnamed };
}

async function fitted(
  found: ScriptTree | undefined,
  { worker, state, isAvoided }: PlaceOfProof,
  options: RewriteOptions,
): Promise<RestyledProof | undefined> {
  return found && rewritten(withoutStatements(found, isAvoided), worker, state, options);
}
