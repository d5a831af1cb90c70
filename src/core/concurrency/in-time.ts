import { setTimeout as sleep } from 'node:timers/promises';
import { timerDelay } from '../duration.ts';

/** What is awaited, or `late` where it takes longer. @throws what it fails with, where that is in time. */
export async function inTime<Value, Late>(
  awaited: Promise<Value>,
  milliseconds: number,
  late: Late,
): Promise<Value | Late> {
  const isThere = new AbortController();
  const over = sleep(timerDelay(milliseconds), late, { signal: isThere.signal });
  over.catch(() => undefined); // What is there needs no clock any more.
  try {
    return await Promise.race([awaited, over]);
  } finally {
    isThere.abort();
  }
}
