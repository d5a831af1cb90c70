/**
 * What was replayed, kept on disk under the hash of its trace. An entry holds for the very theories that it was
 * replayed on: their hashes are in it. Not a certificate: whoever can write to the directory can put a lie into it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../../../core/json.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../../../process/whole-file.ts';
import type { AllowedAxioms } from './replay-trace.ts';
import type { ReplayedTheories, ReplayedTheory } from './replayed-theories.ts';

/** Changes whenever the kernel or the form of an entry does. */
const VERSION = 2;

const statement = z.object({ statement: z.string(), restsOn: z.array(z.string()) });

const entry = z.object({
  version: z.literal(VERSION),
  name: z.string(),
  sha256: z.string(),
  parents: z.array(z.object({ name: z.string(), hash: z.string() })),
  uses: z.array(z.tuple([z.string(), z.string()])),
  constants: z.array(
    z.tuple([z.string(), z.object({ type: z.string(), definition: z.string().exactOptional() })]),
  ),
  operators: z.array(
    z.tuple([z.string(), z.object({ arity: z.number(), definition: z.string().exactOptional() })]),
  ),
  theorems: z.array(
    z.tuple([z.string(), statement.extend({ kind: z.enum(['theorem', 'definition', 'axiom']) })]),
  ),
  unnamed: z.array(statement),
  axioms: z.array(z.string()),
  asserted: z.array(z.string()),
  unproved: z.array(z.never()),
  steps: z.number(),
});

/**
 * Undefined when there is no entry, it is of another version or damaged, it was replayed on other theories, or it
 * asserts what is not allowed now.
 */
export async function readReplayed(
  directory: string,
  sha256: string,
  known: ReplayedTheories,
  allowed: AllowedAxioms,
): Promise<ReplayedTheory | undefined> {
  let text: string;
  try {
    text = await readRegularText(fileOf(directory, sha256), LARGEST_WRITTEN_BYTES);
  } catch {
    return undefined;
  }
  const read = entry.safeParse(parsedJson(text));
  if (!read.success || read.data.sha256 !== sha256) return undefined;
  const { uses, constants, operators, theorems, ...rest } = read.data;
  if (rest.asserted.some((asserted) => !allowed.has(asserted))) return undefined;
  if (uses.some(([name, hash]) => known.get(name)?.sha256 !== hash)) return undefined;
  return {
    ...rest,
    uses: new Map(uses),
    constants: new Map(constants),
    operators: new Map(operators),
    theorems: new Map(theorems),
  };
}

export async function writeReplayed(directory: string, theory: ReplayedTheory): Promise<void> {
  const value: z.infer<typeof entry> = {
    version: VERSION,
    ...theory,
    parents: [...theory.parents],
    uses: [...theory.uses],
    constants: [...theory.constants],
    operators: [...theory.operators],
    theorems: [...theory.theorems].map(([name, { restsOn, ...rest }]) => [
      name,
      { ...rest, restsOn: [...restsOn] },
    ]),
    unnamed: theory.unnamed.map(({ statement: text, restsOn }) => ({
      statement: text,
      restsOn: [...restsOn],
    })),
    axioms: [...theory.axioms],
    asserted: [...theory.asserted],
    unproved: [],
  };
  await writeWholeFile(fileOf(directory, theory.sha256), Buffer.from(JSON.stringify(value)));
}

function fileOf(directory: string, sha256: string): string {
  return join(directory, `${sha256}.json`);
}
