/** The budget of a search that works: whoever started it may have changed it meanwhile. */
import type { OperationContext } from '../definition/operation-context.ts';

/** Seconds for each theorem. */
export function budgetNow(
  { budget }: { readonly budget: number },
  { inputNow }: Pick<OperationContext, 'inputNow'>,
): number {
  const now = inputNow?.()['budget'];
  return typeof now === 'number' ? now : budget;
}
