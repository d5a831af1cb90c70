/**
 * The one stream of live events. It is resumed where it broke off; where the server cannot say what was missed, whoever
 * listens is told to ask anew.
 */
import { effect } from '@preact/signals';
import type { LiveEvent, LiveKind } from '../../../src/faces/server/live/live-event.ts';
import { access } from './access.ts';
import { send } from './client.ts';
import { connection, isAway, noteSilence } from './connection.ts';
import { SilentStream, readTextEvents } from './event-text.ts';

export type { LiveEvent, LiveKind };

type Listener = (event: LiveEvent) => void;

const listeners = new Map<LiveKind, Set<Listener>>();
const renewals = new Set<() => void>();

/** Calls back for each event of a kind. Answers how to stop. */
export function onLive<Kind extends LiveKind>(
  kind: Kind,
  listener: (event: Extract<LiveEvent, { kind: Kind }>) => void,
): () => void {
  const of = listeners.get(kind) ?? new Set();
  // Only events of the kind are handed to it.
  const typed = listener as Listener;
  listeners.set(kind, of.add(typed));
  return () => of.delete(typed);
}

/** Calls back when events may have been missed: whatever was asked for should be asked for again. */
export function onRenewal(listener: () => void): () => void {
  renewals.add(listener);
  return () => renewals.delete(listener);
}

/** The server says every ten seconds that it is there (src/faces/server/live/live-routes.ts): an open line alone says nothing. */
const PATIENCE_MS = 25_000;

const RETRY_MS = [200, 500, 1000, 2000, 4000];

/** Follows the stream for as long as the page lives. Whatever finds that nobody answers, this is what asks again. */
export async function followLive(): Promise<never> {
  let last: string | undefined;
  let wasAway = false;
  for (let failures = 0; ;) {
    const over = new AbortController();
    let stopWatching = (): void => undefined;
    try {
      const response = await send('/api/live', {
        headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
        signal: over.signal,
      });
      if (response.body !== null) {
        failures = 0;
        // What was asked meanwhile had no answer, though no event need be missing.
        if (wasAway) renewAll();
        wasAway = false;
        // A line that stays open, or seems to, while others break off would never be asked again.
        stopWatching = effect(() => {
          if (isAway(connection.value)) over.abort();
        });
        for await (const { event, id, text } of readTextEvents(response.body, PATIENCE_MS)) {
          if (id !== undefined) last = id;
          if (event === 'renew') renewAll();
          else tell(JSON.parse(text) as LiveEvent);
        }
      }
      noteSilence();
    } catch (error) {
      // `send` noted what else is wrong; all there is to do is to ask again.
      if (error instanceof SilentStream) noteSilence();
    } finally {
      stopWatching();
    }
    wasAway ||= isAway(connection.value);
    await admitted();
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 4000);
    failures += 1;
    if (connection.value === 'connected') failures = 0;
  }
}

function renewAll(): void {
  for (const renew of renewals) renew();
}

function tell(event: LiveEvent): void {
  for (const listener of listeners.get(event.kind) ?? []) listener(event);
}

/** A page that was not admitted hears nothing, and asks for nothing, until it is. */
function admitted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (access.value === 'refused') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** Ends when the browser has a network again, too. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
}
