/** What Quod's functions in HOL tell (prelude.ts), from JSON to Quod's types. */
import { z } from 'zod';
import type { Goal } from '../../../core/proof-state.ts';

const goalSchema = z.object({ hypotheses: z.array(z.string()), conclusion: z.string() });

const theoremSchema = z.object({
  conclusion: z.string(),
  hypotheses: z.array(z.string()),
  oracles: z.array(z.string()),
  axioms: z.array(z.string()),
});

/** A theorem as HOL has it. */
export type HolTheorem = z.output<typeof theoremSchema>;

/** The tree of a proof by goal trees: a goal that is open, a tactic, or a tactic and what was done with its goals. */
export type ProofTree =
  | { readonly kind: 'goal'; readonly goal: z.output<typeof goalSchema> }
  | { readonly kind: 'tactic'; readonly text: string }
  | { readonly kind: 'then'; readonly first: ProofTree; readonly branches: readonly ProofTree[] };

const treeSchema: z.ZodType<ProofTree> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('goal'), goal: goalSchema }),
    z.object({ kind: z.literal('tactic'), text: z.string() }),
    z.object({ kind: z.literal('then'), first: treeSchema, branches: z.array(treeSchema) }),
  ]),
);

const managerSchema = z.object({
  kind: z.enum(['none', 'goalstack', 'goaltree', 'goalfrag']),
  proofs: z.number(),
  proved: z.boolean().default(false),
  initial: goalSchema.nullable().default(null),
  goals: z.array(goalSchema).default([]),
  tree: treeSchema.nullable().default(null),
  theorem: theoremSchema.nullable().default(null),
});

/** What HOL's proof manager has in front. */
export type ManagedProof = z.output<typeof managerSchema>;

const shownSchema = z.object({
  goals: z.array(goalSchema),
  finished: z.boolean(),
  oracles: z.array(z.string()),
});

export interface ShownState {
  readonly goals: readonly Goal[];
  /** Nothing is open, not even a parenthesis. */
  readonly finished: boolean;
  /** What it rests on, known once no goal is left. */
  readonly oracles: readonly string[];
}

/** HOL's assumptions have no names; Quod calls them by the numbers that HOL prints, the oldest first. */
function goalOf({ hypotheses, conclusion }: z.output<typeof goalSchema>, index: number): Goal {
  return {
    id: String(index),
    hypotheses: hypotheses.map((type, number) => ({ name: String(number), type })),
    conclusion,
  };
}

export function readShownState(values: readonly unknown[]): ShownState {
  for (const value of values) {
    const { success, data } = shownSchema.safeParse(value);
    if (success) return { ...data, goals: data.goals.map(goalOf) };
  }
  return { goals: [], finished: false, oracles: [] };
}

const countsSchema = z.object({ opened: z.array(z.number()), count: z.number() });

export function readStepCounts(value: unknown): z.output<typeof countsSchema> | undefined {
  return countsSchema.safeParse(value).data;
}

export function readTheorem(value: unknown): HolTheorem | undefined {
  return theoremSchema.safeParse(value).data;
}

export function readManagedProof(value: unknown): ManagedProof | undefined {
  return managerSchema.safeParse(value).data;
}
