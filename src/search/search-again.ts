/** How much a theorem that is searched once more may take of its budget. */
import type { SearchedAgain } from './prove-request.ts';

/** What a brief search may take at least. */
const LEAST = { elapsedMs: 2000, nodes: 200 };

/** Of a budget in milliseconds or nodes, what may be used by the end of the search; what was used before counts. */
export function budgetAgain(
  again: SearchedAgain | undefined,
): (all: number, unit: keyof typeof LEAST) => number {
  return (all, unit) => {
    if (again?.isBrief !== true) return all;
    const before = again.before[unit];
    return Math.min(all, before + Math.max(before, LEAST[unit]));
  };
}
