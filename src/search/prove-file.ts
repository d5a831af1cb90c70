/**
 * `quod prove`: finds the holes of a file, searches each where it stands, and has every proof judged before it
 * counts.
 */
import { tooDeep, type QuodError } from '../core/errors.ts';
import { entryAt, orZero } from '../core/entry.ts';
import { LineIndex } from '../core/position.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import { findRocqProject } from '../provers/rocq/project/project.ts';
import { attemptsIn, supersededIn } from '../provers/rocq/syntax/attempts.ts';
import { holeMeant, titleOf, titlesOf } from '../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
export type {
  AcceptedTogether,
  BeginJudging,
  Judge,
  ProveEvent,
  ProveRequest,
  TheoremResult,
} from './prove-request.ts';
import { FalseStatements } from './avoided-statements.ts';
import { Conclusions, type SearchTask } from './conclusions.ts';
import { Judging } from './judging.ts';
import { SearchTeam } from './search-team.ts';
import { TheoremProver } from './theorem-prover.ts';
import { listLemmasInTurn, type LemmaLists } from './libraries/list-lemmas.ts';
import { reachableSources } from './libraries/library-closure.ts';
import { LibraryIndex } from './libraries/library-index.ts';
import type {
  ProveEvent,
  ProveRequest,
  SearchedTheorem,
  SearchOutcome,
  TheoremResult,
} from './prove-request.ts';
import type { ErrorOfRun } from '../sessions/rocq/file-run.ts';
import { ImportHints } from '../sessions/rocq/imports/import-hint.ts';
import { appendAll } from '../core/lists/many.ts';
import { finishedProofs } from './finished-proofs.ts';
import { Recorder } from './recorder.ts';
import { skippedBefore } from './skipped-proofs.ts';
import type { StoredStep } from '../retrieval/lexical/step-memory.ts';

/** The theorems of a file that a request asks for; names that mean no hole, or one of several, are left out. */
export function theoremsAsked(outline: FileOutline, theorems: ProveRequest['theorems']): TheoremItem[] {
  if (theorems !== 'all-holes' && !('sentences' in theorems)) {
    const named = theorems.flatMap((name) => {
      const meant = holeMeant(outline, name);
      return meant.kind === 'one' ? [meant.item] : [];
    });
    return outline.statements.filter((item) => named.includes(item));
  }
  const asked = outline.statements.filter(({ hole, sentence }) =>
    theorems === 'all-holes' ? hole !== undefined : theorems.sentences.includes(sentence),
  );
  const attempts = attemptsIn(outline);
  const superseded = supersededIn(outline);
  return asked.filter((item) => !attempts.has(item) && !superseded.has(item));
}

/** What is told of a theorem at which the search itself failed; others are searched all the same. */
function unsearched(
  outline: FileOutline,
  theorem: TheoremItem,
  { error: { reason, message }, elapsedMs }: { readonly error: QuodError; readonly elapsedMs: number },
): SearchedTheorem<SearchOutcome> {
  const { span, text: statement } = statementOf(outline, theorem);
  const { line } = new LineIndex(outline.text).printedAt(span.start);
  return {
    ...{ theorem: titleOf(outline, theorem), line, statement, times: {}, elapsedMs, nodes: 0 },
    outcome: { kind: 'not-proved', reason, message },
  };
}

/** Whether a later proof may use a statement that has no proof: what is aborted is gone. */
function isOpenForUse({ hole }: TheoremItem): boolean {
  return hole !== undefined && hole !== 'aborted';
}

/**
 * Ends at once where the file requires a library that the prover does not have: all that is found behind it would be
 * about another file. @throws QuodError `library-missing`, and as opening a session does.
 */
export async function proveFile(
  whole: ProveRequest,
  onEvent: (event: ProveEvent) => void,
): Promise<TheoremResult[]> {
  const failed = new AbortController();
  const { refuter } = whole;
  const request: ProveRequest = {
    ...{ imports: new ImportHints(), ...whole, signal: AbortSignal.any([whole.signal, failed.signal]) },
    // What is found to be false is judged in the file up to there.
    ...(refuter && {
      refuter: (at) => (isBehindEndless(at.theorem) ? Promise.resolve(undefined) : refuter(at)),
    }),
  };
  const outline = outlineOf(request.text);
  const titleIn = titlesOf(outline);
  const asked = theoremsAsked(outline, request.theorems);
  const isByPlace = request.theorems !== 'all-holes' && 'sentences' in request.theorems;
  const { taken, untold } = isByPlace
    ? { taken: new Set<TheoremItem>(), untold: new Set<TheoremItem>() }
    : await finishedProofs(request, { outline, asked }, (error) => onEvent({ kind: 'file-error', error }));
  if (request.theorems !== 'all-holes')
    for (const item of taken) onEvent({ kind: 'finished-already', theorem: titleIn(item), item });
  const finished = new Set([...taken, ...untold]);
  const open = asked.filter((theorem) => !finished.has(theorem));
  if (open.length > 0) onEvent({ kind: 'to-be-searched', theorems: open.map(titleIn) });
  const refused = open.flatMap((theorem) => {
    const outcome = request.refusal?.(outline, theorem);
    return outcome === undefined ? [] : [{ theorem, outcome }];
  });
  const wanted = open.filter((one) => !refused.some(({ theorem }) => theorem === one));
  // As many theorems at once as there are jobs; jobs that are left over join in the search of a theorem. With a budget
  // of nodes every theorem has one session of its own, since the order of answers must not matter.
  const provers = Math.max(1, Math.min(request.jobs, wanted.length));
  const helpers = request.nodes === undefined ? Math.max(0, Math.floor(request.jobs / provers) - 1) : 0;
  const library = librarySteps(request, outline);
  library.catch(() => undefined); // What it fails with is told by whoever needs it.
  const begun = wanted.length === 0 ? undefined : request.beginJudging?.(request.text, wanted);
  const done = new AbortController();
  const ended = new AbortController();
  const list = (end: AbortSignal): LemmaLists =>
    request.without?.includes('lemmas') === true || wanted[0] === undefined
      ? { first: Promise.resolve([]), all: Promise.resolve([]) }
      : listLemmasInTurn(request, outline, wanted[0].sentence, AbortSignal.any([request.signal, end]));
  const lemmas = list(done.signal);
  const errors = new Map<string, ErrorOfRun & { readonly error: QuodError }>();
  const isBehindEndless = ({ sentence }: TheoremItem): boolean => {
    const { span } = entryAt(outline.sentences, sentence, 'sentence');
    return [...errors.values()].some(({ endless = Infinity }) => endless < span.start);
  };
  const judging = new Judging(outline, request.judge, {
    setAside: () => [...errors.values()].flatMap(({ setAside }) => setAside ?? []),
    ...(request.prover.identity.backend === 'embedded' && { pauseFactor: PAUSE_INSIDE_NODE }),
    onAccepted: (judged) => onEvent({ kind: 'accepted-together', judged }),
    onJudging: (theorems) => onEvent({ kind: 'judging', theorems: theorems.map(titleIn) }),
    endless: () =>
      [...errors.values()].flatMap(({ setAside, endless }) =>
        setAside === undefined ? (endless ?? []) : [],
      ),
    fileMs: async (theorem) => {
      await recorder.passed(theorem);
      return Math.max(ranMs, recorder.ranMs);
    },
    judgesAll: request.judgesAll ?? false,
  });
  /** Milliseconds that sessions took up to the holes, without the proofs that they leave out. */
  let ranMs = 0;
  const lines = new LineIndex(request.text);
  const report = (error: QuodError, about: ErrorOfRun): void => {
    if (error.reason === 'library-missing') throw error;
    if (errors.has(error.toString())) return;
    errors.set(error.toString(), { error, ...about });
    if (about.endless !== undefined) judging.tellEndless(about.endless);
    // The cause is told, and with each theorem that is not searched for it.
    if (about.follows !== undefined) return;
    const isHole = about.openProof !== undefined && wanted.includes(about.openProof);
    const isEndless = about.endless !== undefined && about.setAside === undefined;
    onEvent({ kind: 'file-error', error, ...(isHole && { isHole }), ...(isEndless && { isEndless }) });
  };
  const recorder = new Recorder({ request, outline, holes: wanted, onError: report });
  const falseStatements = new FalseStatements();
  const conclusions = new Conclusions({
    ...{ outline, judging, falseStatements, finished, errors, onEvent, signal: request.signal },
    passed: (theorem) => recorder.passed(theorem),
    othersAreSearched: wanted.length > 1,
  });
  for (const [index, { theorem, outcome }] of refused.entries()) {
    const { span, text: statement } = statementOf(outline, theorem);
    const title = titleIn(theorem);
    onEvent({ kind: 'theorem-started', theorem: title, index, total: open.length, openAbove: [] });
    const { line } = lines.printedAt(span.start);
    conclusions.settle(theorem, {
      theorem: title,
      line,
      statement,
      outcome,
      nodes: 0,
      elapsedMs: 0,
      times: {},
    });
  }
  const last = wanted.at(-1);
  const mayBeSkipped = last === undefined ? () => false : skippedBefore(outline, last);
  const work = {
    ...{ request, outline, library, lemmas, recorder, mayBeSkipped, falseStatements, onError: report },
  };
  const found = new Set<TheoremItem>();
  const search = async (prover: TheoremProver, task: SearchTask): Promise<void> => {
    const { theorem, again } = task;
    if (again === undefined) {
      const openAbove = outline.statements
        .filter((one) => one.sentence < theorem.sentence && isOpenForUse(one))
        .filter((one) => !found.has(one) && !finished.has(one))
        .map(titleIn);
      const index = refused.length + wanted.indexOf(theorem);
      onEvent({
        kind: 'theorem-started',
        theorem: titleIn(theorem),
        index,
        total: open.length,
        openAbove,
      });
    } else conclusions.begin(task);
    const begun = performance.now();
    const result = await prover.prove(theorem, onEvent, again).catch((error: unknown) => {
      // Stopped while the file was still loading: what was found before is still told.
      if (request.signal.aborted) return undefined;
      const deep = tooDeep(error);
      if (deep === undefined) throw error;
      return unsearched(outline, theorem, { error: deep, elapsedMs: performance.now() - begun });
    });
    ranMs += orZero(result?.times.file);
    if (result === undefined || failed.signal.aborted) return;
    if (result.outcome.kind === 'found') found.add(theorem);
    conclusions.add(theorem, result);
  };
  const team = new SearchTeam({ size: provers, failed, signal: request.signal }, () =>
    TheoremProver.open(work, helpers),
  );
  /** Those that are not at their end. */
  const listing = new Set([lemmas]);
  void lemmas.all.then(() => listing.delete(lemmas));
  try {
    await team.work(
      wanted.map((theorem) => ({ theorem })),
      search,
    );
    for (;;) {
      recorder.rest();
      // Nobody searches any more, and the judge has the machine.
      const isBrokenOff = listing.has(lemmas);
      done.abort();
      judging.end();
      await conclusions.judged();
      const tasks = await conclusions.again();
      if (tasks.length === 0) break;
      if (isBrokenOff) {
        const anew = list(ended.signal);
        listing.add(anew);
        team.readLemmas(anew);
      }
      await team.work(tasks, async (prover, task) => {
        await conclusions.judged();
        const now = conclusions.stillWanted(task);
        if (now !== undefined) await search(prover, now);
      });
    }
  } finally {
    done.abort();
    ended.abort();
    judging.end();
    await team.close();
    await conclusions.ended();
    begun?.end();
    await recorder.close();
    conclusions.settleWaiting();
    await Promise.all([...listing].map(({ all }) => all));
  }
  return open.flatMap((theorem) => conclusions.results.get(theorem) ?? []);
}

/** There a judgement takes many seconds of the one processor that the search has, too. */
const PAUSE_INSIDE_NODE = 3;
const MAXIMUM_LIBRARY_STEPS = 25_000;

/** Stored steps of what the file requires, nearest libraries first, as many as are worth their memory. */
async function librarySteps(request: ProveRequest, outline: FileOutline): Promise<StoredStep[]> {
  const { cacheDirectory } = request;
  if (cacheDirectory === undefined || request.without?.includes('library') === true) return [];
  const index = new LibraryIndex(cacheDirectory);
  const steps: StoredStep[] = [];
  const project = await findRocqProject(request.file);
  const roots = project.loadPath.map(({ logical }) => logical);
  for (const { key, header } of reachableSources(outline.requires, await index.headers(), roots)) {
    if (steps.length >= MAXIMUM_LIBRARY_STEPS) break;
    appendAll(steps, await index.read(key, header.library));
  }
  return steps.slice(0, MAXIMUM_LIBRARY_STEPS);
}
