/** What coqidetop's answers mean to a session: goals, errors and messages, with places in the sentence. */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { orNothing } from '../../../core/entry.ts';
import { proofStateOf, type ProofState } from '../../../core/proof-state.ts';
import { explained } from '../prover-rights.ts';
import type { ExecuteAnswer } from '../driver.ts';
import { spanOfBytes } from '../utf8-span.ts';
import { readGoals, type ByteSpan, type CoqMessage, type CoqValue } from './protocol.ts';

export type GoodValue = Extract<CoqValue, { kind: 'good' }>;
export type FailValue = Extract<CoqValue, { kind: 'fail' }>;

export function stateOf({ content }: GoodValue): ProofState | null {
  const goals = readGoals(content);
  return goals && proofStateOf(goals);
}

export function failed(value: CoqValue | undefined): FailValue | undefined {
  return value?.kind === 'fail' ? value : undefined;
}

/** Coq reports an error of execution twice: as a message and as the answer. */
export function failure(
  value: FailValue | undefined,
  said: readonly CoqMessage[],
  sentence: string,
): ExecuteAnswer {
  const error = diagnostic('error', orNothing(value?.text), value?.place, sentence);
  const messages = said
    .filter(({ severity, text }) => severity !== 'error' || text !== error.message)
    .map((message) => coqDiagnostic(message, sentence));
  return { status: 'failed', error, messages };
}

export function diagnostic(
  severity: Diagnostic['severity'],
  said: string,
  place: ByteSpan | undefined,
  text: string,
): Diagnostic {
  const message = severity === 'error' ? explained(said) : said;
  return place === undefined ? { severity, message } : { severity, message, span: spanOfBytes(text, place) };
}

export function coqDiagnostic({ severity, text, place }: CoqMessage, sentence: string): Diagnostic {
  return diagnostic(severity, text, place, sentence);
}
