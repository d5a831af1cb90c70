/**
 * Whose sessions a request sees. Everybody who has the token of a server may do the same there; the name only keeps the
 * sessions of one program apart from those of another. A program that names itself with `Quod-Client` finds its
 * sessions again after it was restarted; they end when nobody used them for a while, or with `DELETE /api/client`.
 */
import { QuodError } from '../../core/errors.ts';

export const CLIENT_HEADER = 'quod-client';

/** The client of a request, or undefined when the request names none. @throws QuodError `invalid-input`. */
export function namedClient(headers: Headers): string | undefined {
  const name = headers.get(CLIENT_HEADER);
  if (name === null) return undefined;
  if (!/^[\w.:-]{1,64}$/.test(name)) {
    throw new QuodError('invalid-input', 'The header Quod-Client is not a name.', {
      remedy: 'Use at most 64 letters, digits, dots, colons, hyphens and underscores.',
    });
  }
  return `named:${name}`;
}

/** Those who name themselves not are one client together. */
export const UNNAMED_CLIENT = 'unnamed';
