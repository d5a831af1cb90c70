/**
 * What is false of a theorem of a run. A statement may be false only because of what the run itself has put into the file, a
 * value for an open definition for instance: then nothing is wrong with the statement, and it is not refuted.
 */
import type { Refutation } from '../../agent/target.ts';
import { someOf } from '../../core/counted.ts';
import { orNothing } from '../../core/entry.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { goesOnAfter, type OperationCalls } from '../operation-calls.ts';
import type { WorkOfRun } from '../target-choice.ts';
import { copyOfFile } from './rocq-copy.ts';
import { withoutWork } from './rocq-work.ts';

/** @param place of the theorem, and for how many seconds it is looked. */
export async function refutationIn(
  calls: OperationCalls,
  place: { readonly file: string; readonly theorem: string; readonly seconds: number },
  signal: AbortSignal,
): Promise<Refutation> {
  const { file, theorem, seconds } = place;
  const input = { file, theorems: [theorem], budget: seconds };
  const result = await calls.call('proof_refute', input, signal).then(
    ({ results }) => results[0],
    (error: unknown) => {
      if (!goesOnAfter(error, signal)) throw error;
      // What cannot be tried is not refuted; whether it can be proved is seen elsewhere.
      return {
        outcome: 'not-tried',
        counterexample: null,
        negation: null,
        message: error.toString(),
      } as const;
    },
  );
  return {
    refuted: result?.outcome === 'refuted',
    counterexample: orNothing(result?.counterexample),
    negation: result?.negation ?? null,
    message: result?.message ?? (result?.outcome === 'refuted' ? 'it is false' : 'nothing was found'),
    ...(result?.outcome === 'refuted' && { grounds: { axioms: result.axioms, warnings: result.warnings } }),
  };
}

/** What becomes of a refutation in the file as it is now, with this text, where it is to hold whatever the run has put there. */
export type RefuteAsBegun = (
  refuted: Refutation,
  text: string,
  limits: { readonly seconds: number; readonly signal: AbortSignal },
) => Promise<Refutation>;

/** @param calls for files that are not the run's. */
export function refuterAsBegun(
  calls: OperationCalls,
  { path, theorem, work }: { readonly path: string; readonly theorem: string; readonly work: WorkOfRun },
): RefuteAsBegun {
  return async (refuted, text, { seconds, signal }) => {
    const without = withoutWork(text, work);
    if (without.text === text) return refuted;
    const { file, close } = await copyOfFile(path, without.text, 'begun');
    try {
      const begun = await refutationIn(calls, { file, theorem, seconds }, signal);
      return begun.refuted ? begun : falseNow(refuted, without.theorems);
    } finally {
      await close();
    }
  };
}

function falseNow({ counterexample }: Refutation, theorems: readonly string[]): Refutation {
  const fails = counterexample === '' ? '' : ` for ${counterexample}`;
  const what = theorems.length === 0 ? '' : ` (${someOf(theorems.map((name) => foreignName(name)))})`;
  return {
    ...{ refuted: false, counterexample: '', negation: null },
    ...(theorems.length > 0 && { falseWith: [...theorems] }),
    message: `It is false${fails} with what this run has put into the file${what}, and need not be without that: it is not refuted.`,
  };
}
