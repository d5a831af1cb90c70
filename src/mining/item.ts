/** One item of a data set: a statement with its proof, checked, and where it comes from. One line of JSON. */
import { z } from 'zod';
import { orZero } from '../core/entry.ts';

export const SPLITS = ['train', 'validation', 'test'] as const;
export type SplitName = (typeof SPLITS)[number];

const ORIGINS = ['theorem', 'state', 'chain', 'selector'] as const;

export const itemSchema = z.strictObject({
  /** A Rocq identifier, the only one of this name in its library. */
  name: z.string(),
  /** The theorem in whose proof it was found; empty when that has no name. */
  theorem: z.string(),
  /** Logical name of the library. */
  library: z.string(),
  /** The source below the folder that was mined. */
  file: z.string(),
  /** Where the tactic stands that is used on the goal; line from 1, column from 0. */
  line: z.number().int(),
  column: z.number().int(),
  /** The sections and modules around it. */
  path: z.array(z.string()),
  /** Hash of the prover, the library and all sentences before the theorem: what the item was checked behind. */
  context: z.string(),
  /** What stands between `Lemma NAME` and the dot. */
  statement: z.string(),
  hypotheses: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      /** The value of a local definition. */
      body: z.string().optional(),
      /** True: a variable of the section around, which the statement does not bind. */
      section: z.literal(true).optional(),
    }),
  ),
  /** The conclusion. */
  goal: z.string(),
  /** Without bullets, braces and dots, in the order in which they are run. */
  tactics: z.array(z.string()).min(1),
  /** The script between the statement and `Qed`. */
  proof: z.string(),
  /** What the first tactic does first, when it is a chain that could be taken apart. */
  first: z.string().optional(),
  /** The names in the first tactic that are neither hypotheses nor words of the tactic language. */
  names: z.array(z.string()),
  /** Steps between the theorem's goal and this one. */
  depth: z.number().int(),
  /** Tactic sentences that the theorem's proof runs before. */
  step: z.number().int(),
  /** `state`: a goal between two sentences; `chain`, `selector`: one inside a sentence. */
  origin: z.enum(ORIGINS),
  isOriginal: z.boolean(),
  /** `all`: written with `Set Printing All`, because the usual form does not read back. */
  printing: z.enum(['usual', 'all']),
  split: z.enum(SPLITS),
});

export type Item = z.infer<typeof itemSchema>;

/** The item as sentences that a Rocq runs behind the item's context. */
export function itemScript(item: Pick<Item, 'name' | 'statement' | 'proof'>): string {
  return `Lemma ${item.name} ${item.statement}.\n${item.proof}\nQed.`;
}

/** Why a goal became no item, and why an item was not written. */
export const FAILURES = {
  existential: 'The goal speaks of an existential variable.',
  shelved: 'The branch leaves a goal on the shelf.',
  joint: 'The goal was solved together with others.',
  command: 'A command in the proof changes what follows it.',
  'too-long': 'The statement is longer than an item may be.',
  unnameable: 'A hypothesis has a name that cannot be written.',
  duplicate: 'The same statement with the same proof stands earlier in the file.',
  budget: 'There was no time left to check it.',
  'statement-refused': 'The printed statement does not type-check.',
  'reads-differently': 'The printed statement means something else.',
  'proof-refused': 'A tactic of the proof fails on the statement alone.',
  'not-closed': 'The proof runs, but its closing is refused.',
  timeout: 'Checking took longer than it was given.',
} as const;

export type Failure = keyof typeof FAILURES;
export type FailureCounts = Partial<Record<Failure, number>>;

export function countFailure(counts: FailureCounts, failure: Failure, by = 1): void {
  counts[failure] = orZero(counts[failure]) + by;
}
