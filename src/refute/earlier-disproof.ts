/**
 * What a refutation leaves for later runs: the values of its counterexample, and which tactics proved the negation with them. It is a
 * guess like any other. The prover runs it anew, also whether each value is that of the variable by whose name it is told,
 * and the gate judges the proof: what is kept can make nothing false, whoever wrote it.
 */
import { z } from 'zod';
import type { ProofState } from '../core/proof-state.ts';
import { splitSentences } from '../provers/rocq/syntax/sentences.ts';
import type { Step } from './candidates.ts';

export interface EarlierDisproof {
  readonly steps: readonly Step[];
  /** The sentences of the proof of the negation. */
  readonly script: readonly string[];
}

const stepSchema = z.union([
  z.strictObject({ kind: z.literal('value'), name: z.string(), value: z.string() }),
  z.strictObject({ kind: z.enum(['premise', 'left', 'right']) }),
]);

const disproofSchema = z.strictObject({ steps: z.array(stepSchema), script: z.array(z.string()) });

export function disproofText({ steps, script }: EarlierDisproof): string {
  return JSON.stringify({ steps, script });
}

/** Undefined for what is none, or has more in a value than a value. */
export function disproofOf(text: string): EarlierDisproof | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = disproofSchema.safeParse(read);
  const areValues = data?.steps.every((step) => step.kind !== 'value' || isValue(step)) === true;
  return areValues ? data : undefined;
}

function isValue({ name, value }: { readonly name: string; readonly value: string }): boolean {
  const { sentences, unterminated } = splitSentences(named([{ name, value }]));
  return /^[\p{L}_][\p{L}\p{N}_']*$/u.test(name) && sentences.length === 1 && unterminated === undefined;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Gives values to the variables that `H` calls by these names; fails where it calls none so. */
export function named(values: readonly NamedValue[]): string {
  return `specialize H with ${values.map(({ name, value }) => `(${name} := ${value})`).join(' ')}.`;
}

/** What `H` says, as it is printed. */
export function saidByH(state: ProofState | null): string | undefined {
  return state?.goals[0]?.hypotheses.find(({ name }) => name === 'H')?.type;
}
