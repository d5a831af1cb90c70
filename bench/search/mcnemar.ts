/**
 * McNemar's exact test on pairs of outcomes: how likely the two methods would differ so much if neither were
 * better.
 */

/** Two-sided. `onlyOne` and `onlyOther` count the tasks that just one of the two solved. */
export function mcnemar(onlyOne: number, onlyOther: number): number {
  const differing = onlyOne + onlyOther;
  if (differing === 0) return 1;
  // Binomial with 1/2: terms by logarithm, so that large counts do not overflow.
  let logTerm = -differing * Math.LN2;
  let tail = 0;
  for (let wins = 0; wins <= Math.min(onlyOne, onlyOther); wins += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((differing - wins) / (wins + 1));
  }
  return Math.min(1, 2 * tail);
}
