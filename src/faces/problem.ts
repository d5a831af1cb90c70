/** Failures over HTTP: problem details (RFC 9457) with the reason code, and a status for each reason. */
import { REASON_CODES } from '../core/reason.ts';
import type { ReasonCode } from '../core/reason.ts';
import { asQuodError, errorObject } from './error-object.ts';
import type { ErrorObject } from './error-object.ts';

export interface Problem extends ErrorObject {
  /** Where the reason is explained: a place in the documentation that the server itself shows. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

export function problemOf(thrown: unknown, status?: number): Problem {
  const error = errorObject(asQuodError(thrown));
  return {
    type: `/docs#${error.reason}`,
    title: REASON_CODES[error.reason],
    status: status ?? statusOf(error.reason),
    detail: error.message,
    ...error,
  };
}

/** `status` where HTTP has a more exact word than the reason: 405, 415. */
export function problemResponse(
  thrown: unknown,
  { status, headers = {} }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Response {
  const problem = problemOf(thrown, status);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, ...headers },
  });
}

export function statusOf(reason: ReasonCode): number {
  switch (reason) {
    case 'invalid-input':
      return 400;
    case 'unauthorized':
      return 401;
    case 'outside-workspace':
    case 'not-allowed':
    case 'foreign-origin':
      return 403;
    case 'not-found':
      return 404;
    case 'interrupted':
    case 'file-changed':
      return 409;
    case 'stale-state':
      return 410;
    case 'too-large':
      return 413;
    case 'does-not-compile':
    case 'library-missing':
    case 'file-unreadable':
    case 'file-unwritable':
    case 'budget-exhausted':
    case 'search-exhausted':
    case 'not-verified':
    case 'not-replayed':
      return 422;
    case 'internal':
      return 500;
    case 'prover-missing':
    case 'no-sandbox':
    case 'unsupported':
      return 501;
    case 'prover-crashed':
    case 'protocol-error':
      return 502;
    case 'memory-exceeded':
      return 503;
    case 'timeout':
      return 504;
  }
}
