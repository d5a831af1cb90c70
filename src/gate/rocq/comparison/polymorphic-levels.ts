/**
 * The universe levels of a polymorphic statement, which Rocq settles with its proof where nobody has named them: what of
 * them a proof may choose, and what it may demand.
 */
import { field, hasTag, nameText } from '../compiled/kernel-shape.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';
import { isCeiling, isFloor } from '../compiled/term-layout.ts';
import type { KernelEquality } from './kernel-equality.ts';
import { type LevelOrder, lostOrders, ordersOf } from './universe-constraints.ts';

/**
 * Whether nobody has named the universes of a polymorphic statement, those of its sections included: how many there are,
 * and in which order, Rocq settles only when it has the proof. With sort qualities nothing is left open.
 */
export function isSettledWithProof(
  layout: KernelLayout,
  target: OcamlValue,
  submission: OcamlValue,
): boolean {
  const names = layout.levelNames(target);
  const isOpen = names !== undefined && names.every((name) => name === 0 || isGivenByRocq(name));
  return isOpen && layout.levelNames(submission) !== undefined && layout.demandsOn(submission) !== undefined;
}

/**
 * The levels of a polymorphic statement are in the target's order: proof and target demand the same of them, each as it follows from
 * what the other says. All that the proof may add are bounds by levels of monomorphic declarations, as each use of one
 * brings them. Where nothing that is bound lies above such a level, these bounds order no two of the statement's own.
 * A statement that says all that it demands (`t@{u | }`) is not bounded either.
 */
export function demandsTheSame(
  layout: KernelLayout,
  equality: KernelEquality,
  universes: { readonly target: OcamlValue; readonly submission: OcamlValue; readonly saysAll: boolean },
): boolean {
  const { target, submission, saysAll } = universes;
  const [ours, theirs] = [layout.demandsOn(target), layout.demandsOn(submission)];
  const [names, theirNames] = [layout.levelNames(target), layout.levelNames(submission)];
  if (ours === undefined || theirs === undefined || names?.length !== theirNames?.length) return false;
  const mayBound = !saysAll && !ours.some(isFloor);
  // Levels of which nothing else speaks get their counterparts so.
  const isOurs = (demand: OcamlValue) => (own: OcamlValue) =>
    equality.attempt(() => equality.same(layout.levelConstraint, own, demand));
  const added = theirs.filter((demand) => !(isCeiling(demand) && mayBound) && !ours.some(isOurs(demand)));
  const counterpart = (level: string) => equality.counterpartOf(level);
  const [here, there] = [ordersOf(ours), ordersOf(theirs)];
  return (
    lostOrders(here, there, counterpart).length === 0 &&
    lostOrders(ordersOf(added), renamed(here, counterpart), (level) => level).length === 0
  );
}

/** What the target demands, in the levels of the submission, as far as it has them. */
function renamed(
  orders: readonly LevelOrder[],
  counterpart: (level: string) => string | undefined,
): LevelOrder[] {
  return orders.flatMap(({ low, high, isStrict }) => {
    const [lowThere, highThere] = [counterpart(low), counterpart(high)];
    return lowThere === undefined || highThere === undefined
      ? []
      : [{ low: lowThere, high: highThere, isStrict }];
  });
}

/** In a section Rocq calls levels that nobody named by library and number; nobody can write a dot into a name. */
function isGivenByRocq(name: OcamlValue): boolean {
  return hasTag(name, 0) && nameText(field(name, 0)).includes('.');
}
