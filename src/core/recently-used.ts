/** Values by key, up to a size of all together: those that were not used for longest are dropped. */
export class RecentlyUsed<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #limit: number;
  #size = 0;

  /** @param limit The sizes of all values together; the newest is kept however large it is. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value of a key, which counts as used now. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value. @returns what was dropped for it, without what stood under its key before. */
  keep(key: string, value: Value, size = 1): Value[] {
    this.drop(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    const dropped: Value[] = [];
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit || oldest === key) break;
      this.drop(oldest);
      dropped.push(entry.value);
    }
    return dropped;
  }

  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  /** The least recently used first; looking at them uses none. */
  entries(): [string, Value][] {
    return [...this.#entries].map(([key, { value }]) => [key, value]);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
