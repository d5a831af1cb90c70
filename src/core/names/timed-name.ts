/** Names that begin with a time and sort in its order: of runs, of kept verdicts. */
import { randomBytes } from 'node:crypto';

/** @param last The last one until now: of two in one millisecond chance would tell the order. */
export function timedName(at: Date, last?: string): string {
  const own = stampOf(at);
  const stamp = last?.startsWith(`${own}-`) === true ? stampOf(new Date(at.getTime() + 1)) : own;
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}

/** To the millisecond. */
function stampOf(at: Date): string {
  return at
    .toISOString()
    .replace(/[-:.Z]/gu, '')
    .replace('T', '-');
}
