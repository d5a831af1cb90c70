/**
 * The distance of two proofs straight from its definition: full tables, no bits, no band, nothing remembered. For
 * tests.
 */

function weightedLevenshtein<Item>(
  one: readonly Item[],
  other: readonly Item[],
  replacement: (left: Item, right: Item) => number,
): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? NaN;
  one.forEach((left, row) => {
    other.forEach((right, column) => {
      const cells = table[row + 1];
      if (cells === undefined) return;
      cells[column + 1] = Math.min(
        at(row, column + 1) + 1,
        at(row + 1, column) + 1,
        at(row, column) + replacement(left, right),
      );
    });
  });
  return at(one.length, other.length);
}

export function slowStringDistance(one: string, other: string): number {
  return weightedLevenshtein(Array.from(one), Array.from(other), (left, right) => (left === right ? 0 : 1));
}

function tacticDistance(one: string, other: string): number {
  if (one === other) return 0;
  return slowStringDistance(one, other) / Math.max(Array.from(one).length, Array.from(other).length);
}

export function slowProofDistance(one: readonly string[], other: readonly string[], alpha = 0.7): number {
  if (one.length === 0 && other.length === 0) return 0;
  const edits = weightedLevenshtein(one, other, tacticDistance) / Math.max(one.length, other.length);
  const union = new Set([...one, ...other]);
  const common = new Set(one.filter((tactic) => other.includes(tactic)));
  return alpha * edits + (1 - alpha) * (1 - common.size / union.size);
}
