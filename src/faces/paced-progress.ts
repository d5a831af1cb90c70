/**
 * Tells how far a long call is at a pace that suits the reader: the first news at once, then the latest news every ten
 * seconds, and the same again when there is none, because clients give a silent call up after a minute.
 */
import type { Progress } from '../operations/definition/operation.ts';

export const PROGRESS_INTERVAL_MS = 10_000;

export interface PacedProgress {
  readonly report: (progress: Progress) => void;
  /** Nothing is sent after this. */
  readonly stop: () => void;
}

/** `send` gets the news and the milliseconds since the call began. */
export function paceProgress(send: (progress: Progress, elapsedMs: number) => void): PacedProgress {
  const begunAt = performance.now();
  let latest: Progress = { message: 'Running.' };
  let silent = true;
  let stopped = false;
  const beat = (): void => {
    timer = setTimeout(beat, PROGRESS_INTERVAL_MS);
    send(latest, performance.now() - begunAt);
  };
  let timer = setTimeout(beat, PROGRESS_INTERVAL_MS);
  return {
    report: (progress) => {
      if (stopped) return;
      latest = progress;
      if (!silent) return;
      silent = false;
      clearTimeout(timer);
      beat();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** One line for people: `Searching (3 of 17)`. */
export function progressText({ message, done, total }: Progress): string {
  if (done === undefined) return message;
  const [first = '', ...rest] = message.split('\n');
  return [`${first} (${total === undefined ? `${done} so far` : `${done} of ${total}`})`, ...rest].join('\n');
}
