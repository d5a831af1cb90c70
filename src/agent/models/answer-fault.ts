/**
 * What is wrong with an answer that cannot be read, in one line, and without a part of the answer: validators tell it with
 * the whole answer and a list of everything that they would have taken instead, and a parser with some characters around
 * the fault. Half of a key that stands in them is not known as one.
 */
import { InvalidResponseDataError } from '@ai-sdk/provider';
import { isRecord } from '../../core/json.ts';
import { clause } from '../../core/sentence.ts';

/** Undefined where the error is of another kind. */
export function answerFault(error: unknown): string | undefined {
  const all = causes(error);
  for (const cause of all) {
    if (cause.name === 'ZodError' && 'issues' in cause) {
      const { path, message } = firstFault(cause.issues);
      return `What it answered is no answer of a model: ${path === '' ? '' : `at ${path}: `}${message}`;
    }
    // Anthropic's package drops what it found.
    if (cause.message === 'Expected a normalized Anthropic stream error')
      return 'What it answered is no answer of a model: its first event has another form';
    // A call of a tool without a name, or an answer without a choice: the package tells it in words of its own.
    if (isMalformed(cause))
      return `What it answered is no answer of a model: ${clause(cause.message.replace(/^Expected/u, 'expected'))}`;
    if (cause.name === 'AI_JSONParseError' || cause.name === 'SyntaxError')
      return 'What it answered is no answer of a model: it is no JSON';
    // Node's reader of HTTP, of a status or a header that cannot be.
    const code = 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_ASSERTION' || (typeof code === 'string' && code.startsWith('HPE_')))
      return 'What it answered is no answer of HTTP';
  }
  if (all.some(({ name }) => name === 'AI_TypeValidationError'))
    return 'What it answered is no answer of a model: it has another form';
  return undefined;
}

/** Whether a stream was over without the end of an answer, as the package of OpenAI's protocol tells it. */
export function isJustOver(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.message.includes('ended without a finish reason');
}

/** Whether a part of an answer is not as the protocol has it: a call of a tool without a name. */
export function isMalformed(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && !isJustOver(error);
}

/** An error and what led to it. */
export function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && !found.includes(at); at = at.cause) found.push(at);
  return found;
}

/** Where several forms would do, the first form is what an answer should be; the others are of errors. */
function firstFault(issues: unknown): { readonly path: string; readonly message: string } {
  const [issue] = Array.isArray(issues) ? (issues as readonly unknown[]) : [];
  if (!isRecord(issue)) return { path: '', message: 'it has another form' };
  const path = Array.isArray(issue['path']) ? issue['path'].join('.') : '';
  const [form] = Array.isArray(issue['errors']) ? (issue['errors'] as readonly unknown[]) : [];
  if (form === undefined)
    return { path, message: String(issue['message']).replace(/^Invalid input: /u, '') };
  const inner = firstFault(form);
  return { path: [path, inner.path].filter((part) => part !== '').join('.'), message: inner.message };
}
