/** What the search found for a theorem, in the one form that `proof_search` and `quod prove --json` answer with. */
import { z } from 'zod';
import { LOOKED_IN_VAIN } from '../../core/reason.ts';
import { LineIndex } from '../../core/position.ts';
import { tellsOfCut, tellsOfOthersOpen } from '../../gate/verdict.ts';
import {
  type FalseStatement,
  type FoundProof,
  PROVE_PHASES,
  type SetAside,
  type TheoremOutcome,
  type TheoremResult,
} from '../../search/prove-request.ts';
import type { Saying } from '../definition/operation.ts';
import { bestGoalFields } from './best-goals.ts';
import { groundsTexts, type TellableGrounds } from '../gate/verdict-answer.ts';
import { printedRange, rangeSchema } from '../rocq/session/positions.ts';

const placeSchema = z.object({ line: z.int(), column: z.int() });

export const searchResultSchema = z.object({
  theorem: z.string(),
  line: z.int(),
  statement: z.string(),
  outcome: z.enum(['proved', 'proved-but', 'not-judged', 'refuted', 'not-proved']),
  proof: z.string().nullable().describe('From `Proof` to the closing word.'),
  rests_on_open: z
    .array(z.string())
    .describe('Statements of the file that the proof uses and that are open themselves.'),
  rests_on_false: z
    .array(z.string())
    .describe('With `not-proved`: statements that are false, on which the proof rests that was found.'),
  axioms: z
    .array(z.string())
    .describe('The axioms that the accepted proof, or that of `negation`, rests on.'),
  warnings: z.array(z.string()).describe('What the verdict says against itself.'),
  reason: z.string().nullable(),
  message: z
    .string()
    .nullable()
    .describe('Also that the text has a proof already: what is asked for by name is searched all the same.'),
  replacement: z
    .object({
      text: z.string(),
      replaces: z.string().describe('What stands there in the file that was searched.'),
      ...rangeSchema.shape,
    })
    .nullable()
    .describe('What puts the proof into the file.'),
  set_aside: z
    .array(
      z.object({
        ...placeSchema.shape,
        kind: z.enum(['steps', 'refused-proof']),
        text: z.string().nullable().describe('The steps, without comments; null of a refused proof.'),
      }),
    )
    .describe(
      'What of the file the proof does without. `steps`: of its author, from the place on; the proof stands in their place. `refused-proof`: one before it that Rocq refuses; it was judged as if that were admitted.',
    ),
  error_before: placeSchema.nullable().describe('The error of the file for which the gate could not look.'),
  refused_proof: z.string().nullable().describe('A proof that was found and that the gate did not accept.'),
  counterexample: z
    .string()
    .nullable()
    .describe(
      'For which values the statement fails; empty when it has no variables. With `not-proved`: the prover accepted that, and the gate could not confirm it, because the file has an error before the theorem.',
    ),
  negation: z
    .string()
    .nullable()
    .describe('The theorem that the statement is false, with the proof that the gate accepted.'),
  goals_left: z.int().nullable().describe('How many goals the best attempt left.'),
  goals_at_best: z
    .array(z.string())
    .describe(
      'With `not-proved`: these goals, the first of them, each with its last hypotheses; none where the best attempt is the statement itself. A lemma before the theorem that says one, or what it rests on, helps more than time.',
    ),
  statements_at_best: z
    .array(z.string().nullable())
    .describe(
      'Of each of `goals_at_best` what a lemma would state: all its hypotheses and its conclusion, as the prover prints them. Null where something in it is not known yet (`?x`), of a very long one, and with `false_at_best`.',
    ),
  false_at_best: z
    .boolean()
    .describe(
      'Whether these goals look false, by a quick look that nobody judged, and nothing was reached but by way of such: what led there leads nowhere.',
    ),
  unlooked_at_best: z
    .boolean()
    .describe(
      'Whether that quick look could not go through small values of all of these goals, or suspects one without a proof: a lemma that states one may be false.',
    ),
  nodes: z
    .int()
    .describe(
      '0 where nothing was searched: an earlier run had found it, the steps of its author leave no goal, or there was nothing to prove.',
    ),
  seconds: z.number(),
  times: z.array(z.object({ phase: z.enum(PROVE_PHASES), seconds: z.number() })),
});

export type SearchResult = z.output<typeof searchResultSchema>;

/** Whether it is proved, without anything open; undefined where nobody could look or judge. */
export function isProved({ outcome, reason }: Pick<SearchResult, 'outcome' | 'reason'>): boolean | undefined {
  switch (outcome) {
    case 'proved':
      return true;
    case 'proved-but':
    case 'refuted':
      return false;
    case 'not-judged':
      return undefined;
    case 'not-proved':
      return reason === null || LOOKED_IN_VAIN.has(reason) ? false : undefined;
  }
}

/** The fields of a result that say what was found, where nothing was. */
export function nothingFound() {
  return {
    ...{ proof: null, reason: null, message: null, replacement: null, error_before: null },
    ...{ refused_proof: null, counterexample: null, negation: null, goals_left: null },
    ...{ rests_on_open: [], rests_on_false: [], axioms: [], warnings: [], set_aside: [] },
    ...bestGoalFields({}),
  };
}

/** What is told of a theorem that was asked for by name and has no hole: it was searched all the same. */
const HAD_PROOF = 'The text of the file has a proof of it already.';

/**
 * @param text Of the file.
 * @param hadProof Whether the text had a proof of it, which nobody looked at.
 */
export function searchResultOf(result: TheoremResult, text: string, hadProof = false): SearchResult {
  const { theorem, line, statement, outcome, nodes, elapsedMs, times } = result;
  const fields = outcomeFields(outcome, text);
  return {
    ...{ theorem, line, statement, outcome: outcome.kind },
    ...fields,
    ...(hadProof && { message: fields.message === null ? HAD_PROOF : `${HAD_PROOF} ${fields.message}` }),
    nodes,
    seconds: Math.round(elapsedMs) / 1000,
    times: PROVE_PHASES.flatMap((phase) => {
      const elapsed = times[phase];
      return elapsed === undefined ? [] : [{ phase, seconds: Math.round(elapsed) / 1000 }];
    }),
  };
}

function outcomeFields(outcome: TheoremOutcome, text: string) {
  switch (outcome.kind) {
    case 'proved':
    case 'proved-but':
      return {
        ...nothingFound(),
        ...foundFields(outcome, text),
        rests_on_open: outcome.kind === 'proved-but' ? [...outcome.restsOnOpen] : [],
        axioms: [...outcome.axioms],
        warnings: [...outcome.warnings],
        message: noteOf(outcome),
      };
    case 'not-judged': {
      const { reason, message, errorBefore } = outcome;
      return {
        ...nothingFound(),
        ...foundFields(outcome, text),
        ...{ reason, message, error_before: errorBefore ?? null },
      };
    }
    case 'refuted': {
      const { counterexample, negation, axioms, warnings } = outcome;
      return {
        ...nothingFound(),
        ...{ message: falsehoodText(outcome), counterexample, negation },
        ...{ axioms: [...axioms], warnings: [...warnings] },
      };
    }
    case 'not-proved': {
      const { reason, message, refusedScript, bestGoalCount, counterexample, restsOnFalse = [] } = outcome;
      return {
        ...nothingFound(),
        ...{ reason, message, refused_proof: refusedScript ?? null, goals_left: bestGoalCount ?? null },
        counterexample: counterexample ?? null,
        rests_on_false: [...restsOnFalse],
        ...bestGoalFields(outcome),
      };
    }
  }
}

/**
 * What a found proof rests on, for people. That only the beginning was judged they are told with what is behind it, and of
 * the other holes of the file what becomes of them.
 */
export function foundGroundsText({ axioms, warnings }: TellableGrounds, say: Saying): string {
  const ofProof = warnings.filter((text) => !tellsOfCut(text) && !tellsOfOthersOpen(text));
  return groundsTexts({ axioms, warnings: ofProof }, say)
    .map((text) => `; ${text}`)
    .join('');
}

/** For people, with what the proof of it rests on. */
export function falsehoodText(
  { counterexample, ...grounds }: FalseStatement,
  say: Saying = (words) => words,
): string {
  const falsehood = counterexample === '' ? 'It is false' : `It is false for ${counterexample}`;
  return `${falsehood}${foundGroundsText(grounds, say)}.`;
}

function foundFields(
  { script, replacement, setAside = [] }: Extract<TheoremOutcome, { readonly script: string }>,
  text: string,
) {
  const { span } = replacement;
  const range = printedRange(new LineIndex(text), span);
  const replaces = text.slice(span.start, span.end);
  const aside = setAside.map((one) => ({
    ...{ line: one.line, column: one.column, kind: one.kind },
    text: one.kind === 'steps' ? one.text : null,
  }));
  return { proof: script, replacement: { text: replacement.text, replaces, ...range }, set_aside: aside };
}

/** Characters of an author's steps that a line for people shows. */
const SHOWN_STEPS = 60;

/** What was set aside, for lines that people read; undefined where nothing of that kind was. */
export function asideTexts(setAside: readonly SetAside[] = []) {
  const steps = setAside.find((one) => one.kind === 'steps');
  const refused = setAside.filter((one) => one.kind === 'refused-proof');
  const isLong = steps !== undefined && steps.text.length > SHOWN_STEPS;
  return {
    steps: steps && {
      line: steps.line,
      text: isLong ? `${steps.text.slice(0, SHOWN_STEPS)}…` : steps.text,
    },
    refused:
      refused.length === 0 ? undefined : refused.map(({ line, column }) => `${line}:${column}`).join(', '),
  };
}

function noteOf({ setAside, isOwn }: FoundProof): string | null {
  const { steps, refused } = asideTexts(setAside);
  const notes = [
    ...(isOwn === true ? ['The steps of its author leave no goal, and only their end was missing.'] : []),
    ...(refused === undefined
      ? []
      : [
          `The file has proofs before it that Rocq refuses, at ${refused}; it was judged as if they were admitted.`,
        ]),
    ...(steps === undefined
      ? []
      : [`The steps of its author from line ${steps.line} on were set aside: ${steps.text}`]),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}
