/**
 * `quod prove`: finds the holes of a file, searches each where it stands, and has every proof judged before it
 * counts.
 */
import { tooDeep, type QuodError } from '../core/errors.ts';
import { LineIndex } from '../core/position.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import { findRocqProject } from '../provers/rocq/project/project.ts';
import { attemptsIn } from '../provers/rocq/syntax/attempts.ts';
import { holeMeant, statedAgain } from '../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
export type {
  AcceptedTogether,
  BeginJudging,
  Judge,
  ProveEvent,
  ProveRequest,
  TheoremResult,
} from './prove-request.ts';
import { Judging, type Judged } from './judging.ts';
import { TheoremProver, titleOf } from './theorem-prover.ts';
import { listLemmasInTurn } from './libraries/list-lemmas.ts';
import { reachableSources } from './libraries/library-closure.ts';
import { LibraryIndex } from './libraries/library-index.ts';
import type {
  FoundProof,
  ProveEvent,
  ProveRequest,
  SearchedTheorem,
  SearchOutcome,
  TheoremOutcome,
  TheoremResult,
} from './prove-request.ts';
import type { Replacement } from '../core/replacement.ts';
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
  return asked.filter((item) => !attempts.has(item) && statedAgain(outline, item) === undefined);
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
    ...{ theorem: titleOf(theorem), line, statement, times: {}, elapsedMs, nodes: 0 },
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
  const request = { ...whole, signal: AbortSignal.any([whole.signal, failed.signal]) };
  const outline = outlineOf(request.text);
  const asked = theoremsAsked(outline, request.theorems);
  const isByPlace = request.theorems !== 'all-holes' && 'sentences' in request.theorems;
  const { taken, untold } = isByPlace
    ? { taken: new Set<TheoremItem>(), untold: new Set<TheoremItem>() }
    : await finishedProofs(request, { outline, asked }, (error) => onEvent({ kind: 'file-error', error }));
  if (request.theorems !== 'all-holes')
    for (const item of taken) onEvent({ kind: 'finished-already', theorem: titleOf(item), item });
  const finished = new Set([...taken, ...untold]);
  const open = asked.filter((theorem) => !finished.has(theorem));
  const refused = open.flatMap((theorem) => {
    const outcome = request.refusal?.(outline, theorem);
    return outcome === undefined ? [] : [{ theorem, outcome }];
  });
  const wanted = open.filter((one) => !refused.some(({ theorem }) => theorem === one));
  const results = new Map<TheoremItem, TheoremResult>();
  // As many theorems at once as there are jobs; jobs that are left over join in the search of a theorem. With a budget
  // of nodes every theorem has one session of its own, since the order of answers must not matter.
  const provers = Math.max(1, Math.min(request.jobs, wanted.length));
  const helpers = request.nodes === undefined ? Math.max(0, Math.floor(request.jobs / provers) - 1) : 0;
  let next = 0;
  const take = (): number | undefined => (next < wanted.length ? next++ : undefined);
  const library = librarySteps(request, outline);
  library.catch(() => undefined); // What it fails with is told by whoever needs it.
  const begun = wanted.length === 0 ? undefined : request.beginJudging?.(request.text, wanted);
  const done = new AbortController();
  const lemmas =
    request.without?.includes('lemmas') === true || wanted[0] === undefined
      ? { first: Promise.resolve([]), all: Promise.resolve([]) }
      : listLemmasInTurn(
          request,
          outline,
          wanted[0].sentence,
          AbortSignal.any([request.signal, done.signal]),
        );
  const errors = new Map<string, { error: QuodError; setAside?: Replacement }>();
  const judging = new Judging(outline, request.judge, {
    setAside: () => [...errors.values()].flatMap(({ setAside }) => setAside ?? []),
    ...(request.prover.identity.backend === 'embedded' && { pauseFactor: PAUSE_INSIDE_NODE }),
    onAccepted: (judged) => onEvent({ kind: 'accepted-together', judged }),
  });
  const judgements: Promise<void>[] = [];
  const lines = new LineIndex(request.text);
  const judgedOutcome = (
    judged: Judged,
    theorem: TheoremItem,
    line: number,
    found: FoundProof,
  ): TheoremOutcome => {
    if (judged.kind === 'accepted') {
      const { without, warnings } = judged;
      const setAside = without.map(({ span }) => lines.printedAt(span.start));
      const { openStatements: restsOnOpen, axioms } = judging.restsOn(theorem);
      const proof = { ...found, warnings, axioms, ...(setAside.length > 0 && { setAside }) };
      return restsOnOpen.length === 0
        ? { kind: 'proved', ...proof }
        : { kind: 'proved-but', ...proof, restsOnOpen };
    }
    // What the file does not define may mean something else, so nothing behind it can be judged.
    const before = [...errors.values()].find(
      ({ error, setAside }) => setAside === undefined && (error.place.position?.line ?? Infinity) < line,
    )?.error.place.position;
    if (before !== undefined) {
      const message = `A proof was found, but the file has an error before it, at ${before.line}:${before.column}, so it cannot be judged. ${judged.message}`;
      return { kind: 'not-judged', ...found, reason: 'does-not-compile', message, errorBefore: before };
    }
    if (judged.kind === 'unknown')
      return { kind: 'not-judged', ...found, reason: judged.reason, message: judged.message };
    return {
      kind: 'not-proved',
      reason: 'not-verified',
      message: judged.message,
      refusedScript: found.script,
    };
  };
  const settle = (theorem: TheoremItem, result: TheoremResult): void => {
    results.set(theorem, result);
    waitingForOthers.delete(theorem);
    onEvent({ kind: 'theorem-finished', result });
  };
  /** Accepted, but resting on statements that are searched, too, and may be proved before the end. */
  const waitingForOthers = new Map<TheoremItem, () => TheoremResult>();
  const settleWaiting = (): void => {
    for (const [theorem, result] of [...waitingForOthers]) settle(theorem, result());
  };
  for (const [index, { theorem, outcome }] of refused.entries()) {
    const { span, text: statement } = statementOf(outline, theorem);
    const title = titleOf(theorem);
    onEvent({ kind: 'theorem-started', theorem: title, index, total: open.length, openAbove: [] });
    const { line } = lines.printedAt(span.start);
    settle(theorem, { theorem: title, line, statement, outcome, nodes: 0, elapsedMs: 0, times: {} });
  }
  const found = new Set<TheoremItem>();
  /** The search goes on while a proof is judged. */
  const conclude = async (theorem: TheoremItem, searched: SearchedTheorem<SearchOutcome>): Promise<void> => {
    const { outcome } = searched;
    if (outcome.kind !== 'found') {
      settle(theorem, { ...searched, outcome });
      return;
    }
    found.add(theorem);
    const { script, replacement } = outcome;
    const submitted = performance.now();
    onEvent({ kind: 'found', theorem: searched.theorem, script });
    onEvent({ kind: 'phase', theorem: searched.theorem, phase: 'judge' });
    const known = errors.size;
    let judged = await judging.submit(theorem, replacement);
    // Which proofs before it Rocq refuses is known when they were run.
    if (judged.kind === 'unknown' && judged.reason === 'does-not-compile') {
      await recorder.passed(theorem);
      if (errors.size > known) judged = await judging.submit(theorem, replacement);
    }
    if (judged.kind === 'rejected') await outcome.forget?.();
    const times = { ...searched.times, judge: performance.now() - submitted };
    const result = (): TheoremResult => ({
      ...searched,
      times,
      outcome: judgedOutcome(judged, theorem, searched.line, { script, replacement }),
    });
    const now = result();
    if (now.outcome.kind === 'proved-but' && wanted.length > 1) {
      waitingForOthers.set(theorem, result);
      onEvent({ kind: 'theorem-waits', theorem: now.theorem, restsOnOpen: now.outcome.restsOnOpen });
    } else settle(theorem, now);
  };
  const report = (error: QuodError, setAside?: Replacement): void => {
    if (error.reason === 'library-missing') throw error;
    if (errors.has(error.toString())) return;
    errors.set(error.toString(), { error, ...(setAside !== undefined && { setAside }) });
    onEvent({ kind: 'file-error', error });
  };
  const recorder = new Recorder({ request, outline, holes: wanted, onError: report });
  const last = wanted.at(-1);
  const mayBeSkipped = last === undefined ? () => false : skippedBefore(outline, last);
  const workTheorems = async (): Promise<void> => {
    const work = { request, outline, library, lemmas, recorder, mayBeSkipped, onError: report };
    const theoremProver = await TheoremProver.open(work, helpers);
    try {
      for (let index = take(); index !== undefined && !request.signal.aborted; index = take()) {
        const theorem = wanted[index];
        if (theorem === undefined) break;
        const openAbove = outline.statements
          .filter((one) => one.sentence < theorem.sentence && isOpenForUse(one))
          .filter((one) => !found.has(one) && !finished.has(one))
          .map(titleOf);
        onEvent({
          kind: 'theorem-started',
          ...{ theorem: titleOf(theorem), index: refused.length + index, total: open.length, openAbove },
        });
        const begun = performance.now();
        const result = await theoremProver.prove(theorem, onEvent).catch((error: unknown) => {
          // Stopped while the file was still loading: what was found before is still told.
          if (request.signal.aborted) return undefined;
          const deep = tooDeep(error);
          if (deep === undefined) throw error;
          return unsearched(outline, theorem, { error: deep, elapsedMs: performance.now() - begun });
        });
        if (result === undefined || failed.signal.aborted) break;
        const judgement = conclude(theorem, result);
        judgement.catch(() => {}); // What it fails with is told when all are awaited.
        judgements.push(judgement);
      }
    } finally {
      await theoremProver.close();
    }
  };
  try {
    const ended = await Promise.allSettled(
      Array.from({ length: provers }, () =>
        workTheorems().catch((error: unknown) => {
          // What the other provers would find is of no use any more, and what they fail with is that they were ended.
          failed.abort(error);
          throw error;
        }),
      ),
    );
    if (ended.some((result) => result.status === 'rejected')) throw failed.signal.reason;
    recorder.rest();
    // Nobody searches any more, and the judge has the machine.
    done.abort();
    judging.end();
    await Promise.all(judgements);
  } finally {
    done.abort();
    judging.end();
    await Promise.allSettled(judgements);
    begun?.end();
    await recorder.close();
    settleWaiting();
    await lemmas.all;
  }
  return open.flatMap((theorem) => results.get(theorem) ?? []);
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
