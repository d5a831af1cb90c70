/**
 * What a server says of the tokens of an answer is believed within reason: it decides what a run may still spend.
 * What cannot be (nothing for a long answer, less than nothing, more cached than sent) is replaced by an estimate
 * from what was sent and received.
 */
import type { Usage } from './prices.ts';

/** No tokenizer makes so few tokens: 256 characters each. */
const MOST_TIMES_FEWER = 64;
/** Scripts of which a character is several tokens, and what a server says to the model itself. */
const MOST_TIMES_MORE = 16;
const SAID_BY_THE_SERVER = 20_000;
/** Thoughts that are not shown count as well. */
const MOST_OUTPUT = 2_000_000;

export function believedUsage(
  reported: Usage | undefined,
  estimated: Usage,
): { readonly usage: Usage; readonly isEstimated: boolean } {
  return reported !== undefined && isBelievable(reported, estimated)
    ? { usage: reported, isEstimated: false }
    : { usage: estimated, isEstimated: true };
}

function isBelievable(reported: Usage, estimated: Usage): boolean {
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = reported;
  return (
    [inputTokens, cachedTokens, cacheWriteTokens, outputTokens].every(
      (count) => Number.isSafeInteger(count) && count >= 0,
    ) &&
    cachedTokens + cacheWriteTokens <= inputTokens &&
    inputTokens * MOST_TIMES_FEWER >= estimated.inputTokens &&
    inputTokens <= estimated.inputTokens * MOST_TIMES_MORE + SAID_BY_THE_SERVER &&
    outputTokens * MOST_TIMES_FEWER >= estimated.outputTokens - MOST_TIMES_FEWER &&
    outputTokens <= MOST_OUTPUT
  );
}
