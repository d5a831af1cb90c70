/** Times on the command line (`500ms`, `60s`, `2m`, `1h`; a bare number is seconds) and times for people. */
import { InvalidArgumentError } from 'commander';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** @throws InvalidArgumentError, which commander turns into its usual message. */
export function milliseconds(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const unit = (parts?.[2] ?? 's') as keyof typeof MILLISECONDS;
  const value = Math.round(Number(parts?.[1]) * MILLISECONDS[unit]);
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new InvalidArgumentError('Write a time such as 500ms, 60s or 2m.');
  }
  return value;
}

/** `< 1 ms`, `7 ms`, `0.34 s`, `12.5 s`, `2 min 05 s`: never a time of nothing for what took some. */
export function formatDuration(elapsedMs: number): string {
  if (elapsedMs < 1) return '< 1 ms';
  // Below this the seconds would be written as 0.00 s or 0.01 s, whatever they are.
  if (elapsedMs < 10) return `${Math.floor(elapsedMs)} ms`;
  const seconds = elapsedMs / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
