/** A theorem of a run as operations answer it: where it stands, and on what its proof rests as the log has it. */
import { z } from 'zod';
import { restsOnOpenText } from '../../core/rests-on.ts';
import type { RunState } from '../../agent/runs/fold.ts';
import type { Saying } from '../definition/operation.ts';
import { groundsTexts, whatItRestsOn } from '../gate/verdict-answer.ts';

export const theoremSchema = z.object({
  theorem: z.string(),
  file: z.string().describe('In which it is stated.'),
  statement: z.string(),
  outcome: z.string().describe('open: it is worked on, or waits.'),
  proof: z.string().nullable(),
  before: z
    .string()
    .nullable()
    .describe('Helper lemmas that the proof uses, as they stand before the statement; null: none.'),
  rests_on_open: z.array(z.string()).describe('Open statements of the file that the proof uses.'),
  axioms: z
    .array(z.string())
    .nullable()
    .describe(
      'What else the proof rests on, or that of the negation where it is refuted, also what the kernel was told not to check; null: neither proved nor refuted, or the log does not say.',
    ),
  warnings: z.array(z.string()).describe('What the verdict said against itself.'),
  reason: z.string(),
});

export type TheoremAnswer = z.output<typeof theoremSchema>;

/** @param nameOf Of a file, as it is told. */
export function theoremAnswers(
  { file: first, files, theorems }: RunState,
  nameOf: (path: string) => string,
): TheoremAnswer[] {
  const fileOf = new Map(files.flatMap(({ file, theorems: own }) => own.map((theorem) => [theorem, file])));
  return theorems.map(({ theorem, statement, outcome, proof, before = '', ...state }) => ({
    ...{ theorem, file: nameOf(fileOf.get(theorem) ?? first), statement, outcome, proof },
    before: proof === null || before === '' ? null : before,
    rests_on_open: [...state.restsOnOpen],
    axioms: state.grounds === undefined ? null : [...state.grounds.axioms],
    warnings: [...(state.grounds?.warnings ?? [])],
    reason: state.reason,
  }));
}

/** What there is to say of the grounds of a proof or of that of the negation, line by line; nothing where there is neither. */
export function groundsNotes(answer: TheoremAnswer, say: Saying): readonly string[] {
  const { proof, rests_on_open, axioms, warnings } = answer;
  if (proof === null) return axioms === null ? [] : groundsTexts({ axioms, warnings }, say);
  const open = rests_on_open.length === 0 ? [] : [restsOnOpenText(rests_on_open)];
  if (axioms === null) return [...open, 'the log does not say on which axioms it rests'];
  const none = axioms.length === 0 ? [whatItRestsOn([], [])] : [];
  return [...open, ...none, ...groundsTexts({ axioms, warnings }, say)];
}
