/**
 * Many vectors, each with an item, and the nearest of them to a given one. Two places keep them: files of an index
 * in this process, and PostgreSQL. Both belong to one model: vectors of different models mean nothing to each other.
 */

/** Where vectors come from, as a whole: a library's file of a data set. Added whole or not at all. */
export interface IndexSource {
  readonly name: string;
  /** Of its content. */
  readonly hash: string;
}

export interface IndexEntry {
  /** Of length one. */
  readonly vector: Float32Array;
  /** Any JSON value: what a neighbour is answered as. */
  readonly item: unknown;
}

export interface VectorNeighbour {
  readonly item: unknown;
  /** Cosine of the vectors, in [-1, 1]. */
  readonly similarity: number;
}

export interface VectorIndex {
  /** Vectors that are committed. */
  readonly size: number;
  /**
   * The `count` nearest, best first. Approximate: recall is measured by `npm run bench:retrieval`.
   * @throws QuodError `file-unreadable` when what is stored is damaged.
   */
  nearest(vector: Float32Array, count: number): Promise<VectorNeighbour[]>;
  close(): Promise<void>;
}

export interface VectorIndexBuilder {
  readonly size: number;
  /** True when this version of the source is in the index; throws `invalid-input` when another version is. */
  has(source: IndexSource): boolean;
  /** Adds all of a source. When the promise is fulfilled the source outlives a crash; before, all of it may be lost. */
  add(source: IndexSource, entries: readonly IndexEntry[]): Promise<void>;
  /** Makes the index fast to open. Without it nothing is lost. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
