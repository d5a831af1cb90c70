import type { ReasonCode } from './reason.ts';

export interface ErrorPlace {
  readonly file?: string;
  /** As it is printed: a line from 1, a column from 0 in code points. */
  readonly position?: { readonly line: number; readonly column: number };
}

/**
 * The one class that crosses Quod's borders. `message` says what happened, `place` where, `remedy` what to do.
 * Each kind of failure is a reason code, not a subclass, because faces map codes and nothing else.
 */
export class QuodError extends Error {
  override readonly name = 'QuodError';
  readonly reason: ReasonCode;
  readonly place: ErrorPlace;
  readonly remedy: string | undefined;

  constructor(
    reason: ReasonCode,
    message: string,
    details: { readonly place?: ErrorPlace; readonly remedy?: string; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.place = details.place ?? {};
    this.remedy = details.remedy;
  }

  /** For people: `file:line:column: message remedy`, in one line where the message is one. */
  override toString(): string {
    const { file, position } = this.place;
    const where = [file, position && `${position.line}:${position.column}`].filter(Boolean).join(':');
    return `${where ? `${where}: ` : ''}${withRemedy(this)}`;
  }
}

/** What happened and what to do, in one text. What another program said has lines of its own. */
export function withRemedy({ message, remedy }: Told): string {
  if (remedy === undefined || remedy === '') return message;
  const behind = /\n[^\n]*(?<![.!?])$/u.test(message) ? '\n' : ' ';
  return `${message}${behind}${remedy}`;
}

interface Told {
  readonly message: string;
  readonly remedy?: string | undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The error of a stack that is used up, as one with a reason; undefined for any other. Terms are nested as deep as whoever
 * writes them likes: what is too deep for work by recursion is no defect. It is told of the one theorem or step that was
 * worked on, and the rest goes on.
 */
export function tooDeep(error: unknown): QuodError | undefined {
  if (!(error instanceof RangeError) || !error.message.includes('call stack')) return undefined;
  return new QuodError('too-large', 'Something in it is nested too deep to be worked on.', { cause: error });
}

/** Whether it is, said by whatever border. */
export function isNestedTooDeep(error: unknown): error is QuodError {
  return error instanceof QuodError && error.reason === 'too-large' && tooDeep(error.cause) !== undefined;
}
