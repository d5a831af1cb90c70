/**
 * What a server says of the tokens of an answer is believed within reason: it decides what a run may still spend.
 * What cannot be (nothing for a long answer, less than nothing, more cached than sent) is replaced by an estimate
 * from what was sent and received.
 */
import type { Usage } from './prices.ts';

/** No tokenizer makes so few tokens: 256 characters each. */
const MOST_TIMES_FEWER = 64;
/** Scripts of which a character is several tokens. */
const MOST_TIMES_MORE = 16;
/** What a server says to the model itself; and thoughts that are not shown count as well. */
const OF_A_SERVER = { input: 20_000, output: 2_000_000 };

/** @param unseen The most tokens of what nobody here sees. */
export function believedUsage(
  reported: Usage | undefined,
  estimated: Usage,
  unseen = OF_A_SERVER,
): { readonly usage: Usage; readonly isEstimated: boolean } {
  return reported !== undefined && isBelievable(reported, estimated, unseen)
    ? { usage: reported, isEstimated: false }
    : { usage: estimated, isEstimated: true };
}

function isBelievable(reported: Usage, estimated: Usage, unseen: typeof OF_A_SERVER): boolean {
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = reported;
  const { cacheWriteHourTokens = 0 } = reported;
  return (
    [inputTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens, outputTokens].every(
      (count) => Number.isSafeInteger(count) && count >= 0,
    ) &&
    cachedTokens + cacheWriteTokens <= inputTokens &&
    cacheWriteHourTokens <= cacheWriteTokens &&
    inputTokens * MOST_TIMES_FEWER >= estimated.inputTokens &&
    inputTokens <= estimated.inputTokens * MOST_TIMES_MORE + unseen.input &&
    outputTokens * MOST_TIMES_FEWER >= estimated.outputTokens - MOST_TIMES_FEWER &&
    outputTokens <= unseen.output
  );
}
