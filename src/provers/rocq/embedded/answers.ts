/**
 * Reads what jsCoq's worker says: JSON arrays whose first element names the answer. Pure; anything of another shape is
 * left out rather than guessed at, and an answer that the caller waits for and does not find is its error to report.
 */
import type { Diagnostic, Severity } from '../../../core/diagnostic.ts';
import type { Span } from '../../../core/position.ts';
import type { BackgroundGoals, Goal, Hypothesis, ProofState } from '../../../core/proof-state.ts';
import { spanOfBytes } from '../utf8-span.ts';
import { type Fields, fieldsOf, listOf } from './json.ts';
import { printEmbeddedLayout } from './layout.ts';

export type Answer = readonly unknown[];

/** What the answers to one request say, each part present when it was said. */
export interface AnswerDigest {
  readonly messages: readonly Diagnostic[];
  /** The error that ended the request. */
  readonly error?: Diagnostic;
  /** The user interrupt ended the request. */
  readonly interrupted: boolean;
  /** The serialised goals; null when no proof is open. */
  readonly goals?: unknown;
  /** UTF-16 offset behind the sentence that was added. */
  readonly addedEnd?: number;
}

const SEVERITIES: Readonly<Record<string, Severity>> = {
  Debug: 'debug',
  Info: 'info',
  Notice: 'notice',
  Warning: 'warning',
  Error: 'error',
};

function spanOf(location: unknown, text: string): Span | undefined {
  const { bp, ep } = fieldsOf(location);
  if (typeof bp !== 'number' || typeof ep !== 'number') return undefined;
  return spanOfBytes(text, { start: bp, end: ep });
}

function diagnostic(severity: Severity, layout: unknown, location: unknown, text: string): Diagnostic {
  const span = spanOf(location, text);
  return { severity, message: printEmbeddedLayout(layout).trim(), ...(span && { span }) };
}

/** Sums up the answers to one request about `text`. */
export function digestAnswers(answers: readonly Answer[], text: string): AnswerDigest {
  const messages: Diagnostic[] = [];
  let error: Diagnostic | undefined;
  let routeError: Diagnostic | undefined;
  let interrupted = false;
  let goals: { readonly value: unknown } | undefined;
  let addedEnd: number | undefined;
  for (const answer of answers) {
    switch (answer[0]) {
      case 'CoqExn': {
        const { loc, pp, msg } = fieldsOf(answer[1]);
        error ??= diagnostic('error', pp, loc, text);
        interrupted ||= typeof msg === 'string' && msg.trim() === 'User interrupt.';
        break;
      }
      case 'Feedback': {
        const [kind, level, location, layout] = listOf(fieldsOf(answer[1])['contents']);
        if (kind !== 'Message') break;
        const message = diagnostic(SEVERITIES[String(listOf(level)[0])] ?? 'info', layout, location, text);
        if (message.severity === 'error') routeError = message;
        else messages.push(message);
        break;
      }
      case 'GoalInfo':
        goals = { value: answer[2] ?? null };
        break;
      case 'Added':
        addedEnd = spanOf(answer[2], text)?.end;
        break;
      default:
        break;
    }
  }
  // A query has no exception of its own: its error is a message followed by `Incomplete`.
  const failure = error ?? (answers.some(isIncomplete) ? routeError : undefined);
  return {
    messages,
    interrupted: interrupted || failure?.message === 'User interrupt.',
    ...(failure && { error: failure }),
    ...(goals && { goals: goals.value }),
    ...(addedEnd !== undefined && { addedEnd }),
  };
}

function isIncomplete(answer: Answer): boolean {
  return answer[0] === 'Feedback' && listOf(fieldsOf(answer[1])['contents'])[0] === 'Incomplete';
}

function goalOf(value: unknown): Goal {
  const { info, ty, hyp } = fieldsOf(value);
  const { evar, name } = fieldsOf(info);
  const hypotheses: Hypothesis[] = [];
  // The newest hypothesis comes first.
  for (const entry of listOf(hyp).toReversed()) {
    const [names, body, type] = listOf(entry);
    for (const identifier of listOf(names))
      hypotheses.push({
        name: String(listOf(identifier)[1]),
        type: printEmbeddedLayout(type),
        ...(Array.isArray(body) && { body: printEmbeddedLayout(body) }),
      });
  }
  const [number, written] = [listOf(evar)[1], listOf(name)[1]];
  const id = typeof written === 'string' ? written : typeof number === 'number' ? String(number) : '';
  return { id, hypotheses, conclusion: printEmbeddedLayout(ty) };
}

function goalsOf(value: unknown): readonly Goal[] {
  return listOf(value).map(goalOf);
}

function unfocusedOf(goals: Fields): readonly (readonly unknown[])[] {
  return listOf(goals['stack']).map((level) => {
    const [before, after] = listOf(level);
    return [...listOf(before), ...listOf(after)];
  });
}

export function readProofState(goals: unknown): ProofState | null {
  if (goals === null || goals === undefined) return null;
  const fields = fieldsOf(goals);
  return {
    goals: goalsOf(fields['goals']),
    unfocused: unfocusedOf(fields).map((level) => level.length),
    shelved: listOf(fields['shelf']).length,
    givenUp: listOf(fields['given_up']).length,
  };
}

export function backgroundOf(goals: unknown): BackgroundGoals | null {
  if (goals === null || goals === undefined) return null;
  const fields = fieldsOf(goals);
  return {
    unfocused: unfocusedOf(fields).map(goalsOf),
    shelved: goalsOf(fields['shelf']),
    givenUp: goalsOf(fields['given_up']),
  };
}
