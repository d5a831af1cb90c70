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

interface SearchedRows<Row> {
  readonly rows: readonly Row[];
  /** The place of the chosen one; -1 where none is chosen, or where it was before the words were typed. */
  readonly at: number;
  readonly choose: (row: Row) => void;
  readonly open: (row: Row) => void;
}

/** The keys of a search field above a list: arrows choose a row, Enter opens it, or the first where none is chosen. */
export function searchKeys<Row>(event: KeyboardEvent, { rows, at, choose, open }: SearchedRows<Row>): void {
  if (event.isComposing) return;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const row = step === 0 ? rows[Math.max(0, at)] : rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  if ((step === 0 && event.key !== 'Enter') || row === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (step === 0) open(row);
  else choose(row);
}
