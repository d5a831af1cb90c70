/** What calls of models cost together, and the words for it. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { costIsNumber } from './prices.ts';

/** As answers have it. */
export const costSumFields = {
  cost: z.number().describe('US dollars, of the calls of which it is known.'),
  uncosted: z.int().describe('Calls of which nobody told what they cost.'),
};

export type CostSum = Readonly<z.output<z.ZodObject<typeof costSumFields>>>;

/** @param cost US dollars; null when the price is not known. */
export function costText(cost: number | null): string {
  if (cost === null) return 'price not known';
  return costIsNumber(cost) ? `$${cost.toFixed(4)}` : 'cost unknown';
}

export function costSumText({ cost, uncosted }: CostSum): string {
  if (uncosted === 0) return costText(cost);
  const untold = `the cost of ${counted(uncosted, 'call')} not known`;
  return cost === 0 ? untold : `${costText(cost)}, ${untold}`;
}
