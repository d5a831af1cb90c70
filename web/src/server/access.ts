/**
 * What admits this page: a cookie that no script sees, and a key that stays with this origin. The cookie alone is
 * shared with every other port of this machine; the key alone could be read by a script: only both together are taken.
 */
import { signal } from '@preact/signals';

const KEY = 'quod.key';

export type Access = 'unknown' | 'entered' | 'refused';

export const access = signal<Access>('unknown');

/** What this browser was admitted with last, in whichever window. */
export function storedKey(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}

/** The token that the address brought (`#enter=…`), taken out of the address at once. */
export function takeTokenFromAddress(): string | undefined {
  const token = /^#enter=([\w-]+)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Exchanges a token for the session of this browser. Answers whether it was taken. */
export async function enter(token: string): Promise<boolean> {
  const response = await fetch('/ui/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return false;
  const { key } = (await response.json()) as { readonly key: string };
  localStorage.setItem(KEY, key);
  access.value = 'entered';
  return true;
}

/** Another window of this browser entered: then this one may go on. */
export function watchOtherWindows(then: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY) then();
  });
}
