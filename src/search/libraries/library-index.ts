/**
 * The stored steps of a project and its libraries, one pair of files for each source, named by what they depend on:
 * the source's content, the prover and this format. What is stored is never changed, so indexing again does only
 * what is new, and concurrent writers write the same. Damaged entries read as absent.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../../process/whole-file.ts';
import { entryAt } from '../../core/entry.ts';
import { storedSteps, type RecordedStep, type StoredStep } from '../../retrieval/lexical/step-memory.ts';
import { readPacked, readPackedText, writePacked } from './packed-file.ts';
import { storedGoalSchema } from './stored-goal.ts';

const FORMAT = 2;

const headerSchema = z.object({
  /** Logical name of the library: `stdpp.list`. */
  library: z.string(),
  file: z.string(),
  requires: z.array(z.object({ from: z.string().optional(), modules: z.array(z.string()) })),
});

/** What an entry says about its source before its steps are read. */
export type SourceHeader = z.infer<typeof headerSchema>;

const sourceSchema = z.object({
  tactics: z.array(z.string()),
  remaining: z.array(z.number()),
  mentionsLocal: z.array(z.boolean()),
  /** Each goal as JSON, read when it is needed. */
  goals: z.array(z.string()),
  /** Index of the step behind each step, or -1. */
  next: z.array(z.number()),
  /** Features of step `i` are those between `ends[i - 1]` and `ends[i]` of the second file. */
  ends: z.array(z.number()),
});

type StepColumns = z.infer<typeof sourceSchema>;

const FEATURE_BYTES = 5;
const HEADER = '.header.json';

export class LibraryIndex {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = join(directory, `steps-${FORMAT}`);
  }

  /** What names the entry of a source. */
  keyOf(library: string, text: string, proverVersion: string): string {
    return sha256(`${library}\0${proverVersion}\0${text}`).slice(0, 32);
  }

  async has(key: string): Promise<boolean> {
    return (await this.#names()).includes(`${key}${HEADER}`);
  }

  /** The header of every entry. Of several versions of one library the last written counts. */
  async headers(): Promise<{ key: string; header: SourceHeader }[]> {
    const entries = await Promise.all(
      (await this.#names())
        .sort()
        .flatMap((name) =>
          name.endsWith(HEADER) && !name.startsWith('.') ? [this.#header(name.slice(0, -HEADER.length))] : [],
        ),
    );
    const newest = new Map<string, { key: string; header: SourceHeader; written: number }>();
    for (const entry of entries) {
      if (entry === undefined) continue;
      const known = newest.get(entry.header.library);
      if (known === undefined || known.written < entry.written) newest.set(entry.header.library, entry);
    }
    return [...newest.values()];
  }

  async #header(key: string): Promise<{ key: string; header: SourceHeader; written: number } | undefined> {
    try {
      const path = join(this.#directory, `${key}${HEADER}`);
      const header = headerSchema.parse(JSON.parse(await readRegularText(path, LARGEST_WRITTEN_BYTES)));
      return { key, header, written: (await stat(path)).mtimeMs };
    } catch {
      return undefined;
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#directory);
    } catch {
      return [];
    }
  }

  async write(key: string, header: SourceHeader, steps: readonly RecordedStep[]): Promise<void> {
    const stored = storedSteps(steps);
    const positions = new Map(stored.map((step, index) => [step, index] as const));
    const ends: number[] = [];
    let total = 0;
    for (const { features } of stored) ends.push((total += features.size));
    const bytes = Buffer.alloc(total * FEATURE_BYTES);
    let at = 0;
    for (const { features } of stored)
      for (const [feature, weight] of features) {
        bytes.writeUInt32LE(feature, at);
        bytes.writeUInt8(Math.round(weight * 255), at + 4);
        at += FEATURE_BYTES;
      }
    const content: StepColumns = {
      tactics: stored.map(({ tactic }) => tactic),
      remaining: stored.map(({ remaining }) => remaining),
      mentionsLocal: stored.map(({ mentionsLocal }) => mentionsLocal),
      goals: steps.map(({ goal }) => JSON.stringify(goal)),
      next: stored.map(({ next }) => (next === undefined ? -1 : (positions.get(next) ?? -1))),
      ends,
    };
    await writePacked(join(this.#directory, `${key}.json.gz`), JSON.stringify(content));
    await writePacked(join(this.#directory, `${key}.features`), bytes);
    // The header comes last: an entry exists when it does.
    await writeWholeFile(join(this.#directory, `${key}.header.json`), Buffer.from(JSON.stringify(header)));
  }

  /** The steps of an entry, empty when it is damaged. */
  async read(key: string, library: string): Promise<StoredStep[]> {
    try {
      const packed = await readPackedText(join(this.#directory, `${key}.json.gz`));
      const columns = sourceSchema.parse(JSON.parse(packed));
      const bytes = await readPacked(join(this.#directory, `${key}.features`));
      const steps = [...stepsOfSource(library, columns, bytes)];
      for (const [index, step] of steps.entries()) step.next = steps[columns.next[index] ?? -1];
      return steps;
    } catch {
      return [];
    }
  }
}

function* stepsOfSource(library: string, source: StepColumns, bytes: Buffer): Generator<StoredStep> {
  let start = 0;
  for (const [index, tactic] of source.tactics.entries()) {
    const end = source.ends[index] ?? start;
    const features = new Map<number, number>();
    for (let at = start; at < end; at += 1)
      features.set(bytes.readUInt32LE(at * FEATURE_BYTES), bytes.readUInt8(at * FEATURE_BYTES + 4) / 255);
    start = end;
    const printed = entryAt(source.goals, index, 'goal');
    yield {
      tactic,
      remaining: source.remaining[index] ?? 1,
      origin: library,
      mentionsLocal: source.mentionsLocal[index] ?? false,
      features,
      goal: () => storedGoalSchema.parse(JSON.parse(printed)),
      next: undefined,
    };
  }
}
