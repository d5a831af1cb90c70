/** Which indexed libraries a file builds on: those it requires, those they require, the nearest first. */
import { lastPart } from '../../core/qualified-name.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { SourceHeader } from './library-index.ts';

type Requires = readonly { readonly from?: string | undefined; readonly modules: readonly string[] }[];

/** Entries reachable from `requires`, by distance. A module that is not indexed ends its branch. */
export function reachableSources<Entry extends { readonly header: SourceHeader }>(
  requires: Requires,
  entries: readonly Entry[],
  /** Logical roots whose modules the file may name by their last names: those of its own project. */
  ownRoots: readonly string[] = [],
): Entry[] {
  const byLastName = new Map<string, Entry[]>();
  for (const entry of entries) {
    const last = lastPart(entry.header.library);
    byLastName.set(last, [...(byLastName.get(last) ?? []), entry]);
  }
  const reached = new Set<Entry>();
  let frontier = resolve(requires, byLastName, ownRoots);
  while (frontier.length > 0) {
    const next: Entry[] = [];
    for (const entry of frontier) {
      if (reached.has(entry)) continue;
      reached.add(entry);
      const [root = ''] = entry.header.library.split('.');
      appendAll(next, resolve(entry.header.requires, byLastName, [root]));
    }
    frontier = next;
  }
  return [...reached];
}

function resolve<Entry extends { readonly header: SourceHeader }>(
  requires: Requires,
  byLastName: ReadonlyMap<string, readonly Entry[]>,
  ownRoots: readonly string[],
): Entry[] {
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) =>
      (byLastName.get(lastPart(module)) ?? []).filter(({ header }) =>
        matches(header.library, from, module, ownRoots),
      ),
    ),
  );
}

/** As Rocq resolves it: without `From`, only the standard library and the project itself go by their last names. */
function matches(
  library: string,
  from: string | undefined,
  module: string,
  ownRoots: readonly string[],
): boolean {
  if (library === module) return true;
  if (from === undefined && !['Coq', ...ownRoots].some((root) => library.startsWith(`${root}.`)))
    return false;
  if (from !== undefined && !library.startsWith(`${from}.`)) return false;
  return library.endsWith(`.${module}`);
}
