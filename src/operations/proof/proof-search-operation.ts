/** The offline prover as an operation: the same search as `quod prove`, with progress and partial results. */
import { z } from 'zod';
import { restsOnOpenText } from '../../core/rests-on.ts';
import { counted } from '../../core/counted.ts';
import { entryAt } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { Prover } from '../../core/prover.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { appendAll } from '../../core/lists/many.ts';
import { JudgedText } from '../../provers/rocq/syntax/judged-text.ts';
import { titlesOf } from '../../provers/rocq/syntax/named-statements.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { proveFile, theoremsAsked } from '../../search/prove-file.ts';
import type { TheoremResult } from '../../search/prove-file.ts';
import type { TheoremsWanted } from '../../search/prove-request.ts';
import { PROOF_STYLES, type ProofStyle } from '../../search/script/style/file-style.ts';
import { errorOfFile } from '../files/error-of-file.ts';
import { errorBehind, fileJudge } from './judge-found-proof.ts';
import { cureMissingLibrary, isMissingLibrary } from '../rocq/check/missing-library.ts';
import { READS, defineOperation, type OperationContext } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { placeMadeWith, placeRestsOn, rocqWorkbenchOf } from '../rocq/session/place.ts';
import { budgetNow } from './budget-now.ts';
import { lookAtGoal } from '../../refute/false-goal.ts';
import { refuterOf } from './refuter.ts';
import { bestGoalAdvice } from './best-goals.ts';
import { searchInSession } from './search-in-session.ts';
import { sayRemedies } from '../../core/remedies/run-remedies.ts';
import { foundGroundsText, isProved, searchResultOf, searchResultSchema } from './search-result.ts';
import type { SearchResult } from './search-result.ts';
import type { RocqFile } from '../rocq/session/rocq-file.ts';

interface SearchInput {
  readonly theorems: TheoremsWanted;
  readonly budget: number;
  readonly nodes?: number | undefined;
  readonly jobs: number;
  readonly seed: number;
  readonly style: ProofStyle;
}

interface Searched {
  readonly finished: readonly TheoremResult[];
  /** How many theorems there were to search. */
  readonly total: number;
  /** The `Require` that ended the search, or the first error of the file. */
  readonly failure: QuodError | undefined;
  /** Where the file stops compiling behind the proofs that were accepted. */
  readonly behind: QuodError | undefined;
}

/** How what was found for its theorems is answered. Several may have one name, so they are known by their lines, too. */
function resultsIn(
  file: RocqFile,
  { theorems }: Pick<SearchInput, 'theorems'>,
): (result: TheoremResult) => SearchResult {
  const { outline, source } = file;
  const titleIn = titlesOf(outline);
  const withProof = theoremsAsked(outline, theorems)
    .filter(({ hole }) => hole === undefined)
    .map((item) => ({ theorem: titleIn(item), line: lineOf(file, item) }));
  return (result) =>
    searchResultOf(
      result,
      source.text,
      withProof.some(({ theorem, line }) => theorem === result.theorem && line === result.line),
    );
}

function lineOf(file: RocqFile, { sentence }: TheoremItem): number | undefined {
  const start = file.outline.sentences[sentence]?.span.start;
  return start === undefined ? undefined : file.positionOf(start).line;
}

/** One search with one Rocq. @throws what ended it, where that is neither the caller nor a library that is missing. */
async function searchOnce(
  prover: Prover,
  file: RocqFile,
  input: SearchInput,
  context: OperationContext,
): Promise<Searched> {
  const { path, text } = file.source;
  // Who watches knows later whether what was found is of the text as it is then.
  if (context.watch !== undefined) {
    const rests = await placeMadeWith(context, prover, file);
    context.watch({ kind: 'begun', sentences: new JudgedText(text).sentences, rests_on: rests });
  }
  const finished: TheoremResult[] = [];
  let total = 0;
  let failure: QuodError | undefined;
  // Whether the rest of such a file compiles cannot be looked at.
  const endless: QuodError[] = [];
  const answerOf = resultsIn(file, input);
  const { judge, beginJudging, refusal, rest } = fileJudge(
    { path, isWritten: false },
    prover,
    context.signal,
  );
  try {
    await proveFile(
      {
        file: path,
        text,
        theorems: input.theorems,
        ...(input.nodes === undefined
          ? { budgetMs: () => budgetNow(input, context) * 1000 }
          : { nodes: input.nodes }),
        jobs: input.jobs,
        seed: input.seed,
        style: input.style,
        prover,
        cacheDirectory: cacheDirectory(),
        judge,
        beginJudging,
        refusal,
        refuter: refuterOf(path, prover, context.signal),
        goalRefuter: (asked) => lookAtGoal(asked, asked),
        signal: context.signal,
        watchGraph: context.watch !== undefined,
      },
      (event) => {
        if (event.kind === 'theorem-started') {
          ({ total } = event);
          context.watch?.({ kind: 'started', theorem: event.theorem, open_above: event.openAbove });
        } else if (event.kind === 'theorem-waits')
          context.watch?.({ kind: 'waits', theorem: event.theorem, rests_on_open: event.restsOnOpen });
        else if (event.kind === 'searched-again')
          context.watch?.({ kind: 'again', theorem: event.theorem, without: event.without });
        else if (event.kind === 'theorem-finished') {
          finished.push(event.result);
          // Whoever watches can take the proof while the other theorems are searched.
          context.watch?.({ kind: 'finished', at: Date.now(), result: answerOf(event.result) });
          context.progress({
            message: `${finished.length} of ${counted(total, 'theorem')} searched`,
            done: finished.length,
            total,
          });
        } else if (event.kind === 'graph') context.watch?.({ theorem: event.theorem, ...event.news });
        else if (event.kind === 'phase' || event.kind === 'found')
          context.watch?.({ ...event, at: Date.now() });
        else if (event.kind === 'file-error') {
          failure ??= event.error;
          if (event.isEndless === true) endless.push(event.error);
        } else if (event.kind === 'progress') {
          context.progress({
            message: `${event.theorem}: ${counted(event.nodes, 'node')}, ${counted(event.bestGoalCount, 'goal')} left at best`,
            done: finished.length,
            total,
          });
        }
      },
    );
  } catch (error) {
    if (isMissingLibrary(error)) return { finished, total, failure: error, behind: undefined };
    if (!context.signal.aborted) throw error;
  }
  const behind = endless.length > 0 ? undefined : errorBehind(await rest(text), file.name);
  return { finished, total, failure, behind };
}

/** The theorems that were asked for and stand behind a `Require` that ended the search, with that as the reason. */
function unreached(
  file: RocqFile,
  { theorems }: SearchInput,
  finished: readonly TheoremResult[],
  { reason, message }: QuodError,
) {
  const { outline } = file;
  const titleIn = titlesOf(outline);
  return theoremsAsked(outline, theorems).flatMap((item) => {
    const line = lineOf(file, item);
    const theorem = titleIn(item);
    if (line === undefined) return [];
    if (finished.some((result) => result.line === line && result.theorem === theorem)) return [];
    const searched = {
      theorem,
      line,
      statement: entryAt(outline.sentences, item.sentence, 'sentence').text,
    };
    const outcome = { kind: 'not-proved', reason, message } as const;
    return [searchResultOf({ ...searched, outcome, nodes: 0, elapsedMs: 0, times: {} }, file.source.text)];
  });
}

function placedMessage({ message, place: { position } }: QuodError) {
  return { line: position?.line ?? null, column: position?.column ?? null, message };
}

function placeText({
  line,
  column,
}: {
  readonly line: number | null;
  readonly column: number | null;
}): string {
  return line === null || column === null ? '' : `${line}:${column}: `;
}

export const proofSearch = defineOperation({
  name: 'proof_search',
  area: 'proof',
  title: 'Search proofs',
  summary:
    'Searches proofs for holes of a Rocq file without any language model, and has the gate judge what it finds.',
  details:
    'Try it first: it costs only time. Outcomes: `proved`, `proved-but` (it rests on open statements, see ' +
    '`rests_on_open`), `refuted`, `not-judged` (the gate could not look, see `message`), `not-proved`. The file stays as it is: ' +
    'write a proof with `rocq_fill`. When the call is cut off, `partial` is true and the answer is what was found. ' +
    'With `session_id` the goals in focus at a state are searched: `closed` is what closes them, and a whole proof is judged.',
  input: z.object({
    file: z.string().optional().describe('Give either this or `session_id`.'),
    session_id: z.string().optional().describe('Search at a state of this session.'),
    from: z.string().optional().describe('The state of the session; default: its start.'),
    theorems: z.array(z.string()).optional().describe('Default: every hole of the file.'),
    budget: z.number().positive().max(3600).default(60).describe('Seconds for each theorem.'),
    nodes: z
      .int()
      .positive()
      .optional()
      .describe('Nodes for each theorem instead of time: makes a run reproducible.'),
    jobs: z.int().positive().max(64).default(1).describe('Provers that search at once.'),
    seed: z.int().nonnegative().default(0),
    style: z
      .enum(PROOF_STYLES)
      .default('terse')
      .describe('`readable`: what a proof brings in is named where it is brought in.'),
  }),
  output: z.object({
    results: z.array(searchResultSchema),
    proved: z.int().describe('How many have the outcome `proved`.'),
    closed: z
      .object({
        script: z.string(),
        state: z.string().describe('Behind the script, to go on from.'),
        goals_left: z.int().describe('Goals elsewhere, that are still open there.'),
      })
      .nullable()
      .describe('With `session_id`: what closes the goals in focus.'),
    partial: z.boolean().describe('True when not every theorem that was asked for was searched to the end.'),
    error_behind: z
      .object({ line: z.int().nullable(), column: z.int().nullable(), message: z.string() })
      .nullable()
      .describe('Where the file stops compiling behind the proofs, which were judged up to there.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 900,
  changeable: ['budget'],
  positional: ['file'],
  holds: ({ results, closed, partial, error_behind }) => {
    // The goals that were asked about are closed; others were not.
    if (closed !== null && closed.goals_left > 0) return true;
    const proved = results.map(isProved);
    if (partial || proved.includes(undefined)) return undefined;
    return !proved.includes(false) && error_behind === null;
  },
  render: ({ results, proved, closed, error_behind }, say) =>
    [
      ...(closed === null
        ? []
        : [
            `The goals in focus are closed by (state ${closed.state}, ${closed.goals_left} left):\n${closed.script}`,
          ]),
      `${proved} of ${results.length} proved`,
      ...results.map(
        ({
          theorem,
          outcome,
          proof,
          rests_on_open,
          axioms,
          warnings,
          message,
          goals_at_best,
          false_at_best: areFalse,
          unlooked_at_best: areUnlooked,
        }) => {
          const rests = rests_on_open.length === 0 ? '' : `, but ${restsOnOpenText(rests_on_open)}`;
          const also = foundGroundsText({ axioms, warnings }, say);
          const head =
            outcome === 'not-judged'
              ? `${theorem}: found, not judged: ${foreignText(sayRemedies(message ?? 'no reason is known', say))}`
              : `${theorem}: ${proof === null ? foreignText(sayRemedies(message ?? 'not proved', say)) : `proved${rests}${also}`}`;
          const note =
            outcome === 'not-judged' || message === null ? '' : `\n${foreignText(sayRemedies(message, say))}`;
          const best = goals_at_best.map((goal) => `\n${foreignText(goal)}`);
          const about =
            best.length === 0
              ? ''
              : `\nNearest:${best.join('\n')}\n${bestGoalAdvice({ areFalse, areUnlooked })}`;
          return proof === null ? `${head}${about}` : `${head}${note}\n${proof}`;
        },
      ),
      ...(error_behind === null ? [] : [`${placeText(error_behind)}${foreignText(error_behind.message)}`]),
    ].join('\n\n'),
  run: async (asked, context) => {
    if (asked.session_id !== undefined && asked.file === undefined)
      return searchInSession({ ...asked, session_id: asked.session_id }, context);
    if (asked.file === undefined || asked.session_id !== undefined) {
      throw new QuodError('invalid-input', 'Say what to search: either `file` or `session_id`.', {
        remedy: 'Name a file of the workspace, or a session that `rocq_open` opened.',
      });
    }
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, asked.file);
    // A name that is not there is an error, not a theorem that was not proved.
    const sentences = asked.theorems?.map((name) => file.theorem(name).sentence);
    const input = { ...asked, theorems: sentences === undefined ? ('all-holes' as const) : { sentences } };
    let prover = await workbench.prover();
    let { finished, total, failure, behind } = await searchOnce(prover, file, input, context);
    let endedAtRequire = isMissingLibrary(failure);
    if (isMissingLibrary(failure)) {
      const { outline, source } = file;
      const trouble = { error: failure, file: source.path, outline, prover };
      const cure = await cureMissingLibrary({
        ...trouble,
        backend: workbench.backend,
        signal: context.signal,
      });
      if (cure.kind === 'none') failure = cure.error;
      else {
        context.progress({ message: cure.note });
        ({ prover } = cure);
        ({ finished, total, failure, behind } = await searchOnce(prover, file, input, context));
        endedAtRequire = isMissingLibrary(failure);
      }
    }
    if (finished.length === 0 && failure !== undefined) throw errorOfFile(failure, file.name);
    if (finished.length === 0 && context.signal.aborted) {
      throw new QuodError('interrupted', 'The search was stopped before it had finished a theorem.');
    }
    const results = finished.toSorted((one, other) => one.line - other.line).map(resultsIn(file, input));
    if (endedAtRequire && failure !== undefined)
      appendAll(results, unreached(file, input, finished, failure));
    return {
      results,
      proved: results.filter(({ outcome }) => outcome === 'proved').length,
      closed: null,
      partial: context.signal.aborted || finished.length < total,
      error_behind: behind === undefined ? null : placedMessage(behind),
      rests_on: await placeRestsOn(context, prover, file),
    };
  },
});
