/** What Rocq answers to `Print LoadPath.`: the folders in which it looks for libraries. */

export interface LibraryFolder {
  /** Dotted; empty for what has no name above it. */
  readonly logical: string;
  readonly physical: string;
}

/** A long folder stands on a line of its own. */
export function foldersOf(printed: string): readonly LibraryFolder[] {
  return [...printed.replaceAll(/\n\s+/gu, ' ').matchAll(/^(\S+) (\/.*)$/gmu)].map(
    ([, logical = '', physical = '']) => ({ logical: logical === '<>' ? '' : logical, physical }),
  );
}
