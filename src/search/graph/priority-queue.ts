/** A binary min-heap. Equal priorities leave in the order in which they came, so that a search is reproducible. */
export class PriorityQueue<Item> {
  readonly #heap: { priority: number; order: number; item: Item }[] = [];
  #count = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The smallest priority, or infinity. */
  get nextPriority(): number {
    return this.#heap[0]?.priority ?? Infinity;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  push(item: Item, priority: number): void {
    const entry = { priority, order: this.#count, item };
    this.#count += 1;
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || !before(entry, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = entry;
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined) return undefined;
    if (heap.length === 0) return top.item;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      let least = left;
      if (right !== undefined && before(right, left)) {
        least = right;
        child += 1;
      }
      if (!before(least, last)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return top.item;
  }
}

function before(
  left: { priority: number; order: number },
  right: { priority: number; order: number },
): boolean {
  return left.priority < right.priority || (left.priority === right.priority && left.order < right.order);
}
