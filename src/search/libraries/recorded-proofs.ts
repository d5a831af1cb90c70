/**
 * What the proofs of a file did, kept between runs: each by the text of the file up to its end. One entry a file,
 * replaced as a whole; a damaged one reads as empty.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { endOfProof, sentenceOf } from '../../provers/rocq/syntax/theorem-text.ts';
import type { RecordedStep } from '../../retrieval/lexical/step-memory.ts';
import { keepNewest, readPackedText, writePacked } from './packed-file.ts';
import { storedGoalSchema } from './stored-goal.ts';

const FOLDER = 'recorded-1';
const MOST_FILES = 200;

interface KeptStep extends Omit<RecordedStep, 'next'> {
  /** Index of the step behind it. */
  readonly next?: number;
}

interface KeptProof {
  /** SHA-256 of the text up to the end of the proof. */
  readonly before: string;
  readonly steps: readonly KeptStep[];
}

const entrySchema: z.ZodType<readonly KeptProof[]> = z.array(
  z.object({
    before: z.string(),
    steps: z.array(
      z.object({
        goal: storedGoalSchema,
        tactic: z.string(),
        remaining: z.number(),
        origin: z.string(),
        next: z.number().exactOptional(),
      }),
    ),
  }),
);

export class RecordedProofs {
  readonly #folder: string;
  readonly #path: string;

  /** @param subject What is recorded of: the file and the prover. */
  constructor(cacheDirectory: string, subject: string) {
    this.#folder = join(cacheDirectory, FOLDER);
    this.#path = join(this.#folder, `${sha256(subject).slice(0, 32)}.json.gz`);
  }

  /** Those of the theorems whose proofs are known, in their order. */
  async read(
    outline: FileOutline,
    theorems: readonly TheoremItem[],
  ): Promise<Map<TheoremItem, readonly RecordedStep[]>> {
    let entry: readonly KeptProof[];
    try {
      entry = entrySchema.parse(JSON.parse(await readPackedText(this.#path)));
    } catch {
      return new Map();
    }
    const byText = new Map(entry.map(({ before, steps }) => [before, steps]));
    const known = new Map<TheoremItem, readonly RecordedStep[]>();
    for (const [theorem, before] of digestsBefore(outline, theorems)) {
      const steps = byText.get(before);
      if (steps !== undefined) known.set(theorem, linked(steps));
    }
    return known;
  }

  /** Failing to keep it is no error: the proofs are watched again the next time. */
  async write(
    outline: FileOutline,
    proofs: ReadonlyMap<TheoremItem, readonly RecordedStep[]>,
  ): Promise<void> {
    const theorems = [...proofs.keys()].sort((one, other) => one.sentence - other.sentence);
    const entry: readonly KeptProof[] = [...digestsBefore(outline, theorems)].map(([theorem, before]) => {
      const steps = proofs.get(theorem) ?? [];
      const places = new Map(steps.map((step, index) => [step, index]));
      return {
        before,
        steps: steps.map(({ goal, tactic, remaining, origin, next }) => {
          const at = next && places.get(next);
          return { goal, tactic, remaining, origin, ...(at !== undefined && { next: at }) };
        }),
      };
    });
    try {
      await writePacked(this.#path, JSON.stringify(entry));
      await keepNewest(this.#folder, MOST_FILES);
    } catch {
      // As said above.
    }
  }
}

/** The text up to the end of each proof, as one digest that goes on from proof to proof. */
function* digestsBefore(
  outline: FileOutline,
  theorems: readonly TheoremItem[],
): Generator<readonly [TheoremItem, string]> {
  const hash = createHash('sha256');
  let from = 0;
  for (const theorem of theorems) {
    const { end } = sentenceOf(outline, endOfProof(theorem) - 1).span;
    hash.update(outline.text.slice(from, Math.max(from, end)));
    from = Math.max(from, end);
    yield [theorem, hash.copy().digest('hex')];
  }
}

function linked(steps: readonly KeptStep[]): RecordedStep[] {
  const made: RecordedStep[] = steps.map(({ goal, tactic, remaining, origin }) => ({
    ...{ goal, tactic, remaining, origin },
    next: undefined,
  }));
  for (const [index, { next }] of steps.entries()) {
    const step = made[index];
    if (step !== undefined && next !== undefined) step.next = made[next];
  }
  return made;
}
