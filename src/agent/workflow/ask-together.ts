import type { EventOf } from '../runs/events.ts';
import type { JointJudgement } from '../target.ts';
import { type RunContext, stoppable } from './run-context.ts';

/** The gate's word on several proofs of a file together, which is recorded and asked for once. */
export function askTogether(
  { eventLog, signal }: RunContext,
  key: string,
  ask: (stop: AbortSignal) => Promise<JointJudgement>,
): Promise<EventOf<'rechecked'>> {
  return eventLog.once('rechecked', key, async () => {
    const begunAt = performance.now();
    const { verdict, findings, restsOnOpen, grounds } = await stoppable(
      signal,
      ask,
      (judged) => judged.verdict === 'accepted',
    );
    return {
      verdict,
      findings: [...findings],
      restsOnOpen: Object.fromEntries(
        Object.entries(restsOnOpen).map(([theorem, names]) => [theorem, [...names]]),
      ),
      ...(grounds !== undefined && { grounds }),
      ms: Math.round(performance.now() - begunAt),
    };
  });
}
