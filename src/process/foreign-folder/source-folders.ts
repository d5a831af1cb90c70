/** Which folders of a project may hold sources of its own. */

/**
 * False for what is hidden, for what tools leave out by their custom (`_build`, `_opam`, `_old`: dune looks into no
 * folder whose name begins so) and for packages of others.
 *
 * @param name Of the folder alone, without what it stands in.
 */
export function mayHoldSources(name: string): boolean {
  return !/^[._]|^node_modules$/u.test(name);
}

/** Every folder of results of `quod bench run` has it, from the beginning of the run. */
export const RESULTS_FILE = 'cells.jsonl';

/** In a folder of results: copies of the sources that are worked on. */
export const CELLS_FOLDER = 'cells';
export const SCRATCH_FOLDER = 'scratch';
