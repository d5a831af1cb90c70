/** Costs as the page writes them. */
import { counted } from '../../../src/core/counted.ts';

export function dollarsText(cost: number): string {
  return `$${cost.toFixed(cost !== 0 && cost < 0.1 ? 4 : 2)}`;
}

/** @param spent US dollars of the calls of which it is known, and how many others there are. */
export function costText({ cost, uncosted }: { readonly cost: number; readonly uncosted: number }): string {
  if (uncosted === 0) return dollarsText(cost);
  return `${cost === 0 ? '' : `${dollarsText(cost)} and `}${counted(uncosted, 'call')} of unknown cost`;
}
