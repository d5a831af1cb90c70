/**
 * What HOL's answer to a command means. HOL answers text and nothing else, so the text is read: an error of its own
 * reader (`parse error at L:C: …`), of the compiler (`Static Errors`), an exception at its end (`Exception- …
 * raised`), an interrupt. A command that ends with a mark of Quod's settles the doubtful cases: where the mark was
 * reached, no error ended the command, whatever was printed.
 */
import { onOneLine } from '../../../core/sentence.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';

export type ReplyStatus = 'ok' | 'parse-error' | 'static-error' | 'exception' | 'interrupted';

export interface HolError {
  /** `Tactical.FAIL_TAC` for HOL's own errors, the exception's name for others, empty for errors of the compiler. */
  readonly origin: string;
  readonly message: string;
  /** Line from 1 and column from 1 in the command, as HOL counts (bytes), when it tells. */
  readonly line?: number;
  readonly column?: number;
}

export interface HolReply {
  readonly status: ReplyStatus;
  /** All that was printed. */
  readonly output: string;
  readonly error?: HolError;
  /** Something of the command was executed although it has an error: what it declared until then is there. */
  readonly mayHaveActed: boolean;
  readonly warnings: readonly string[];
}

/**
 * Reads an answer.
 * @param reached Whether the mark at the end of the command was executed; undefined when it had none.
 */
export function readReply(output: string, reached?: boolean): HolReply {
  const parseError = readParseError(output);
  const exception = reached === true ? undefined : readException(output);
  const staticError = reached === true ? undefined : readStaticError(output);
  const warnings = readWarnings(output);
  const base = { output, warnings };
  if (exception !== undefined && /^(?:\w+\.)*Interrupt$/.test(exception.origin)) {
    return { ...base, status: 'interrupted', error: exception, mayHaveActed: true };
  }
  if (parseError !== undefined) {
    // HOL goes on after an error of its reader: what it made of the rest may have been executed, theorems saved.
    return {
      ...base,
      status: 'parse-error',
      error: parseError,
      mayHaveActed: staticError === undefined || declares(output),
    };
  }
  if (exception !== undefined) return { ...base, status: 'exception', error: exception, mayHaveActed: true };
  if (staticError !== undefined) {
    return { ...base, status: 'static-error', error: staticError, mayHaveActed: declares(output) };
  }
  if (reached === false) {
    // Nothing was said and the end was not reached: a signal hit while HOL read the command.
    const error = { origin: '', message: 'HOL did not reach the end of the command.' };
    return { ...base, status: 'interrupted', error, mayHaveActed: true };
  }
  return { ...base, status: 'ok', mayHaveActed: true };
}

function readParseError(output: string): HolError | undefined {
  const found = /^parse error at (\d+):(\d+)(?:-[\d:]+)?: (.*)$/m.exec(output);
  if (found === null) return undefined;
  const [, line, column, message = ''] = found;
  return { origin: '', message, line: Number(line), column: Number(column) };
}

/** The compiler ends its complaints with `Static Errors` and does not execute the declaration. */
function readStaticError(output: string): HolError | undefined {
  if (!/(?:^|\n)Static Errors\s*$/.test(output)) return undefined;
  const parts = output.split(/^poly: : (?=error:|warning:)/m).slice(1);
  const errors = parts.filter((part) => part.startsWith('error:'));
  const [first = output] = errors.map((part) =>
    part
      .slice('error:'.length)
      .replace(/\n?Static Errors\s*$/, '')
      .trim(),
  );
  return { origin: '', message: first };
}

/** Poly/ML prints the exception last, broken over lines where it is long. */
function readException(output: string): HolError | undefined {
  const start = output.lastIndexOf('Exception-');
  if (start < 0) return undefined;
  const found = /^Exception-\s+([\s\S]*?)\s+raised\s*$/.exec(output.slice(start));
  const text = found?.[1];
  if (text === undefined) return undefined;
  const own = /^HOL_ERR\s*(?:\(at\s+([\s\S]*)\)|at\s+([\s\S]*))$/.exec(text);
  if (own === null) {
    const [name = '', ...rest] = text.split(/(?<=^\S+)\s/);
    return { origin: name, message: rest.join(' ').trim() };
  }
  const told = orNothing(own[1] ?? own[2]).trim();
  return splitOrigins(told);
}

/** `Q.store_thm: at boolLib.store_thm_at: at Tactical.TAC_PROOF: message`: the last place raised it. */
function splitOrigins(told: string): HolError {
  let rest = told;
  let origin = '';
  for (;;) {
    const found: RegExpExecArray | null = /^(?:at\s+)?((?:[\w']+\.)+[\w'+>\-\\|~-]+):\s*/.exec(rest);
    if (found === null) break;
    origin = entryAt(found, 1, 'origin');
    rest = rest.slice(found[0].length);
  }
  return { origin, message: rest.trim() };
}

function readWarnings(output: string): readonly string[] {
  const own = [...output.matchAll(/<<HOL warning: ([\s\S]*?)>>/g)].map(([, text = '']) => text);
  return own.map(onOneLine);
}

/** A block's earlier declarations stay when a later one fails; Poly/ML prints what they bind. */
function declares(output: string): boolean {
  return /^(?:val|structure|signature|functor|datatype|type|exception|infix) /m.test(output);
}
