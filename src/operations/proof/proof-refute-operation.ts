/** Falsehood as an operation: counterexamples to statements, with proofs of the negations that the gate accepted. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { entryAt, orNothing } from '../../core/entry.ts';
import { withSameReason } from '../../core/lists/same-reason.ts';
import { QuodError } from '../../core/errors.ts';
import type { Prover } from '../../core/prover.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { confinedText } from '../../gate/rocq/text/restricted-text.ts';
import { attemptsIn, supersededIn } from '../../provers/rocq/syntax/attempts.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { unreadRest } from '../../provers/rocq/syntax/unread-rest.ts';
import { refuteFile, type TheoremRefutation } from '../../refute/refute-file.ts';
import { errorOfFile } from '../files/error-of-file.ts';
import { cureMissingLibrary, isMissingLibrary } from '../rocq/check/missing-library.ts';
import { READS, defineOperation, type OperationContext } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { placeRestsOn, rocqWorkbenchOf } from '../rocq/session/place.ts';
import type { RocqFile } from '../rocq/session/rocq-file.ts';
import { judgeDisproof } from './judge-disproof.ts';
import { foundGroundsText } from './search-result.ts';
import { refutationResultOf, refutationSchema, type RefutationResult } from './refutation-result.ts';

interface RefuteInput {
  readonly theorems?: readonly string[] | undefined;
  readonly statement?: string | undefined;
  readonly before?: string | undefined;
  readonly budget: number;
}

/** What is asked about: theorems of the file, or a statement that is put into it. */
interface Question {
  readonly outline: FileOutline;
  readonly theorems: readonly TheoremItem[];
  /** Whether the outline has words of the caller, who may do no more by them than to ask a prover. */
  readonly onlyProves: boolean;
}

const STATEMENT_NAME = 'statement';

function questionOf(file: RocqFile, { theorems, statement, before }: RefuteInput): Question {
  const { outline } = file;
  if (statement === undefined) {
    const attempts = attemptsIn(outline);
    const superseded = supersededIn(outline);
    if (before !== undefined)
      throw new QuodError('invalid-input', '`before` says where `statement` stands, and there is none.');
    return {
      outline,
      theorems:
        theorems === undefined
          ? outline.statements.filter(
              (item) => item.hole !== undefined && !attempts.has(item) && !superseded.has(item),
            )
          : theorems.map((name) => file.theorem(name)),
      onlyProves: false,
    };
  }
  if (theorems !== undefined)
    throw new QuodError('invalid-input', 'Give either `theorems` of the file or a `statement`, not both.');
  const next = before === undefined ? undefined : file.theorem(before);
  const end = next === undefined ? outline.text.length : outline.sentences[next.sentence]?.span.start;
  const head = outline.text.slice(0, end);
  // A notation of the file can make of a comment what Rocq reads.
  const proposition = withoutComments(statement).trim().replace(/\.$/u, '');
  const sentence = `Theorem ${statementNameNotIn(outline.text)} : ${proposition}.`;
  const asked = outlineOf(`${head}\n${sentence}\nProof.\nAdmitted.\n`);
  const item = asked.statements.at(-1);
  const added = asked.sentences.length - outlineOf(head).sentences.length;
  // More sentences would be commands of whoever wrote the statement; its own first word stands behind a name.
  const isOne = added === 3 && asked.sentences[item?.sentence ?? -1]?.text === sentence;
  if (item === undefined || !isOne || !confinedText(`${STATEMENT_NAME} ${proposition}`).ok)
    throw new QuodError('invalid-input', 'The statement is not one statement.', {
      remedy: 'Give what would stand between the colon and the dot: `forall n, n <= n * n`.',
    });
  return { outline: asked, theorems: [item], onlyProves: true };
}

function statementNameNotIn(text: string): string {
  let name = STATEMENT_NAME;
  while (text.includes(name)) name += '_asked';
  return name;
}

interface Refuted {
  readonly finished: readonly TheoremRefutation[];
  readonly failure: QuodError | undefined;
}

async function refuteOnce(
  prover: Prover,
  file: RocqFile,
  question: Question,
  { budget, context }: { readonly budget: number; readonly context: OperationContext },
): Promise<Refuted> {
  const finished: TheoremRefutation[] = [];
  const { path } = file.source;
  try {
    await refuteFile(
      {
        ...question,
        file: path,
        budgetMs: budget * 1000,
        prover,
        judge: judgeDisproof({ path, onlyProves: question.onlyProves }, prover, context.signal),
        signal: context.signal,
      },
      {
        onFinished: (result) => finished.push(result),
        onProgress: (theorem, tried) =>
          context.progress({
            message: `${theorem}: ${counted(tried, 'combination')} of values tried`,
            done: finished.length,
            total: question.theorems.length,
          }),
      },
    );
  } catch (error) {
    if (isMissingLibrary(error)) return { finished, failure: error };
    if (!context.signal.aborted) throw error;
  }
  return { finished, failure: undefined };
}

/** Those that cannot be tried for the same reason are told together, each other by itself. */
function toldTogether(results: readonly RefutationResult[]) {
  return withSameReason(results, (result) => (result.outcome === 'not-tried' ? result.message : result));
}

/** Whether it was looked for a counterexample, as far as the time went; otherwise nothing is known. */
function wasTried({ outcome, reason }: RefutationResult): boolean {
  return outcome === 'refuted' || (outcome === 'not-refuted' && LOOKED.has(orNothing(reason)));
}

/** Reasons of one that was looked for and not found. */
const LOOKED: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['search-exhausted', 'budget-exhausted', 'timeout', 'not-verified'] as const),
]);

export const proofRefute = defineOperation({
  name: 'proof_refute',
  area: 'proof',
  title: 'Refute statements',
  summary:
    'Looks for small counterexamples to statements of a Rocq file, and proves the negation of those that are false.',
  details:
    'Ask this before proving anything that may be wrong: a lemma of your own (`statement`, put in front of the theorem ' +
    '`before`), or a theorem that resists. Outcomes: `refuted` (`counterexample` says for which values it fails, and the gate ' +
    'accepted `negation`, the theorem that says so with its proof), `not-refuted` (nothing was found: that proves nothing; ' +
    '`suspects` are values for which it seems to fail and could not be proved to), `not-tried` (`message` says why the ' +
    'statement is of a kind that cannot be tried). A theorem of a section is refuted when it fails for some values of the ' +
    "section's variables that satisfy its hypotheses. Takes up to `budget` seconds for each statement, besides the run of " +
    'the file and the gate. The file does not change. The command ends with 0 when all that was asked for is refuted, with 1 when ' +
    'something was looked at and is not, with 2 when something could not be looked at.',
  input: z.object({
    file: z.string(),
    theorems: z.array(z.string()).optional().describe('Default: every hole of the file.'),
    statement: z
      .string()
      .min(1)
      .optional()
      .describe('A proposition instead of theorems of the file: `forall n, n <= n * n`.'),
    before: z
      .string()
      .optional()
      .describe('With `statement`: the theorem in front of which it stands; default: the end of the file.'),
    budget: z.number().positive().max(3600).default(10).describe('Seconds for each statement.'),
  }),
  output: z.object({
    results: z.array(refutationSchema),
    refuted: z.int().describe('How many have the outcome `refuted`.'),
    partial: z.boolean().describe('True when not every statement that was asked for was tried to the end.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 900,
  positional: ['file'],
  holds: ({ results, refuted }) =>
    results.length === 0 || !results.every(wasTried) ? undefined : refuted === results.length,
  render: ({ results }, say) =>
    toldTogether(results)
      .map(({ of }) => {
        const { outcome, counterexample, negation, axioms, warnings, message } = entryAt(of, 0, 'result');
        const names = of.map(({ theorem }) => theorem).join(', ');
        if (outcome === 'refuted') {
          const values = counterexample === '' ? '' : ` for ${orNothing(counterexample)}`;
          return `${names}: false${values}${foundGroundsText({ axioms, warnings }, say)}\n${orNothing(negation)}`;
        }
        return `${names}: ${outcome === 'not-tried' ? 'not tried' : 'not refuted'}. ${foreignText(orNothing(message))}`;
      })
      .join('\n\n'),
  conclude: ({ results, refuted }) =>
    results.length === 0 ? 'The file has no holes.' : `${refuted} of ${results.length} refuted`,
  run: async (input, context) => {
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, input.file);
    const question = questionOf(file, input);
    let prover = await workbench.prover();
    const unread = question.theorems.length === 0 ? unreadRest(question.outline) : undefined;
    if (unread !== undefined)
      throw new QuodError('does-not-compile', `No hole was found. ${unread}`, { place: { file: file.name } });
    const settings = { budget: input.budget, context };
    let { finished, failure } = await refuteOnce(prover, file, question, settings);
    if (failure !== undefined) {
      const trouble = { error: failure, file: file.source.path, outline: question.outline, prover };
      const cure = await cureMissingLibrary({
        ...trouble,
        backend: workbench.backend,
        signal: context.signal,
      });
      if (cure.kind === 'none') throw errorOfFile(cure.error, file.name);
      context.progress({ message: cure.note });
      ({ prover } = cure);
      ({ finished, failure } = await refuteOnce(prover, file, question, settings));
      if (failure !== undefined) throw errorOfFile(failure, file.name);
    }
    if (finished.length === 0 && context.signal.aborted)
      throw new QuodError('interrupted', 'The search was stopped before it had finished a statement.');
    const results = finished.map(refutationResultOf);
    return {
      results,
      refuted: results.filter(({ outcome }) => outcome === 'refuted').length,
      partial:
        finished.length < question.theorems.length ||
        finished.some(
          ({ refutation }) => refutation.kind === 'not-refuted' && refutation.reason === 'interrupted',
        ),
      rests_on: await placeRestsOn(context, prover, file),
    };
  },
});
