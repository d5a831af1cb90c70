import type { EventOf } from '../runs/events.ts';
import { QuodError } from '../../core/errors.ts';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { clause } from '../../core/sentence.ts';
import type { JointJudgement, TargetFile } from '../target.ts';
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

/** What is told of proofs of one file that were accepted one by one. */
export function notTogetherText({ verdict, findings }: Pick<JointJudgement, 'verdict' | 'findings'>): string {
  const said =
    verdict === 'rejected'
      ? 'The gate accepts each of these proofs, but not all of them in one file'
      : 'The gate accepts each of these proofs, and cannot tell of all of them in one file';
  return `${said}: ${clause(findings.join('; '))}.`;
}

export function notTogether({ file }: Pick<TargetFile, 'file'>, said: string): QuodError {
  return new QuodError('not-verified', said, { place: { file }, remedy: RUN_REMEDIES.printsEach });
}
