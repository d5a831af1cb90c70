/** Short notes at the edge of the page. They are read out, and go by themselves unless they ask for something. */
import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly action?: { readonly title: string; readonly run: () => void };
}

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6000;
let next = 1;

export function toast(
  text: string,
  { tone = 'plain', action }: Partial<Pick<Toast, 'tone' | 'action'>> = {},
): void {
  const id = next;
  next += 1;
  toasts.value = [...toasts.value.slice(-3), { id, text, tone, ...(action !== undefined && { action }) }];
  if (action === undefined) setTimeout(() => dismiss(id), SHOWN_MS);
}

/** What went wrong, in a toast. */
export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), { tone: 'bad' });
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
