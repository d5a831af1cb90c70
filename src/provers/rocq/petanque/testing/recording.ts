/**
 * What a real petanque server answered, as a tree: which sentence was run after which, what came of it, and the goals.
 * State numbers and the order of requests are left out, so that recordings of several processes can be put together and
 * answer tests that ask in another order; texts are kept as they were.
 */
import { readFileSync } from 'node:fs';

/** One line of a recording. Line 1 is the state before the first sentence. */
export interface RecordedStep {
  /** The line of the state that the sentence was run after; absent on line 1. */
  readonly after?: number;
  readonly sentence?: string;
  /** All of the result but the number of the state. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  /** It never ended but by an interrupt, which this is the answer to. */
  readonly interrupted?: { readonly code: number; readonly message: string };
  /** The answer to `petanque/goals`, when it was asked. */
  goals?: unknown;
}

export class Recording {
  readonly #steps: RecordedStep[];
  readonly #lines = new Map<string, number>();

  constructor(steps: readonly RecordedStep[] = []) {
    this.#steps = [];
    for (const step of steps) this.add(step);
  }

  static read(file: string): Recording {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return new Recording(lines.map((line) => JSON.parse(line) as RecordedStep));
  }

  get text(): string {
    return this.#steps.map((step) => `${JSON.stringify(step)}\n`).join('');
  }

  step(line: number): RecordedStep | undefined {
    return this.#steps[line - 1];
  }

  find(after: number | undefined, sentence: string | undefined): number | undefined {
    return this.#lines.get(JSON.stringify([after, sentence]));
  }

  /**
   * The line of a step, which is added unless it is there; an interrupt is forgotten when the step ended another
   * time.
   */
  add(step: RecordedStep): number {
    const known = this.find(step.after, step.sentence);
    if (
      known !== undefined &&
      (this.step(known)?.interrupted === undefined || step.interrupted !== undefined)
    )
      return known;
    const line = known ?? this.#steps.length + 1;
    this.#steps[line - 1] = step;
    this.#lines.set(JSON.stringify([step.after, step.sentence]), line);
    return line;
  }
}
