/** What Rocq refuses of a text: each fault of its own with those that follow from it. */
import { counted } from '../../../../src/core/counted.ts';
import type { Checking } from './checking.ts';

type Sentence = Checking['sentences'][number];
type SentenceError = NonNullable<Sentence['error']>;

export interface Fault {
  readonly error: SentenceError;
  /** Where its sentence begins. */
  readonly from: number;
  /** Its own line, that of the sentence. */
  readonly line: number;
}

export interface OwnFault extends Fault {
  readonly following: readonly Fault[];
}

/** In the order of the text. What follows from something that is not there stands for itself. */
export function ownFaults(sentences: readonly Sentence[]): readonly OwnFault[] {
  const faults = sentences.flatMap(({ error, from, line }): readonly Fault[] =>
    error === null ? [] : [{ error, from, line }],
  );
  const isCause = (line: number): boolean =>
    faults.some((fault) => fault.line === line && fault.error.follows_line === null);
  const byCause = Map.groupBy(faults, ({ error: { follows_line: at } }) =>
    at !== null && isCause(at) ? at : undefined,
  );
  const lines = new Set<number>();
  return (byCause.get(undefined) ?? []).map((fault) => {
    // Of two in one line the first has what follows.
    const following = lines.has(fault.line) ? [] : (byCause.get(fault.line) ?? []);
    lines.add(fault.line);
    return { ...fault, following };
  });
}

/** `2 errors, and 3 that may follow from them`. */
export function faultsText(faults: readonly OwnFault[]): string {
  const following = faults.reduce((sum, one) => sum + one.following.length, 0);
  const own = counted(faults.length, 'error');
  if (following === 0) return own;
  return `${own}, and ${following} that may follow from ${faults.length === 1 ? 'it' : 'them'}`;
}
