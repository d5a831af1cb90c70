/**
 * How a browser is admitted to the workbench. A token is exchanged for two halves: a cookie that no script can
 * read, and a key that the page keeps for its origin and sends with each call. Browsers send a cookie of 127.0.0.1
 * to every port of this machine, so the cookie alone admits nobody; a page of another site has neither half.
 *
 * Nothing is stored: both halves are made from the server's secret, so that a server which starts again with the same
 * secret knows its browsers again.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { orNothing } from '../../core/entry.ts';

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
  readonly #secret: string;
  readonly #tickets = new Map<string, number>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** A token that admits one browser once, within five minutes: it may stand in an address. */
  ticket(): string {
    const ticket = randomBytes(24).toString('base64url');
    this.#tickets.set(ticket, Date.now() + TICKET_MS);
    return ticket;
  }

  /** @param host The `Host` of the request: servers on several ports have cookies of their own. */
  enter(token: string, host: string): Admission | undefined {
    if (!this.#useTicket(token) && !sameText(token, this.#secret)) return undefined;
    const expiry = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
    const id = `${expiry}.${randomBytes(16).toString('base64url')}`;
    return {
      cookie: `${cookieName(host)}=${id}.${this.#half('cookie', id)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_SECONDS}`,
      key: this.#half('key', id),
    };
  }

  /** Whether a request has both halves of one session, and comes from this server's own page. */
  admits(headers: Headers): boolean {
    const host = orNothing(headers.get('host'));
    const key = headers.get(PAGE_KEY_HEADER);
    if (key === null || !isOwnPage(headers)) return false;
    const cookie = cookieOf(orNothing(headers.get('cookie')), cookieName(host));
    const [, id, half] = /^(\d+\.[\w-]+)\.([\w-]+)$/.exec(orNothing(cookie)) ?? [];
    if (id === undefined || half === undefined) return false;
    return (
      Number(id.split('.')[0]) > Date.now() / 1000 &&
      sameText(half, this.#half('cookie', id)) &&
      sameText(key, this.#half('key', id))
    );
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

function sameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
