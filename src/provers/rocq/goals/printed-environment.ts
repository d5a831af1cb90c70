/**
 * What Rocq says of a fault, without the hypotheses that it prints before it: `In environment`, a line or more for each of
 * them, then what is wrong. Whoever shows only a part of a message shows that of the end.
 */

/** `a, b : nat`, `c := 3 : nat`, names that go on in the next line, and a line that goes on with a hypothesis. */
const HYPOTHESIS =
  /^(?:[\p{L}_][\p{L}\p{N}_']*(?:, [\p{L}_][\p{L}\p{N}_']*)*(?:,$| :=?(?: |$))|\s|:(?: |$))/u;

/** The whole of it where nothing else stands in it. */
export function behindEnvironment(message: string): string {
  let isEnvironment = false;
  const lines = message.split('\n').filter((line) => {
    isEnvironment = line === 'In environment' || (isEnvironment && HYPOTHESIS.test(line));
    return !isEnvironment;
  });
  const rest = lines.join('\n').trim();
  return rest === '' ? message : rest;
}
