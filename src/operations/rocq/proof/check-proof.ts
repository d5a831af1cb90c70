/**
 * Checks a whole proof of a session's target, or what is left of one from a state. `proved` is said only after the
 * closing command was executed; the gate is asked besides when the caller wants its verdict.
 */
import { orZero } from '../../../core/entry.ts';
import type { Outcome } from '../../../core/outcome.ts';
import { QuodError } from '../../../core/errors.ts';
import { isClosed } from '../../../core/proof-state.ts';
import { sentenceHead } from '../../../provers/rocq/syntax/sentence-head.ts';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import type { ProverPool } from '../../../sessions/prover-pool.ts';
import type { ScriptState } from '../../../sessions/script-state.ts';
import { forbiddenInProof, type ForbiddenSentence } from '../session/forbidden-in-proof.ts';
import { firstElsewhere } from '../session/goal-schemas.ts';
import type { RocqSession } from '../session/rocq-session.ts';
import { runScriptWith, type ScriptOptions, type ScriptRun } from '../step/run-script.ts';
import { closingWord } from '../../../provers/rocq/syntax/theorem-text.ts';

export interface CheckedProof {
  readonly outcome: Outcome;
  /** The last state that was reached; none when nothing was run. */
  readonly reached: ScriptState | undefined;
  readonly run: ScriptRun | undefined;
  /** What was refused: a sentence of the script, or the closing command that was added to it. */
  readonly failure: ScriptRun['failure'];
  /** The script with the closing command that was added to it. */
  readonly script: string;
}

/**
 * @param from Where the script starts; the start of the proof when undefined.
 * @throws what bringing a prover to the state throws.
 */
export async function checkProof(
  pool: ProverPool,
  session: RocqSession,
  {
    from,
    script,
    tactics,
    options,
  }: {
    readonly from: ScriptState | undefined;
    readonly script: string;
    readonly tactics: ReadonlySet<string>;
    readonly options: ScriptOptions;
  },
): Promise<CheckedProof> {
  const forbidden = forbiddenInProof(script, tactics) ?? strayBefore(session, from, tactics);
  if (forbidden !== undefined) {
    return {
      outcome: { kind: 'forbidden', ...forbidden },
      reached: undefined,
      run: undefined,
      failure: undefined,
      script,
    };
  }
  const { sentences } = splitSentences(script);
  const first = sentences[0] === undefined ? undefined : sentenceHead(sentences[0]);
  // `Proof.` and `Proof term.` stand where the theorem was stated.
  const isBeginning = first?.kind === 'proof' || (first?.kind === 'close' && first.word === 'Proof term');
  const start = from ?? (isBeginning ? session.target?.stated : undefined) ?? session.base;
  return pool.at(start, options, async (prover) => {
    const run = await runScriptWith(prover, start, script, { ...options, isOneProof: true });
    const answer = (outcome: Outcome, final = run, failure = run.failure): CheckedProof => ({
      outcome,
      reached: final.reached,
      run: final,
      failure,
      script,
    });
    if (run.failure !== undefined) {
      const { failure } = run;
      if (failure.reason !== undefined && failure.reason !== 'timeout') {
        return answer({ kind: 'unknown', reason: failure.reason, message: failure.error.message });
      }
      return answer(failed(session, script, run, failure));
    }
    const last = run.accepted.at(-1);
    if (last !== undefined && sentenceHead(last).kind === 'close') {
      return answer(
        run.proof === null
          ? { kind: 'proved' }
          : {
              kind: 'unknown',
              reason: 'invalid-input',
              message: 'After the closing command another proof is open.',
            },
      );
    }
    if (run.proof === null) {
      throw new QuodError('invalid-input', 'No proof is open where the script starts.', {
        remedy: 'Check the proof from a state inside a proof, or open the session on a theorem.',
      });
    }
    if (isClosed(run.proof)) {
      const closing = `${session.target === undefined ? 'Qed' : closingWord(session.target.item)}.`;
      const state = prover.known(run.reached);
      const inside = { ...prover, state: state?.id ?? prover.state };
      const end = await runScriptWith(inside, run.reached, closing, options);
      if (end.failure === undefined) {
        // The closing command was not sent: it is none of what was accepted.
        const messages = [...run.messages, ...end.messages];
        const closed = { ...end, accepted: run.accepted, messages };
        return { ...answer({ kind: 'proved' }, closed), script: `${script.trimEnd()}\n${closing}` };
      }
      const at = script.trimEnd().length;
      const { reason, error } = end.failure;
      const failure = {
        ...end.failure,
        span: { start: at, end: at },
        error: { severity: 'error' as const, message: `${closing} ${error.message}` },
      };
      if (reason !== undefined && reason !== 'timeout') {
        return answer({ kind: 'unknown', reason, message: error.message }, run, failure);
      }
      return answer(failed(session, script, run, failure), run, failure);
    }
    const elsewhere = firstElsewhere(run.background);
    const state = session.nameOf(run.reached);
    return answer(
      elsewhere === undefined
        ? { kind: 'incomplete', goals: run.proof.goals, state }
        : { kind: 'branch-closed', elsewhere: elsewhere.goals, depth: elsewhere.depth, state },
    );
  });
}

/** What else than steps of the theorem's own proof was run in the session before a state. */
function strayBefore(
  session: RocqSession,
  from: ScriptState | undefined,
  tactics: ReadonlySet<string>,
): ForbiddenSentence | undefined {
  if (from === undefined || session.target === undefined) return undefined;
  const path = session.scriptTo(from).join('\n');
  const stray = forbiddenInProof(path, tactics) ?? closingIn(path);
  return (
    stray && {
      what: `${stray.what}, which was run before ${session.nameOf(from)},`,
      span: { start: 0, end: 0 },
    }
  );
}

function closingIn(path: string): ForbiddenSentence | undefined {
  const closing = splitSentences(path).sentences.find((one) => sentenceHead(one).kind === 'close');
  return closing && { what: `the end of another proof (${closing.text})`, span: closing.span };
}

function failed(
  session: RocqSession,
  script: string,
  run: ScriptRun,
  failure: NonNullable<ScriptRun['failure']>,
): Outcome {
  return {
    kind: 'failed',
    validPrefix: script.slice(0, orZero(run.accepted.at(-1)?.span.end)),
    error: failure.error,
    span: failure.span,
    goalsAtError: run.proof?.goals ?? [],
    state: session.nameOf(run.reached),
  };
}
