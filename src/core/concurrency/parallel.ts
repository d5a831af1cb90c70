/** Several at once, where each takes its turn in the order of a list. */

/** Works on every item, `jobs` at once. Once the signal is aborted, nothing more is begun. */
export async function workThrough<Item>(
  items: readonly Item[],
  { jobs, signal }: { readonly jobs: number; readonly signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
}
