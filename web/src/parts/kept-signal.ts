/** What a person typed and did not send yet: kept for this window, so that going elsewhere and a reload change nothing of it. */
import { effect, signal, type Signal } from '@preact/signals';
import { parsedJson } from '../../../src/core/json.ts';

const kept = new Map<string, unknown>();

/**
 * The same signal for the same key. What is too large for the browser to keep outlasts everything but a reload.
 * @param isMeant Whether what was kept is of the kind, by whichever version of the page it was.
 */
export function keptSignal<Value>(
  key: string,
  initial: Value,
  isMeant: (value: unknown) => value is Value,
): Signal<Value> {
  const known = kept.get(key) as Signal<Value> | undefined;
  if (known !== undefined) return known;
  const name = `quod.typed.${key}`;
  const before = parsedJson(sessionStorage.getItem(name) ?? 'null');
  const one = signal(isMeant(before) ? before : initial);
  kept.set(key, one);
  effect(() => {
    const { value } = one;
    sessionStorage.removeItem(name);
    if (value === initial) return;
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
      // There is no room: it is in the memory of the page.
    }
  });
  return one;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
