/** How things of which there may be many, shares of them, and probabilities are written for people. */

/** `1 goal`, `2 goals`, `1 proof`, `0 entries`. `plural` where it is not the singular with an s. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** `a, b, c and 4 more`. */
export function someOf(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${rest} more`;
}

/** Of a share from 0 to 1: `37 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Of nothing that is compared there is none. */
export function probability(p: number | undefined): string {
  if (p === undefined) return '–';
  return p < 0.0005 ? '< 0.001' : p.toFixed(3);
}
