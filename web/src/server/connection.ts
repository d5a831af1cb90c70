/**
 * Whether the server answers. The page says so while it does not, keeps what was typed, and asks until it does
 * again.
 */
import { signal } from '@preact/signals';
import { access } from './access.ts';

export type Connection = 'connected' | 'lost';

export const connection = signal<Connection>('connected');

export function noteAnswer(): void {
  connection.value = 'connected';
  access.value = 'entered';
}

export function noteSilence(): void {
  connection.value = 'lost';
}

export function noteUnauthorized(): void {
  connection.value = 'connected';
  access.value = 'refused';
}
