/** What is said of a drawn proof to somebody who has nothing else than the drawing. */
import { counted } from '../core/counted.ts';
import { olderFilesText } from '../core/rests-on.ts';
import { onOneLine } from '../core/sentence.ts';
import type { DrawnProof } from './drawn-proof.ts';

export interface ExportedProof {
  readonly drawn: DrawnProof;
  /** What `Print Assumptions` answers behind the closing sentence; undefined where there is no answer. */
  readonly assumptions: string | undefined;
  /** Errors of the file before the statement, which were passed over. */
  readonly errorsBefore: readonly string[];
  /** Files that it requires and that were changed after they were compiled. */
  readonly stale: readonly string[];
}

const LONGEST_LIST = 2000;

/** Whole sentences. The names in them are others' text. */
export function aboutProof(exported: ExportedProof): readonly string[] {
  const { errorsBefore, stale } = exported;
  const [first] = errorsBefore;
  return [
    'This shows what the prover printed when the proof was run. “Closed” at a goal says that a tactic was accepted there, and no more: it is no judgement that the theorem is proved. Quod’s gate judges files.',
    restsText(exported),
    ...(stale.length === 0 ? [] : [olderFilesText(stale)]),
    ...(first === undefined
      ? []
      : [
          `Before it the file has ${counted(errorsBefore.length, 'error')}, passed over; the first: ${onOneLine(first)}`,
        ]),
  ];
}

function restsText({ drawn, assumptions }: ExportedProof): string {
  switch (drawn.outcome) {
    case 'finished':
      return assumptionsText(assumptions);
    case 'admitted':
      return 'The proof is left open: it ends with Admitted or Abort.';
    case 'unfinished':
      return 'The proof is left open: nothing ends it.';
    case 'refused':
      return 'The prover refused the proof: it stops at an error.';
  }
}

function assumptionsText(printed: string | undefined): string {
  if (printed === undefined) return 'What it rests on (axioms, open statements) the prover did not say.';
  const list = onOneLine(printed.trim());
  if (list.startsWith('Closed under the global context'))
    return 'It rests on no axiom and no open statement, says the prover (Print Assumptions).';
  const shown = list.length <= LONGEST_LIST ? list : `${list.slice(0, LONGEST_LIST)}…`;
  return `It rests on what the prover lists (Print Assumptions), open statements among the axioms: ${shown}`;
}
