/** How the time that something took is written for people. */

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** `< 1 ms`, `7 ms`, `0.34 s`, `12.5 s`, `2 min 05 s`: never a time of nothing for what took some. */
export function formatDuration(elapsedMs: number): string {
  if (elapsedMs < 1) return '< 1 ms';
  // What a server may ask for: nobody reads such a number.
  if (elapsedMs > YEAR_MS) return 'more than a year';
  // Below this the seconds would be written as 0.00 s or 0.01 s, whatever they are.
  if (elapsedMs < 10) return `${Math.floor(elapsedMs)} ms`;
  const seconds = elapsedMs / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** The longest delay of a timer: a longer one ends at once, or is refused. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** Milliseconds for a timer: some 24 days where more are wanted. */
export function timerDelay(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_DELAY_MS);
}
