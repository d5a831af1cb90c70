/** Times on the command line: `500ms`, `60s`, `2m`, `1h`; a bare number is seconds. */
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
