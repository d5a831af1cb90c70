/** Short notes at the edge of the page. They are read out, and go by themselves unless they ask for something. */
import { signal } from '@preact/signals';
import { orNothing } from '../../../src/core/entry.ts';
import { toldText } from '../parts/page-words.ts';
import { CallError } from '../server/client.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly action?: { readonly title: string; readonly run: () => void };
  /** What it tells of: what is said of it next takes its place. */
  readonly about?: string;
}

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6000;
let next = 1;

export function toast(
  text: string,
  { tone = 'plain', action, about }: Partial<Pick<Toast, 'tone' | 'action' | 'about'>> = {},
): void {
  const id = next;
  next += 1;
  const others = toasts.value.filter((shown) => about === undefined || shown.about !== about);
  const more = { ...(action !== undefined && { action }), ...(about !== undefined && { about }) };
  toasts.value = [...others.slice(-3), { id, text, tone, ...more }];
  if (action === undefined) setTimeout(() => dismiss(id), SHOWN_MS);
}

/** What went wrong, in a toast. */
export function toastError(error: unknown): void {
  toast(errorWords(error), { tone: 'bad' });
}

/** What came of saving a file, in the place of what was said of an earlier attempt. */
export function toastSaved(file: string, saved: Promise<void>): void {
  const about = savingOf(file);
  saved.then(
    () => toast(`${file} is saved.`, { tone: 'good', about }),
    (error: unknown) => toast(errorWords(error), { tone: 'bad', about }),
  );
}

/** What was said of saving a file does not hold any more. */
export function dismissSaved(file: string): void {
  toasts.value = toasts.value.filter(({ about }) => about !== savingOf(file));
}

function savingOf(file: string): string {
  return `save ${file}`;
}

function errorWords(error: unknown): string {
  if (!(error instanceof CallError)) return error instanceof Error ? error.message : String(error);
  const { detail, remedy } = error.problem;
  return `${detail} ${toldText(orNothing(remedy))}`.trimEnd();
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
