/**
 * A session that has so much of the prover's own work for all that is asked of it, however busy the machine is. What
 * goes beyond is answered `timeout`.
 */
import type { ProverSession, StepOptions, StepResult } from '../core/prover.ts';
import { sessionOver } from './session-over.ts';

export interface WorkedSession {
  readonly session: ProverSession;
  readonly isSpent: () => boolean;
}

/** A limit by the clock is meant for a machine that may be busy: of work alone a step gets at most this multiple of it. */
const WORK_OF_CLOCK = 4;
/** What takes so many times as long by the clock as its work stands still. */
export const STANDS_STILL = 8;
const CLOCK_LEAST_MS = 2000;

/** @param mostMs Milliseconds of work. */
export function sessionByWork(session: ProverSession, mostMs: number): WorkedSession {
  let left = mostMs;
  const limits = (options: StepOptions): StepOptions & { readonly workMs: number } => {
    const asked = options.workMs ?? (options.timeoutMs ?? Infinity) * WORK_OF_CLOCK;
    const workMs = Math.min(asked, left);
    return { ...options, workMs, timeoutMs: Math.max(CLOCK_LEAST_MS, workMs * STANDS_STILL) };
  };
  const taken = (result: StepResult, { workMs }: { readonly workMs: number }): StepResult => {
    const isLate = result.status === 'unknown' && result.reason === 'timeout';
    // What stood still has had its share.
    left -= isLate ? workMs : (result.workedMs ?? result.elapsedMs);
    return result;
  };
  const isSpent = (): boolean => left <= 0;
  const spent: StepResult = {
    status: 'unknown',
    ...{ reason: 'timeout', message: 'The work that it may take is done.', elapsedMs: 0 },
  };
  const runAll = session.runAll?.bind(session);
  return {
    isSpent,
    session: sessionOver(session, {
      run: async (from, sentence, options = {}) => {
        if (isSpent()) return spent;
        const limit = limits(options);
        return taken(await session.run(from, sentence, limit), limit);
      },
      ...(runAll && {
        runAll: async (from, sentences, options = {}) => {
          if (isSpent()) return { index: 0, result: spent };
          const limit = limits(options);
          const { index, result } = await runAll(from, sentences, limit);
          return { index, result: taken(result, limit) };
        },
      }),
    }),
  };
}
