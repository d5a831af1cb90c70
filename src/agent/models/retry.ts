/** When a failed request is worth another try, and after which wait. */
import { APICallError } from '@ai-sdk/provider';
import { isMalformed } from './answer-fault.ts';
import { CutStream, statusMayPass, ToldFailure } from './failures.ts';
import { UnreadAnswer } from './unread-answer.ts';

/** A server that asks for more is not waited for: the run says so and can be resumed. */
export const LONGEST_WAIT_MS = 60_000;

/**
 * Rate limits, overload, faults of the server or the network, cut streams: the same request may work a moment
 * later.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof CutStream) return true;
  if (error instanceof ToldFailure || error instanceof UnreadAnswer) return error.mayPass;
  if (APICallError.isInstance(error)) {
    const { statusCode } = error;
    return statusCode === undefined || statusMayPass(statusCode) || error.isRetryable;
  }
  if (!(error instanceof Error)) return false;
  if (isMalformed(error)) return true;
  // What `fetch` throws when there is no connection, and what an event that cannot be read, behind others, leads to.
  return [
    'TypeError',
    'SyntaxError',
    'TimeoutError',
    'AI_JSONParseError',
    'AI_TypeValidationError',
    'AI_EmptyResponseBodyError',
  ].includes(error.name);
}

interface Wait {
  /** Milliseconds. */
  readonly ms: number;
  /** Whether the server asks for it. */
  readonly isAsked: boolean;
}

/**
 * The time before the try after the `failures`-th failure: what the server asks for, however long, else a
 * random part of a time that doubles ("full jitter": many clients that failed together do not come back together).
 */
export function waitBefore(
  failures: number,
  error: unknown,
  firstMs: number,
  random: () => number = Math.random,
): Wait {
  const asked = APICallError.isInstance(error) ? retryAfter(error.responseHeaders ?? {}) : undefined;
  if (asked !== undefined) return { ms: asked, isAsked: true };
  return { ms: Math.min(LONGEST_WAIT_MS, random() * firstMs * 2 ** (failures - 1)), isAsked: false };
}

function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = finiteTime(headers['retry-after-ms'], 1);
  if (milliseconds !== undefined) return milliseconds;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = finiteTime(text, 1000);
  if (seconds !== undefined) return seconds;
  const until = Date.parse(text) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

/** Milliseconds of so many units; undefined for what is no number of them, or more than can be counted. */
function finiteTime(text: string | undefined, unitMs: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const time = Number(text) * unitMs;
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}

/** True after the time, false at once when the signal is aborted. */
export function pauseUntilAborted(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
