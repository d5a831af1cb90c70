/**
 * What a part of the page asked the server for: asked again when its inputs change, or when events may have been
 * missed.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { onRenewal } from '../server/live.ts';

export type Asked<Value> =
  | { readonly state: 'asking'; readonly value: Value | undefined }
  | { readonly state: 'answered'; readonly value: Value }
  | { readonly state: 'failed'; readonly value: Value | undefined; readonly error: unknown };

/** While it asks again, the answer of before stays in `value`. */
export function useAsked<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Asked<Value> & { readonly again: () => void } {
  const asked = useSignal<Asked<Value>>({ state: 'asking', value: undefined });
  const round = useSignal(0);
  const again = (): void => {
    round.value += 1;
  };
  useEffect(() => {
    const gone = new AbortController();
    asked.value = { state: 'asking', value: asked.peek().value };
    ask(gone.signal).then(
      (value) => {
        if (!gone.signal.aborted) asked.value = { state: 'answered', value };
      },
      (error: unknown) => {
        if (!gone.signal.aborted) asked.value = { state: 'failed', value: asked.peek().value, error };
      },
    );
    return () => gone.abort();
  }, [round.value, ...inputs]);
  useEffect(() => onRenewal(again), []);
  return { ...asked.value, again };
}

const RESTED_MS = 250;

/** For what follows a cursor: resolves when it stays where it is. @throws the reason of `gone`. */
export async function rested(gone: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, RESTED_MS));
  gone.throwIfAborted();
}
