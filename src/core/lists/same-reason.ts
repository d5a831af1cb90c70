/** Folds what is told of many for the same reason: one line says it of all of them. */

export interface SameReason<Item, Reason> {
  readonly reason: Reason;
  /** At least one, in their order. */
  readonly of: readonly Item[];
}

/** In the order of the first of each reason. */
export function withSameReason<Item, Reason>(
  items: readonly Item[],
  reasonOf: (item: Item) => Reason,
): readonly SameReason<Item, Reason>[] {
  return [...Map.groupBy(items, reasonOf)].map(([reason, of]) => ({ reason, of }));
}
