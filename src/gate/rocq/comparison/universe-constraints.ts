/**
 * The order of universe levels that a file demands. A proof may demand more of the levels than the target does; what the
 * target demands has to be demanded by the submission as well, or its statements speak of other levels.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { generatedName } from './kernel-equality.ts';
import { field, misfit } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { membersOf } from '../compiled/term-layout.ts';

/** That a level is below another, or at most as high. */
export interface LevelOrder {
  readonly low: string;
  readonly high: string;
  readonly isStrict: boolean;
}

const [BELOW, EQUAL] = [0, 2];

/** What a file demands of levels. @throws MalformedValue */
export function levelOrders(file: CompiledFile): LevelOrder[] {
  const { layout, library } = compiledLibrary(file);
  return ordersOf(membersOf(layout.constraintsOf(library)));
}

/** What constraints say, each by itself. */
export function ordersOf(constraints: Iterable<OcamlValue>): LevelOrder[] {
  const orders: LevelOrder[] = [];
  for (const constraint of constraints) {
    const [low, high] = [levelName(field(constraint, 0)), levelName(field(constraint, 2))];
    const kind = field(constraint, 1);
    orders.push({ low, high, isStrict: kind === BELOW });
    if (kind === EQUAL) orders.push({ low: high, high: low, isStrict: false });
  }
  return orders;
}

/** `Set` by its number, one that a declaration binds by its place, others by what identifies them. */
function levelName(level: OcamlValue): string {
  const data = field(level, 1);
  if (data instanceof Block) {
    const by = field(data, 0);
    return typeof by === 'number' ? `${BOUND}${by}` : generatedName(by);
  }
  if (typeof data !== 'number') throw misfit('a universe level');
  return `${CONSTANT}${data}`;
}

const [CONSTANT, BOUND] = ['constant ', 'bound '];

/** Whether a declaration binds it. */
export function isBound(level: string): boolean {
  return level.startsWith(BOUND);
}

function isConstant(level: string): boolean {
  return level.startsWith(CONSTANT);
}

/**
 * What `target` demands of levels that have a counterpart, directly or by way of levels that have none, and `submission`
 * does not demand of the counterparts.
 */
export function lostOrders(
  target: readonly LevelOrder[],
  submission: readonly LevelOrder[],
  counterpart: (level: string) => string | undefined,
): LevelOrder[] {
  const above = byLow(target);
  // Every level is at least itself, and at least `Set`.
  const floors = [...above.keys()].filter(isConstant);
  const atLeast = floors.flatMap((low) =>
    submission.map(({ low: high }) => ({ low, high, isStrict: false })),
  );
  const theirs = byLow([...submission, ...atLeast]);
  const lost: LevelOrder[] = [];
  for (const low of above.keys()) {
    const lowThere = counterpart(low);
    if (lowThere === undefined) continue;
    const found = reachable(above, low, (level) => counterpart(level) === undefined);
    if (found.size === 0) continue;
    const foundThere = reachable(theirs, lowThere);
    for (const [high, isStrict] of found) {
      const highThere = counterpart(high);
      if (highThere === undefined) continue;
      if (!isStrict && (highThere === lowThere || isConstant(lowThere))) continue;
      const there = foundThere.get(highThere);
      if (there === undefined || (isStrict && !there)) lost.push({ low, high, isStrict });
    }
  }
  return lost;
}

/** The levels above one, and whether strictly; behind those that `isPassed` refuses it is not looked. */
export function reachable(
  above: ReadonlyMap<string, readonly LevelOrder[]>,
  from: string,
  isPassed: (level: string) => boolean = () => true,
): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const pending = [{ level: from, isStrict: false }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const { high, isStrict } of above.get(at.level) ?? []) {
      const strictly = at.isStrict || isStrict;
      const known = found.get(high);
      if (known === true || known === strictly) continue;
      found.set(high, strictly);
      if (isPassed(high)) pending.push({ level: high, isStrict: strictly });
    }
  }
  return found;
}

export function byLow(orders: readonly LevelOrder[]): ReadonlyMap<string, readonly LevelOrder[]> {
  return Map.groupBy(orders, ({ low }) => low);
}
