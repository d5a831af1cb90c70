/** HOL's replies as diagnostics: severities, and places where they can be told. */
import { onOneLine } from '../../../core/sentence.ts';
import { codePointAt } from '../../../core/code-points.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { LineIndex, type Span } from '../../../core/position.ts';
import { codeTokens } from '../syntax/cheats.ts';
import type { HolReply } from './reply.ts';

/**
 * The error of a reply that is not `ok`.
 * @param text What was asked, into which the span counts.
 * @param executed What was executed for it, when that is not the same text.
 */
export function errorDiagnostic(reply: HolReply, text: string, executed = text): Diagnostic {
  const { error } = reply;
  const message = error === undefined ? reply.output.trim() : said(error.origin, error.message);
  const span =
    executed === text && error?.line !== undefined
      ? spanAt(text, error.line, error.column ?? 1)
      : undeclaredName(text, message);
  return { severity: 'error', message, ...(span !== undefined && { span }) };
}

/** What a command printed, warnings and messages of HOL's apart. */
export function messagesIn(output: string): readonly Diagnostic[] {
  const messages: Diagnostic[] = [];
  const rest = output.replace(
    /<<HOL (warning|message): ([\s\S]*?)>>\n?/g,
    (_, kind: string, text: string) => {
      const severity = kind === 'warning' ? 'warning' : 'notice';
      messages.push({ severity, message: onOneLine(text) });
      return '';
    },
  );
  const printed = rest.trim();
  return printed === '' ? messages : [...messages, { severity: 'info', message: printed }];
}

function said(origin: string, message: string): string {
  if (origin === '') return message;
  return message === '' ? origin : `${origin}: ${message}`;
}

/** HOL counts columns from 1 in bytes. */
function spanAt(text: string, line: number, column: number): Span | undefined {
  const start = new LineIndex(text).offsetAt({ line: line - 1, character: 0 });
  if (start === undefined) return undefined;
  let offset = start;
  for (let left = column - 1; left > 0 && offset < text.length;) {
    const point = String.fromCodePoint(codePointAt(text, offset));
    left -= Buffer.byteLength(point);
    offset += point.length;
  }
  return { start: offset, end: Math.min(text.length, offset + 1) };
}

/** The compiler gives no places in commands, but it names what it does not know. */
function undeclaredName(text: string, message: string): Span | undefined {
  const name =
    /^(?:Value or constructor|Structure|Type constructor) \(([^)\s]+)\) has not been declared/.exec(
      message,
    )?.[1];
  if (name === undefined) return undefined;
  const found = codeTokens(text, { start: 0, end: text.length }).find(({ span }) => {
    const word = text.slice(span.start, span.end);
    return word === name || word.startsWith(`${name}.`) || word.endsWith(`.${name}`);
  });
  return found?.span;
}
