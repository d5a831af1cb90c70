/**
 * How a browser is admitted to the workbench. A token is exchanged for two halves: a cookie that no script can
 * read, and a key that the page keeps for its origin and sends with each call. Browsers send a cookie of 127.0.0.1
 * to every port of this machine, so the cookie alone admits nobody; a page of another site has neither half.
 *
 * Nothing is stored: both halves are made from a secret that lives and dies with the server. Whoever listens on the port
 * afterwards gets from a page that is still open, or that is loaded anew, nothing that is good for the next server.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { orNothing } from '../../core/entry.ts';
import { proofOf, sameText } from './server-proof.ts';

export const PAGE_KEY_HEADER = 'quod-page';

/** How long a browser stays admitted. */
const SESSION_SECONDS = 30 * 24 * 3600;

/** How long a ticket may wait to be used. */
const TICKET_MS = 5 * 60_000;

export interface Admission {
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
  readonly key: string;
}

export class PageSessions {
  readonly #token: string;
  /** Not the token, which the user may give to each start of a server. */
  readonly #secret = randomBytes(32);
  readonly #tickets = new Map<string, number>();

  /** @param token What admits, besides tickets. */
  constructor(token: string) {
    this.#token = token;
  }

  /** A token that admits one browser once, within five minutes: it may stand in an address. */
  ticket(): string {
    const ticket = randomBytes(24).toString('base64url');
    this.#tickets.set(ticket, Date.now() + TICKET_MS);
    return ticket;
  }

  /** @param host The `Host` of the request: servers on several ports have cookies of their own. */
  enter(token: string, host: string): Admission | undefined {
    if (!this.#useTicket(token) && !sameText(token, this.#token)) return undefined;
    const expiry = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
    const id = `${expiry}.${randomBytes(16).toString('base64url')}`;
    return {
      cookie: `${cookieName(host)}=${id}.${this.#half('cookie', id)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_SECONDS}`,
      key: this.#half('key', id),
    };
  }

  /** Whether a request has both halves of one session, and comes from this server's own page. */
  admits(headers: Headers): boolean {
    const key = headers.get(PAGE_KEY_HEADER);
    const id = this.#sessionOf(headers);
    return key !== null && id !== undefined && sameText(key, this.#half('key', id));
  }

  /** Shows a page of ours that this server knows its key; the page has sent the cookie only. */
  prove(headers: Headers, nonce: string): string | undefined {
    const id = this.#sessionOf(headers);
    return id === undefined ? undefined : proofOf(this.#half('key', id), nonce);
  }

  /** The session of the cookie, where our own page sent it. */
  #sessionOf(headers: Headers): string | undefined {
    if (!isOwnPage(headers)) return undefined;
    const cookie = cookieOf(orNothing(headers.get('cookie')), cookieName(orNothing(headers.get('host'))));
    const [, id, half] = /^(\d+\.[\w-]+)\.([\w-]+)$/.exec(orNothing(cookie)) ?? [];
    if (id === undefined || half === undefined || !sameText(half, this.#half('cookie', id))) return undefined;
    return Number(id.split('.')[0]) > Date.now() / 1000 ? id : undefined;
  }

  #useTicket(token: string): boolean {
    const until = this.#tickets.get(token);
    this.#tickets.delete(token);
    return until !== undefined && until > Date.now();
  }

  #half(of: 'cookie' | 'key', id: string): string {
    return createHmac('sha256', this.#secret).update(`${of}:${id}`).digest('base64url');
  }
}

function cookieName(host: string): string {
  return `quod-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

function cookieOf(header: string, name: string): string | undefined {
  return header
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** What is not said by an old browser is not held against it: the key is there. */
export function isOwnPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return !isForeignPage(headers) && (site === null || site === 'same-origin');
}

/** Whether a page of another origin asks, also of another port of this machine. A program is no page. */
export function isForeignPage(headers: Headers): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isOther = origin !== null && origin !== `http://${orNothing(headers.get('host'))}`;
  return isOther || site === 'cross-site' || site === 'same-site';
}
