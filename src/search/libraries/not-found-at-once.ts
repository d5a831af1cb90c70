/** Most proofs are found at once, and what would help in finding others only delays these. */
import { setTimeout as sleep } from 'node:timers/promises';

const AT_ONCE_MS = 500;

/** Settles when a search that has just begun has gone on for a while, or is over. */
export async function untilNotFoundAtOnce(signal: AbortSignal): Promise<void> {
  await sleep(AT_ONCE_MS, undefined, { signal }).catch(() => undefined);
}
