/** What admits a page, and that neither half does alone. */
import { describe, expect, it } from 'vitest';
import { PAGE_KEY_HEADER, PageSessions } from './page-session.ts';
import { proofOf } from './server-proof.ts';

const HOST = '127.0.0.1:4770';

function admission(sessions: PageSessions, host = HOST): { cookie: string; key: string } {
  const entered = sessions.enter(sessions.ticket(), host);
  if (entered === undefined) throw new Error('The ticket was not taken.');
  return { cookie: entered.cookie.split(';')[0] ?? '', key: entered.key };
}

function request(headers: Readonly<Record<string, string>>): Headers {
  return new Headers({ host: HOST, ...headers });
}

describe('a page', () => {
  const sessions = new PageSessions('secret');
  const { cookie, key } = admission(sessions);
  const both = { cookie, [PAGE_KEY_HEADER]: key };

  it('is admitted by both halves of one session', () => {
    expect(sessions.admits(request(both))).toBe(true);
    expect(
      sessions.admits(request({ ...both, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' })),
    ).toBe(true);
    expect(sessions.admits(request({ ...both, cookie: `other=1; ${cookie}; more=2` }))).toBe(true);
  });

  it('is known to this server only, not to the next one with the same token', () => {
    expect(new PageSessions('secret').admits(request(both))).toBe(false);
  });

  it('gets a proof by its cookie, made with the key that it did not send', () => {
    const nonce = 'n'.repeat(32);
    expect(sessions.prove(request({ cookie }), nonce)).toBe(proofOf(key, nonce));
    expect(new PageSessions('secret').prove(request({ cookie }), nonce)).toBeUndefined();
    expect(sessions.prove(request({ cookie, 'sec-fetch-site': 'same-site' }), nonce)).toBeUndefined();
    expect(sessions.prove(request({ cookie: `${cookie}x` }), nonce)).toBeUndefined();
  });

  it.each([
    ['the cookie alone', { cookie }],
    ['the key alone', { [PAGE_KEY_HEADER]: key }],
    ['the key of another session', { cookie, [PAGE_KEY_HEADER]: admission(sessions).key }],
    ['another origin', { ...both, origin: 'http://127.0.0.1:3000' }],
    ['a page of another port', { ...both, 'sec-fetch-site': 'same-site' }],
    ['a page of another site', { ...both, 'sec-fetch-site': 'cross-site' }],
    ['the cookie of another port', { ...both, host: '127.0.0.1:4771' }],
    ['a longer life', { ...both, cookie: cookie.replace(/=\d/, '=9') }],
    ['a cut cookie', { ...both, cookie: cookie.slice(0, -1) }],
    ['the cookie as the key', { cookie, [PAGE_KEY_HEADER]: cookie.split('.').at(-1) ?? '' }],
  ])('is not admitted by %s', (_, headers) => {
    expect(sessions.admits(request(headers))).toBe(false);
  });

  it('enters once with a ticket, as often as wanted with the token, and never with anything else', () => {
    const ticket = sessions.ticket();
    expect(sessions.enter(ticket, HOST)).toBeDefined();
    expect(sessions.enter(ticket, HOST)).toBeUndefined();
    expect(sessions.enter('secret', HOST)).toBeDefined();
    expect(sessions.enter('secret', HOST)).toBeDefined();
    for (const wrong of ['', 'secre', 'secrets', ticket, key])
      expect(sessions.enter(wrong, HOST)).toBeUndefined();
  });

  it('has a cookie that scripts cannot read and other sites do not send', () => {
    expect(sessions.enter(sessions.ticket(), HOST)?.cookie).toMatch(
      /^quod-4770=.*; HttpOnly; SameSite=Strict; Path=\//,
    );
  });
});
