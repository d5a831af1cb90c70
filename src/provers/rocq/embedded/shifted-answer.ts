import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { ExecuteAnswer } from '../driver.ts';

/** An answer whose places are counted from so many characters earlier. */
export function shifted(answer: ExecuteAnswer, by: number): ExecuteAnswer {
  if (answer.status !== 'done' && answer.status !== 'failed') return answer;
  const messages = answer.messages.map((message) => shiftedDiagnostic(message, by));
  return answer.status === 'done'
    ? { ...answer, messages }
    : { ...answer, messages, error: shiftedDiagnostic(answer.error, by) };
}

function shiftedDiagnostic(diagnostic: Diagnostic, by: number): Diagnostic {
  const { span } = diagnostic;
  return span ? { ...diagnostic, span: { start: span.start + by, end: span.end + by } } : diagnostic;
}
