/** What is put into the form that starts a run: kept as typed text is, until the run has begun. */
import { keptSignal } from '../../parts/kept-signal.ts';

/** By the names of the fields; of a box `true` or `false`. */
type Filled = Readonly<Record<string, string>>;

const NOTHING: Filled = {};

function isFilled(value: unknown): value is Filled {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}

export interface StartFields {
  /** Undefined where nothing was put there. */
  read(name: string): string | undefined;
  fill(name: string, value: string): void;
  forget(): void;
  /** The properties of a field of text, of numbers, or of what is chosen from a list. */
  text(name: string, initial?: string): FieldProps & { readonly value: string };
  box(name: string, initial?: boolean): FieldProps & { readonly checked: boolean };
}

interface FieldProps {
  readonly name: string;
  onInput(event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }): void;
}

export function startFields(): StartFields {
  const filled = keptSignal('start-run', NOTHING, isFilled);
  const fill = (name: string, value: string): void => {
    filled.value = { ...filled.peek(), [name]: value };
  };
  return {
    read: (name) => filled.value[name],
    fill,
    forget: () => (filled.value = NOTHING),
    text: (name, initial = '') => ({
      name,
      value: filled.value[name] ?? initial,
      onInput: ({ currentTarget }) => fill(name, currentTarget.value),
    }),
    box: (name, initial = false) => ({
      name,
      checked: (filled.value[name] ?? String(initial)) === 'true',
      onInput: ({ currentTarget }) =>
        currentTarget instanceof HTMLInputElement && fill(name, String(currentTarget.checked)),
    }),
  };
}
