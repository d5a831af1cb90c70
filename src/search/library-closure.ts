/** Which indexed libraries a file builds on: those it requires, those they require, the nearest first. */
import type { SourceHeader } from './library-index.ts';

type Requires = readonly { readonly from?: string | undefined; readonly modules: readonly string[] }[];

/** Entries reachable from `requires`, by distance. A module that is not indexed ends its branch. */
export function requiredSources<Entry extends { readonly header: SourceHeader }>(
  requires: Requires,
  entries: readonly Entry[],
): Entry[] {
  const byLastName = new Map<string, Entry[]>();
  for (const entry of entries) {
    const last = lastName(entry.header.library);
    byLastName.set(last, [...(byLastName.get(last) ?? []), entry]);
  }
  const reached = new Set<Entry>();
  let frontier = resolve(requires, byLastName);
  while (frontier.length > 0) {
    const next: Entry[] = [];
    for (const entry of frontier) {
      if (reached.has(entry)) continue;
      reached.add(entry);
      next.push(...resolve(entry.header.requires, byLastName));
    }
    frontier = next;
  }
  return [...reached];
}

function resolve<Entry extends { readonly header: SourceHeader }>(
  requires: Requires,
  byLastName: ReadonlyMap<string, readonly Entry[]>,
): Entry[] {
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) =>
      (byLastName.get(lastName(module)) ?? []).filter(({ header }) => matches(header.library, from, module)),
    ),
  );
}

function matches(library: string, from: string | undefined, module: string): boolean {
  if (from !== undefined && library !== from && !library.startsWith(`${from}.`)) return false;
  return library === module || library.endsWith(`.${module}`);
}

function lastName(library: string): string {
  return library.slice(library.lastIndexOf('.') + 1);
}
