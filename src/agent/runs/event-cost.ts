/** What an event of a run tells of costs. */
import { orZero } from '../../core/entry.ts';
import type { CostSum } from '../models/cost-sum.ts';
import { costIsNumber } from '../models/prices.ts';
import type { EventOf, RunEvent } from './events.ts';

export function costOfEvent(event: EventOf<'model-answered' | 'model-failed' | 'driver-ended'>): CostSum {
  // A log is text: a cost below nothing would make room for more.
  const cost = Math.max(0, orZero(event.cost));
  if (event.cost !== null || event.kind === 'model-failed') return { cost, uncosted: 0 };
  return { cost, uncosted: event.kind === 'driver-ended' ? Math.max(1, event.calls) : 1 };
}

/** US dollars of it that are estimated: nobody tells the cost of what failed or was cut off. */
export function estimatedCost(event: RunEvent): number {
  switch (event.kind) {
    case 'model-failed':
      return counted(event.cost);
    case 'driver-ended':
      return event.estimated === true ? counted(event.cost) : 0;
    case 'model-answered':
      return event.estimated === true ? counted(event.cost) : counted(event.wasted ?? null);
    default:
      return 0;
  }
}

function counted(cost: number | null): number {
  return cost !== null && costIsNumber(cost) ? Math.max(0, cost) : 0;
}
