/**
 * Whether all that a file declares can be had at once. What a polymorphic declaration demands of levels that it does not bind
 * stands in it alone, in no order of the file: two that demand contrary orders are each accepted, and no file can use both.
 */
import { qualified } from '../../../core/qualified-name.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { constantsAndTypes } from '../compiled/declarations.ts';
import type { ComparisonWork } from './comparison-work.ts';
import {
  byLow,
  isBound,
  levelOrders,
  type LevelOrder,
  lostOrders,
  ordersOf,
  reachable,
} from './universe-constraints.ts';

/** That a declaration demands an order of two levels, neither of which it binds. */
export interface Demand extends LevelOrder {
  readonly by: string;
}

/**
 * Demands of the declarations of a file that cannot be had at once, or not with those of its libraries and what orders levels there and in
 * the file: as few as that takes, and none where all can.
 * @throws MalformedValue, TooMuchWork, and what `libraries` throws.
 */
export async function contradiction(
  file: CompiledFile,
  isMeant: (name: string) => boolean,
  libraries: () => Promise<readonly CompiledFile[]>,
  work: ComparisonWork,
): Promise<readonly Demand[]> {
  const own = demandsIn(file, isMeant);
  if (own.length === 0) return [];
  const others = await libraries();
  const known = [file, ...others].flatMap(levelOrders);
  const all = [...own, ...others.flatMap((library) => demandsIn(library))];
  if (!own.some(isInCircle(known, all, work))) return [];
  let found = all.filter(isInCircle(known, all, work));
  // Some of the file's own stay, and of these what comes first, which a declaration says itself.
  for (const one of found.toReversed()) {
    const without = found.filter((other) => other !== one);
    const fewer = without.filter(isInCircle(known, without, work));
    if (fewer.some((other) => own.includes(other))) found = fewer;
  }
  return found;
}

/** @param isMeant of its own declarations; undefined for a library, the name of which stands before them. */
function demandsIn(file: CompiledFile, isMeant?: (name: string) => boolean): readonly Demand[] {
  const { layout } = compiledLibrary(file);
  const prefix = isMeant === undefined ? libraryNameOf(file) : '';
  return [...constantsAndTypes(file)].flatMap(({ name, kind, value }) => {
    if (isMeant?.(name) === false) return [];
    const orders = ordersOf(layout.levelDemands(layout[kind].of(value, 'universes')));
    const between = lostOrders(orders, [], (level) => (isBound(level) ? undefined : level));
    return between.map((order) => ({ by: qualified(prefix, name), ...order }));
  });
}

/** Whether a level would be below itself by way of a demand. */
function isInCircle(known: readonly LevelOrder[], demands: readonly Demand[], work: ComparisonWork) {
  const above = byLow([...known, ...demands]);
  return ({ low }: Demand): boolean => {
    work.spend(known.length + demands.length);
    return reachable(above, low).get(low) === true;
  };
}
