/** What was put into a form, kept for this window until it is forgotten: a reload changes nothing of it. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { parsedJson } from '../../../../src/core/json.ts';

type Field = HTMLInputElement | HTMLSelectElement;

/** By the names of the fields; of a box that is ticked `true`, of one that is not `false`. */
type Kept = Readonly<Record<string, string>>;

export function keptFields(form: string): Kept {
  const kept = parsedJson(sessionStorage.getItem(keyOf(form)) ?? '{}');
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'string'));
}

export function forgetFields(form: string): void {
  sessionStorage.removeItem(keyOf(form));
}

/** Fills each field once, when it appears: which there are may depend on what is chosen. Of radios the form sees to it. */
export function useKeptFields(form: string, element: RefObject<HTMLFormElement | null>): () => void {
  const filled = useRef(new WeakSet<Field>());
  useEffect(() => {
    const kept = keptFields(form);
    for (const field of fieldsOf(element.current)) {
      if (filled.current.has(field)) continue;
      filled.current.add(field);
      const value = kept[field.name];
      if (value === undefined || field.type === 'radio') continue;
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === 'true';
      else field.value = value;
    }
  });
  return () => {
    const now = fieldsOf(element.current).flatMap((field) => {
      if (!(field instanceof HTMLInputElement)) return [[field.name, field.value]];
      if (field.type === 'checkbox') return [[field.name, String(field.checked)]];
      return field.type === 'radio' && !field.checked ? [] : [[field.name, field.value]];
    });
    // What is not shown for now is as it was.
    sessionStorage.setItem(keyOf(form), JSON.stringify({ ...keptFields(form), ...Object.fromEntries(now) }));
  };
}

function fieldsOf(form: HTMLFormElement | null): Field[] {
  return [...(form?.elements ?? [])].filter(
    (one): one is Field =>
      (one instanceof HTMLInputElement || one instanceof HTMLSelectElement) && one.name !== '',
  );
}

function keyOf(form: string): string {
  return `quod.form.${form}`;
}
