/** How much of what a run cost is estimated: the provider tells no cost of tries that failed or were cut off. */
import { costIsNumber } from '../models/prices.ts';
import type { RunEvent } from './events.ts';

/** US dollars. */
export function estimatedCost(event: RunEvent): number {
  switch (event.kind) {
    case 'model-failed':
      return counted(event.cost);
    case 'model-answered':
      return event.estimated === true ? counted(event.cost) : counted(event.wasted ?? null);
    default:
      return 0;
  }
}

function counted(cost: number | null): number {
  return cost !== null && costIsNumber(cost) ? Math.max(0, cost) : 0;
}
