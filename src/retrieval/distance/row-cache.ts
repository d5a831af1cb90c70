/** Rows of distances by number, as many as fit into the memory given; the least recently used makes room. */
import { orZero } from '../../core/entry.ts';
export class RowCache<Row extends Float32Array | Uint32Array> {
  readonly #rows = new Map<number, Row>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The row that is kept, else the one that `make` makes. */
  get(number: number, make: () => Row): Row {
    const kept = this.#rows.get(number);
    const row = kept ?? make();
    this.delete(number);
    this.#rows.set(number, row);
    this.#bytes += row.byteLength;
    for (const oldest of this.#rows.keys()) {
      if (this.#bytes <= this.#mostBytes || oldest === number) break;
      this.delete(oldest);
    }
    return row;
  }

  delete(number: number): void {
    this.#bytes -= orZero(this.#rows.get(number)?.byteLength);
    this.#rows.delete(number);
  }
}
