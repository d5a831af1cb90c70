/**
 * What a click begins is begun once: until the answer to its request is there, further clicks on the same begin nothing,
 * whichever button, key or command they come from.
 */
import { signal } from '@preact/signals';

const underWay = signal<ReadonlySet<string>>(new Set());

/** Whether it waits for its answer, for the look of a button. */
export function isUnderWay(what: string): boolean {
  return underWay.value.has(what);
}

/** @param what Says what is begun. @returns undefined where that is under way already; else the answer. */
export async function once<Answer>(what: string, begin: () => Promise<Answer>): Promise<Answer | undefined> {
  if (underWay.peek().has(what)) return undefined;
  underWay.value = new Set([...underWay.peek(), what]);
  try {
    return await begin();
  } finally {
    underWay.value = new Set([...underWay.peek()].filter((one) => one !== what));
  }
}

/** Whether a click is the second of a double one, meant for what stood in this place at the first. */
export function isSecondClick({ detail }: MouseEvent): boolean {
  return detail > 1;
}
