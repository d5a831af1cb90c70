/**
 * A session whose limits do not go by the clock, for runs that are to give the same proofs again: a step gets so
 * much of the prover's own work, whatever else the machine does meanwhile. The clock ends only what seems to stand
 * still.
 */
import type { ProverSession, StepOptions } from '../core/prover.ts';
import { sessionOver } from './session-over.ts';

/**
 * Work that a step gets, as a multiple of its usual time. Processor time differs a little from run to run; so far above
 * what a step usually needs, there is hardly one that ends near its limit.
 */
const WORK_FACTOR = 10;
/** The most that it gets beyond its usual time: a step that may take long anyway is not to hold up a run for minutes. */
const WORK_MORE_MS = 10_000;
/** How many times as long as the work itself. */
const CLOCK_FACTOR = 8;
const CLOCK_LEAST_MS = 30_000;

export function steadySession(session: ProverSession): ProverSession {
  const runAll = session.runAll?.bind(session);
  return sessionOver(session, {
    run: (from, sentence, options) => session.run(from, sentence, steadyLimits(options)),
    ...(runAll && { runAll: (from, sentences, options) => runAll(from, sentences, steadyLimits(options)) }),
    query: (at, command, options) => session.query(at, command, steadyLimits(options)),
  });
}

function steadyLimits(options: StepOptions = {}): StepOptions {
  const usualMs = options.workMs ?? options.timeoutMs;
  if (usualMs === undefined) return options;
  const workMs = Math.min(usualMs * WORK_FACTOR, usualMs + WORK_MORE_MS);
  return { ...options, workMs, timeoutMs: Math.max(CLOCK_LEAST_MS, workMs * CLOCK_FACTOR) };
}
