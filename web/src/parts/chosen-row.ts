/** Which row of a list is chosen. */
import { useSignal } from '@preact/signals';

export interface ChosenRow<Row> {
  /** Its place among the rows; -1 where none is chosen, or where the chosen one is not among them. */
  readonly index: number;
  readonly row: Row | undefined;
  readonly choose: (row: Row | undefined) => void;
}

/**
 * The choice is kept by what the row is, never by its place: a new answer puts other rows in the same places.
 * `first` is the key of the row that is chosen at the beginning.
 */
export function useChosenRow<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  first?: string,
): ChosenRow<Row> {
  const chosen = useSignal(first);
  const index = chosen.value === undefined ? -1 : rows.findIndex((row) => keyOf(row) === chosen.value);
  return {
    index,
    row: rows[index],
    choose: (row) => (chosen.value = row === undefined ? undefined : keyOf(row)),
  };
}
