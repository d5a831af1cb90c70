/**
 * Everything that can be done, by name and by key: views add theirs while they are shown, the palette lists them
 * all.
 */
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Command {
  /** `file.next-goal`. */
  readonly id: string;
  /** What the palette shows: `Go to the next goal`. */
  readonly title: string;
  /** `ctrl+enter`, `alt+n`, or two in a row: `g p`. `ctrl` is also Command on a Mac. */
  readonly keys?: string;
  /** What else people may look for. */
  readonly words?: string;
  readonly run: () => void;
}

const registered = signal<ReadonlyMap<string, Command>>(new Map());

export const commands = computed(() =>
  [...registered.value.values()].sort((left, right) => (left.title < right.title ? -1 : 1)),
);

/** Answers how to take them away again. A later one of the same id counts. */
export function addCommands(added: readonly Command[]): () => void {
  registered.value = new Map([
    ...registered.value,
    ...added.map((command) => [command.id, command] as const),
  ]);
  return () => {
    registered.value = new Map(
      [...registered.value].filter(([, command]) => !added.some((own) => own === command)),
    );
  };
}

/** The commands of a view, for as long as it is shown. */
export function useCommands(make: () => readonly Command[], inputs: readonly unknown[]): void {
  useEffect(() => addCommands(make()), inputs);
}
