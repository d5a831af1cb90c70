/**
 * Who may speak to the server at all. The server listens on the loopback address only, but a page of any site that is
 * open in the user's browser can reach that: so the names in `Host` and `Origin` must be this machine's, and every
 * request that does or tells anything needs the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { isForeignPage, type PageSessions } from './page-session.ts';
import { problemResponse } from '../problem.ts';

/** Bytes of a request's body: a file of the largest size that Quod reads, written as JSON, has room. */
export const LARGEST_BODY = 16 * 1024 * 1024;

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Refuses requests that name another host, which is what a page behind a rebound name does. */
export const localOnly: MiddlewareHandler = async ({ req }, next) => {
  const origin = req.header('origin');
  if (!isLocal(`http://${orNothing(req.header('host'))}`) || (origin !== undefined && !isLocal(origin))) {
    return problemResponse(
      new QuodError('foreign-origin', 'The server answers only to this machine by its own name.', {
        remedy: 'Call it as 127.0.0.1 or localhost, and from no page of another site.',
      }),
    );
  }
  await next();
  return undefined;
};

/**
 * Refuses requests that a page of another origin makes. Where no token is asked for, such a page could have things done
 * although it cannot read the answer.
 */
export const ownPagesOnly: MiddlewareHandler = async ({ req }, next) => {
  if (isForeignPage(req.raw.headers)) {
    return problemResponse(
      new QuodError('foreign-origin', 'The request comes from a page of another server.', {
        remedy: 'Call from a program, or from the pages of this server.',
      }),
    );
  }
  await next();
  return undefined;
};

function isLocal(address: string): boolean {
  return URL.canParse(address) && LOCAL_NAMES.has(new URL(address).hostname);
}

/** Refuses requests without the token, unless they come from a page that was admitted. */
export function tokenRequired(token: string, sessions: PageSessions): MiddlewareHandler {
  const expected = digest(token);
  return async ({ req }, next) => {
    if (sessions.admits(req.raw.headers)) {
      await next();
      return undefined;
    }
    const given = /^Bearer +(\S+)$/i.exec(orNothing(req.header('authorization')))?.[1];
    // Digests have one length, so that comparing them takes the same time whatever was sent.
    if (given === undefined || !timingSafeEqual(digest(given), expected)) {
      return problemResponse(
        new QuodError(
          'unauthorized',
          given === undefined ? 'The request has no token.' : 'The token is wrong.',
          {
            remedy: 'Send `Authorization: Bearer TOKEN` with the token that `quod serve` printed.',
          },
        ),
        { headers: { 'www-authenticate': 'Bearer realm="quod"' } },
      );
    }
    await next();
    return undefined;
  };
}

export const smallBodiesOnly: MiddlewareHandler = bodyLimit({
  maxSize: LARGEST_BODY,
  onError: async ({ req }) => {
    const { body } = req.raw;
    if (body !== null && !body.locked) await discard(body);
    return problemResponse(
      new QuodError('too-large', `The body is larger than ${LARGEST_BODY / 1024 / 1024} MB.`, {
        remedy: 'Send less at once; name a file instead of sending its text.',
      }),
    );
  },
});

/** Bytes of a body that is refused which are taken in, to be forgotten, and how long that may last. */
const MOST_DISCARDED = 16 * LARGEST_BODY;
const DISCARD_MS = 10_000;

/**
 * Many clients send all of a request before they read an answer: one that is given before would be lost to them, with
 * the connection that is closed while they send.
 */
async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const timer = setTimeout(() => {
    reader.cancel().catch(() => undefined);
  }, DISCARD_MS);
  try {
    for (let taken = 0; taken <= MOST_DISCARDED;) {
      const { done, value } = await reader.read();
      if (done) return;
      taken += value.length;
    }
  } catch {
    // The client is gone.
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
