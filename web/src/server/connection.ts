/**
 * Whether the server of this page answers. The page says so while it does not, keeps what was typed, and asks until it
 * does again. An answer counts only from a server that has proved to be the one that admitted the page.
 */
import { signal } from '@preact/signals';
import { access } from './access.ts';
import { holdServerTime } from './server-clock.ts';
import { doubtServer } from './server-proof.ts';

/** `asking`: nobody has answered yet; `stranger`: somebody answers who is not the server of this page. */
export type Connection = 'asking' | 'connected' | 'lost' | 'stranger';

export const connection = signal<Connection>('asking');

/** Whether the browser says that it has no network: then it need not be the server that is missing. */
export const isOffline = signal(false);

export function followNetwork(): void {
  const look = (): void => {
    isOffline.value = !navigator.onLine;
  };
  addEventListener('online', look);
  addEventListener('offline', look);
  look();
}

/** The server answered once, and does not now. */
export function isAway(now: Connection): boolean {
  return now === 'lost' || now === 'stranger';
}

export function noteAnswer(): void {
  connection.value = 'connected';
  access.value = 'entered';
}

export function noteSilence(): void {
  doubtServer();
  holdServerTime();
  connection.value = 'lost';
}

export function noteStranger(): void {
  holdServerTime();
  connection.value = 'stranger';
}

export function noteUnauthorized(): void {
  connection.value = 'connected';
  access.value = 'refused';
}
