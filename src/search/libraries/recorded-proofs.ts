/**
 * What the proofs of a file did, kept between runs: each by the text of the file up to its end. One entry a file,
 * replaced as a whole; a damaged one reads as empty.
 */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import type { Goal } from '../../core/proof-state.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { endOfProof, sentenceOf } from '../../provers/rocq/syntax/theorem-text.ts';
import { writeWholeFile } from '../../process/whole-file.ts';
import type { RecordedStep } from '../../retrieval/lexical/step-memory.ts';

const FOLDER = 'recorded-1';
const MOST_FILES = 200;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

const goalSchema = z.object({
  id: z.string(),
  hypotheses: z.array(z.object({ name: z.string(), type: z.string(), body: z.string().optional() })),
  conclusion: z.string(),
});

const entrySchema = z.array(
  z.object({
    /** SHA-256 of the text up to the end of the proof. */
    before: z.string(),
    steps: z.array(
      z.object({
        goal: goalSchema,
        tactic: z.string(),
        remaining: z.number(),
        origin: z.string(),
        /** Index of the step behind it. */
        next: z.number().optional(),
      }),
    ),
  }),
);

type Entry = z.infer<typeof entrySchema>;

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
    let entry: Entry;
    try {
      entry = entrySchema.parse(
        JSON.parse(
          (await decompress(await readRegularFile(this.#path, LARGEST_WRITTEN_BYTES))).toString('utf8'),
        ),
      );
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
    const entry: Entry = [...digestsBefore(outline, theorems)].map(([theorem, before]) => {
      const steps = proofs.get(theorem) ?? [];
      const places = new Map(steps.map((step, index) => [step, index]));
      return {
        before,
        steps: steps.map(({ goal, tactic, remaining, origin, next }) => {
          const at = next && places.get(next);
          return { goal: printed(goal), tactic, remaining, origin, ...(at !== undefined && { next: at }) };
        }),
      };
    });
    try {
      await writeWholeFile(this.#path, await compress(JSON.stringify(entry)));
      await this.#evict();
    } catch {
      // As said above.
    }
  }

  async #evict(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= MOST_FILES) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, written: (await stat(join(this.#folder, name))).mtimeMs })),
    );
    files.sort((one, other) => one.written - other.written);
    for (const { name } of files.slice(0, names.length - MOST_FILES))
      await rm(join(this.#folder, name), { force: true });
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

function printed({ id, hypotheses, conclusion }: Goal): Entry[number]['steps'][number]['goal'] {
  return {
    id,
    conclusion,
    hypotheses: hypotheses.map(({ name, type, body }) => ({
      name,
      type,
      ...(body !== undefined && { body }),
    })),
  };
}

function linked(steps: Entry[number]['steps']): RecordedStep[] {
  const made: RecordedStep[] = steps.map(({ goal, tactic, remaining, origin }) => ({
    ...{ goal: readGoal(goal), tactic, remaining, origin },
    next: undefined,
  }));
  for (const [index, { next }] of steps.entries()) {
    const step = made[index];
    if (step !== undefined && next !== undefined) step.next = made[next];
  }
  return made;
}

function readGoal({ id, conclusion, hypotheses }: z.infer<typeof goalSchema>): Goal {
  return {
    id,
    conclusion,
    hypotheses: hypotheses.map(({ name, type, body }) =>
      body === undefined ? { name, type } : { name, type, body },
    ),
  };
}
