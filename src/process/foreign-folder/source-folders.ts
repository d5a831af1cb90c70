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
