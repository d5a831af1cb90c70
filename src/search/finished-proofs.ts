/**
 * Proofs that the text shows as holes and that end as finished ones do: Rocq is asked before one is taken for a hole, since
 * another proof would take its place.
 */
import { QuodError } from '../core/errors.ts';
import { LineIndex } from '../core/position.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import { mayBeFinished } from '../provers/rocq/syntax/holes.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { isLemma } from '../provers/rocq/syntax/statement-head.ts';
import { FileRun } from '../sessions/rocq/file-run.ts';
import type { ProveRequest } from './prove-request.ts';
import { skippedBefore } from './skipped-proofs.ts';

const SENTENCE_TIMEOUT_MS = 120_000;

export interface FinishedProofs {
  /** Rocq takes their proofs. */
  readonly taken: ReadonlySet<TheoremItem>;
  /** Rocq neither takes nor refuses their proofs, which stay as they are. */
  readonly untold: ReadonlySet<TheoremItem>;
}

/**
 * @param asked in the order of the file.
 * @param onUntold told why Rocq does not say it.
 * @returns those of them that are not searched. @throws QuodError `library-missing`, and as opening a session does.
 */
export async function finishedProofs(
  { prover, file, signal }: Pick<ProveRequest, 'prover' | 'file' | 'signal'>,
  { outline, asked }: { readonly outline: FileOutline; readonly asked: readonly TheoremItem[] },
  onUntold: (error: QuodError) => void,
): Promise<FinishedProofs> {
  const taken = new Set<TheoremItem>();
  const untold = new Set<TheoremItem>();
  const uncertain = asked.filter(isUncertain);
  const last = uncertain.at(-1);
  if (last === undefined) return { taken, untold };
  const session = await prover.openSession({ file, signal });
  try {
    const mayBeSkipped = skippedBefore(outline, last);
    const run = new FileRun(
      session,
      { outline, file },
      {
        onTrace: () => undefined,
        // The search tells of all others.
        onError: (error) => {
          if (error.reason === 'library-missing') throw error;
        },
      },
      {
        record: false,
        beforeProof: (theorem) => Promise.resolve(mayBeSkipped(theorem) ? 'leave-out' : 'run'),
        signal,
      },
    );
    for (const theorem of uncertain) {
      const opened = await run.advanceTo(theorem);
      if (opened === undefined) continue;
      const answer = await runProof(session, { outline, theorem, opened }, signal);
      if (answer.kind === 'refused') continue;
      if (answer.kind === 'taken') {
        taken.add(theorem);
        continue;
      }
      untold.add(theorem);
      const message = `Rocq does not say whether this proof is finished: ${answer.message}`;
      const position = new LineIndex(outline.text).printedAt(answer.at);
      onUntold(new QuodError(answer.reason, message, { place: { file, position } }));
    }
  } finally {
    await session.close();
  }
  return { taken, untold };
}

/** A lemma states something to prove: an empty proof of it is none. */
function isUncertain(theorem: TheoremItem): boolean {
  return mayBeFinished(theorem) && !(theorem.hole === 'empty' && isLemma(theorem));
}

type Answer =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'untold';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly at: number;
    };

/** Runs a proof to its end, closing sentence included. */
async function runProof(
  session: ProverSession,
  {
    outline: { sentences },
    theorem: { body, closing = body.end },
    opened,
  }: { readonly outline: FileOutline; readonly theorem: TheoremItem; readonly opened: StateId },
  signal: AbortSignal,
): Promise<Answer> {
  let state = opened;
  for (const sentence of sentences.slice(body.first, closing + 1)) {
    const result = await session.run(state, sentence, {
      timeoutMs: SENTENCE_TIMEOUT_MS,
      signal,
      expected: true,
    });
    signal.throwIfAborted();
    if (result.status === 'failed') return { kind: 'refused' };
    if (result.status === 'unknown')
      return { kind: 'untold', reason: result.reason, message: result.message, at: sentence.span.start };
    state = result.state;
  }
  return { kind: 'taken' };
}
