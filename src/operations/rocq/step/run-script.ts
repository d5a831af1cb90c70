/** Runs a script from a state, sentence by sentence, as far as Rocq accepts it. */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Span } from '../../../core/position.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { splitSentences, type Sentence, unterminatedText } from '../../../provers/rocq/syntax/sentences.ts';
import type { ProverAt, ProverPool } from '../../../sessions/prover-pool.ts';
import { stateAfter, type ScriptState } from '../../../sessions/script-state.ts';

export interface ScriptFailure {
  /** The sentence that is refused, in the script. */
  readonly span: Span;
  /** `span`, when there is one, counts from the start of the script. */
  readonly error: Diagnostic;
  /** When the sentence was not refused but could not be judged. */
  readonly reason?: ReasonCode;
}

export interface ScriptRun {
  /** The state behind the last sentence that was accepted. */
  readonly reached: ScriptState;
  /** The proof there; null when none is open. */
  readonly proof: ProofState | null;
  /** The goals out of focus there; read only when no goal is in focus and some are elsewhere. */
  readonly background: BackgroundGoals | null;
  readonly accepted: readonly Sentence[];
  readonly messages: readonly Diagnostic[];
  readonly failure?: ScriptFailure;
}

export interface ScriptOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each sentence. */
  readonly sentenceTimeoutMs: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** The script is one proof: after each of its sentences but the last one a proof is open, as the prover says. */
  readonly isOneProof?: boolean;
}

/** @throws what the pool throws on the way to `start`. */
export function runScript(
  pool: ProverPool,
  start: ScriptState,
  script: string,
  options: ScriptOptions,
): Promise<ScriptRun> {
  return pool.at(start, options, (prover) => runScriptWith(prover, start, script, options));
}

/** The same with a prover that is at the state. @throws QuodError `interrupted`. */
export async function runScriptWith(
  prover: ProverAt,
  start: ScriptState,
  script: string,
  options: ScriptOptions,
): Promise<ScriptRun> {
  const { session } = prover;
  const { sentences, unterminated } = splitSentences(script);
  const accepted: Sentence[] = [];
  const messages: Diagnostic[] = [];
  let reached = start;
  let id = prover.state;
  let failure: ScriptFailure | undefined;
  let open: ProofState | null | undefined;
  for (const sentence of sentences) {
    const before = accepted.at(-1);
    if (options.isOneProof === true && before !== undefined) {
      open ??= open === null ? null : await session.goals(id);
      if (open === null) {
        failure = { span: sentence.span, error: endedBefore(before) };
        break;
      }
    }
    options.onProgress?.(accepted.length, sentences.length);
    const after = stateAfter(reached, sentence.text);
    let state = prover.known(after);
    if (state === undefined) {
      const result = await session.run(id, sentence, {
        timeoutMs: options.sentenceTimeoutMs,
        signal: options.signal,
        ...(options.isOneProof === true && { withGoals: true }),
      });
      if (result.status === 'unknown' && result.reason === 'interrupted') {
        throw new QuodError('interrupted', result.message, {
          remedy: 'The session is as it was; call again from the same state.',
        });
      }
      if (result.status !== 'done') {
        failure =
          result.status === 'failed'
            ? { span: sentence.span, error: within(sentence, result.error) }
            : {
                span: sentence.span,
                error: { severity: 'error', message: result.message },
                reason: result.reason,
              };
        break;
      }
      prover.note(reached, after, result);
      state = { id: result.state, messages: result.messages };
      open = result.proof;
    } else open = undefined;
    appendAll(
      messages,
      state.messages.map((message) => within(sentence, message)),
    );
    id = state.id;
    reached = after;
    accepted.push(sentence);
  }
  if (failure === undefined && unterminated !== undefined) {
    failure = {
      span: unterminated.span,
      error: {
        severity: 'error',
        message: unterminatedText(unterminated),
        span: unterminated.span,
      },
    };
  }
  const proof = await session.goals(id);
  const elsewhere = proof !== null && proof.goals.length === 0 && proof.unfocused.some((count) => count > 0);
  return {
    reached,
    proof,
    background: elsewhere ? await session.background(id) : null,
    accepted,
    messages,
    ...(failure !== undefined && { failure }),
  };
}

function endedBefore({ text }: Sentence): Diagnostic {
  return {
    severity: 'error',
    message: `The proof ends before this, with \`${text.replace(/\s+/gu, ' ')}\`: nothing may stand behind its end.`,
  };
}

function within({ span: { start } }: Sentence, diagnostic: Diagnostic): Diagnostic {
  const { span } = diagnostic;
  return span === undefined
    ? diagnostic
    : { ...diagnostic, span: { start: start + span.start, end: start + span.end } };
}
