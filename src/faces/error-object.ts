/** How an error looks at every face that speaks JSON: the same keys, absent where there is nothing to say. */
import { QuodError, errorText, tooDeep } from '../core/errors.ts';
import { foreignText } from '../core/foreign-text.ts';
import { unusablePath } from '../process/foreign-folder/unusable-path.ts';
import type { ReasonCode } from '../core/reason.ts';

export interface ErrorObject {
  readonly reason: ReasonCode;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly remedy?: string;
}

export function errorObject({ reason, message, place, remedy }: QuodError): ErrorObject {
  return {
    reason,
    message,
    ...(place.file !== undefined && { file: place.file }),
    ...place.position,
    ...(remedy !== undefined && { remedy }),
  };
}

/** What was thrown as an error with a reason; what has none is a defect of Quod. */
export function asQuodError(error: unknown): QuodError {
  if (error instanceof QuodError) return error;
  const unusable = unusablePath(error) ?? tooDeep(error);
  if (unusable !== undefined) return unusable;
  return new QuodError('internal', `Quod has a defect: ${errorText(error)}`, {
    remedy: 'Please report it with what was asked.',
    cause: error,
  });
}

/** `file:line:column: message remedy [reason]`, of which the first line alone begins where lines of Quod's own do. */
export function errorWithReason(error: QuodError): string {
  return `${foreignText(error.toString())} [${error.reason}]`;
}
