/**
 * Proofs that are there before anything is searched: those of earlier runs, and that of this run where a theorem is
 * searched again. Steps that name what a proof is not to rest on are left out where the rest proves it still.
 */
import type { ProofState } from '../core/proof-state.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import type { SearchWorker } from './graph/search-options.ts';
import { KeptBetweenRuns } from './kept-between-runs.ts';
import type { ProveRequest } from './prove-request.ts';
import { withoutStatements } from './script/fewer-statements.ts';
import { FOUND_PROOFS } from './script/found-proofs.ts';
import type { RestyledProof } from './script/style/restyle.ts';
import { rewritten, type RewriteOptions } from './theorem-search.ts';

/** Where a proof is to fit. */
export interface PlaceOfProof {
  readonly worker: SearchWorker;
  readonly state: ProofState;
  readonly isAvoided: (text: string) => boolean;
}

/** What a proof is kept for: the statement, and the goals where it is a place in an author's proof. */
export function askedBy(statement: string, { goals }: ProofState): string {
  return [statement, ...goals.map(({ conclusion }) => conclusion)].join('\0');
}

export class EarlierProofs {
  readonly #kept: KeptBetweenRuns<{ readonly found: ScriptTree }> | undefined;
  readonly #ofThisRun = new Map<string, ScriptTree>();

  constructor(request: ProveRequest) {
    this.#kept = KeptBetweenRuns.of(request, FOUND_PROOFS);
  }

  /** What an earlier run found for the goals in focus, written as is asked for now. */
  async ofEarlierRun(
    asked: string,
    place: PlaceOfProof,
    options: RewriteOptions,
  ): Promise<RestyledProof | undefined> {
    const kept = await fitted((await this.#kept?.find(asked))?.found, place, options);
    if (kept !== undefined) this.#ofThisRun.set(asked, kept.found);
    return kept;
  }

  /** What this run found for them, where it need not rest on what is avoided. */
  ofThisRun(asked: string, place: PlaceOfProof, options: RewriteOptions): Promise<RestyledProof | undefined> {
    return fitted(this.#ofThisRun.get(asked), place, options);
  }

  async keep(asked: string, found: ScriptTree): Promise<void> {
    this.#ofThisRun.set(asked, found);
    await this.#kept?.keep(asked, { found });
  }

  async forget(asked: string): Promise<void> {
    await this.#kept?.forget(asked);
  }
}

async function fitted(
  found: ScriptTree | undefined,
  { worker, state, isAvoided }: PlaceOfProof,
  options: RewriteOptions,
): Promise<RestyledProof | undefined> {
  return found && rewritten(withoutStatements(found, isAvoided), worker, state, options);
}
