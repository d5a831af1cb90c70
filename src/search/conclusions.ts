/**
 * What becomes of the theorems that were searched. A proof is judged; one that rests on nothing open is told at once.
 * One that rests on open statements waits, since these may be proved in the same run. When all are searched, what rests
 * on a statement that was refuted meanwhile is withdrawn and searched again without it; what still rests on open
 * statements is searched once more without any. Only then is it told that it rests on them.
 */
import type { QuodError } from '../core/errors.ts';
import type { ErrorOfRun } from '../sessions/rocq/file-run.ts';
import { LineIndex } from '../core/position.ts';
import type { Replacement } from '../core/replacement.ts';
import { restsOnFalseText } from '../core/rests-on.ts';
import { nameInModules } from '../provers/rocq/syntax/named-statements.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { speaksOf, type FalseStatements } from './avoided-statements.ts';
import { errorBeforeText } from './prove-request.ts';
import type { Judged, Judging } from './judging.ts';
import type {
  ProveEvent,
  SearchedAgain,
  SearchedTheorem,
  SearchOutcome,
  TheoremOutcome,
  TheoremResult,
} from './prove-request.ts';

/** What the run knows of the file's own errors. */
export interface KnownErrors {
  readonly size: number;
  values(): Iterable<ErrorOfRun & { readonly error: QuodError }>;
}

export interface ConclusionsWork {
  readonly outline: FileOutline;
  readonly judging: Judging;
  readonly falseStatements: FalseStatements;
  /** What looks open in the text and is not. */
  readonly finished: ReadonlySet<TheoremItem>;
  readonly errors: KnownErrors;
  /** Settles when it is known which proofs before a theorem Rocq refuses. */
  readonly passed: (theorem: TheoremItem) => Promise<void>;
  /** Whether a proof that rests on open statements may rest on fewer when others are searched. */
  readonly othersAreSearched: boolean;
  readonly onEvent: (event: ProveEvent) => void;
  readonly signal: AbortSignal;
}

/** A theorem that is to be searched. */
export interface SearchTask {
  readonly theorem: TheoremItem;
  readonly again?: SearchedAgain;
}

type Found = SearchedTheorem<Extract<SearchOutcome, { readonly kind: 'found' }>>;

/** Accepted, but it rests on open statements. */
interface Waiting {
  readonly searched: Found;
  readonly judged: Extract<Judged, { readonly kind: 'accepted' }>;
}

/** Whether a name in a proof is that of a hypothesis is not known here: what is withdrawn for it is searched again. */
const NO_LOCALS: ReadonlySet<string> = new Set();

export class Conclusions {
  readonly #work: ConclusionsWork;
  readonly #lines: LineIndex;
  readonly #judgements: Promise<void>[] = [];
  readonly #results = new Map<TheoremItem, TheoremResult>();
  readonly #waiting = new Map<TheoremItem, Waiting>();
  /** For which a proof without open statements was looked for. */
  readonly #searchedWithoutOpen = new Set<TheoremItem>();
  /** False statements on which a proof of a theorem rested that is withdrawn. */
  readonly #restedOnFalse = new Map<TheoremItem, readonly string[]>();

  constructor(work: ConclusionsWork) {
    this.#work = work;
    this.#lines = new LineIndex(work.outline.text);
  }

  get results(): ReadonlyMap<TheoremItem, TheoremResult> {
    return this.#results;
  }

  /** The search goes on while a proof is judged. */
  add(theorem: TheoremItem, searched: SearchedTheorem<SearchOutcome>): void {
    const judgement = this.#conclude(theorem, searched);
    judgement.catch(() => {}); // What it fails with is told when all are awaited.
    this.#judgements.push(judgement);
  }

  /** @throws what a judgement fails with. */
  async judged(): Promise<void> {
    await Promise.all(this.#judgements);
  }

  /** The same, whatever they fail with. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#judgements);
  }

  settle(theorem: TheoremItem, result: TheoremResult): void {
    this.#results.set(theorem, result);
    this.#waiting.delete(theorem);
    this.#work.onEvent({ kind: 'theorem-finished', result });
  }

  /** All that waits is told as it is now. */
  settleWaiting(): void {
    for (const [theorem, waiting] of [...this.#waiting])
      this.settle(theorem, this.#resultOf(theorem, waiting.searched, waiting.judged));
  }

  /** What is to be searched once more when everything is searched and judged, in the order of the file. */
  async again(): Promise<SearchTask[]> {
    const { signal } = this.#work;
    await this.#confirm();
    const withdrawn = await this.#withdrawFalse();
    if (withdrawn.length > 0 || signal.aborted) return withdrawn;
    return this.#inOrder(({ theorem }) => !this.#searchedWithoutOpen.has(theorem)).flatMap(({ theorem }) => {
      const again = this.#withoutOpen(theorem);
      return again === undefined ? [] : [{ theorem, again }];
    });
  }

  /** A task as it is when its turn comes: a proof that it was to replace may rest on nothing open any more. */
  stillWanted(task: SearchTask): SearchTask | undefined {
    const { theorem, again } = task;
    const waiting = this.#waiting.get(theorem);
    if (again === undefined || waiting === undefined) return task;
    const without = this.#withoutOpen(theorem);
    return without && { theorem, again: without };
  }

  /** Tells that one is searched again. */
  begin({ theorem, again }: SearchTask): void {
    if (again === undefined) return;
    if (this.#waiting.has(theorem)) this.#searchedWithoutOpen.add(theorem);
    const { without, before } = again;
    this.#work.onEvent({ kind: 'searched-again', theorem: before.theorem, without: [...without] });
  }

  #withoutOpen(theorem: TheoremItem): SearchedAgain | undefined {
    const waiting = this.#waiting.get(theorem);
    const { outline, judging, finished } = this.#work;
    const rests = waiting === undefined ? [] : judging.restsOn(theorem).openStatements;
    if (waiting === undefined || rests.length === 0) return undefined;
    const open = outline.statements
      .filter(({ sentence, hole }) => sentence < theorem.sentence && hole !== undefined)
      .filter((one) => !finished.has(one) && !this.#isProved(one))
      .flatMap((one) => nameInModules(outline, one) ?? []);
    return { without: new Set([...rests, ...open]), before: waiting.searched, isBrief: true };
  }

  #isProved(theorem: TheoremItem): boolean {
    const waiting = this.#waiting.get(theorem);
    return waiting === undefined
      ? this.#results.get(theorem)?.outcome.kind === 'proved'
      : this.#work.judging.restsOn(theorem).openStatements.length === 0;
  }

  #inOrder(wanted: (one: Waiting & { readonly theorem: TheoremItem }) => boolean) {
    return [...this.#waiting]
      .map(([theorem, waiting]) => ({ theorem, ...waiting }))
      .filter(wanted)
      .sort((one, other) => one.theorem.sentence - other.theorem.sentence);
  }

  /** Has what was not withdrawn judged. What is said of the proofs stands where the run is stopped meanwhile. */
  async #confirm(): Promise<void> {
    const { judging, signal } = this.#work;
    await judging.confirm().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Takes back the proofs that rest on what is false. */
  async #withdrawFalse(): Promise<SearchTask[]> {
    const { judging, falseStatements, signal } = this.#work;
    const falseOf = (theorem: TheoremItem): string[] =>
      falseStatements.among(judging.restsOn(theorem).openStatements);
    const suspects = this.#inOrder(({ theorem }) => falseOf(theorem).length > 0);
    if (suspects.length === 0) return [];
    const rested = new Map(suspects.map(({ theorem }) => [theorem, falseOf(theorem)]));
    judging.withdraw(suspects.map(({ theorem }) => theorem));
    const tasks: SearchTask[] = [];
    for (const { theorem, searched } of suspects) {
      const { script, replacement } = searched.outcome;
      // Where it names none it may have used another theorem alone, whose proof has to go.
      const judged = speaksOf(script, falseStatements.names, NO_LOCALS)
        ? undefined
        : await judging.submit(theorem, replacement);
      const names = judged?.kind === 'accepted' ? falseOf(theorem) : (rested.get(theorem) ?? []);
      if (names.length === 0) continue;
      judging.withdraw([theorem]);
      this.#waiting.delete(theorem);
      await searched.outcome.proofs?.forget();
      const known = this.#restedOnFalse.get(theorem) ?? [];
      const all = [...new Set([...known, ...names])];
      this.#restedOnFalse.set(theorem, all);
      // What was searched without them and still rests on them uses them in a way that no name shows.
      if (signal.aborted || all.length === known.length)
        this.settle(theorem, { ...searched, outcome: onlyFromFalse(all, signal.aborted) });
      else tasks.push({ theorem, again: { without: new Set(all), before: searched } });
    }
    await this.#confirm();
    return tasks;
  }

  async #conclude(theorem: TheoremItem, searched: SearchedTheorem<SearchOutcome>): Promise<void> {
    const { outcome } = searched;
    const earlier = this.#waiting.get(theorem);
    const { falseStatements, outline, judging, onEvent } = this.#work;
    switch (outcome.kind) {
      case 'refuted':
        falseStatements.add(nameInModules(outline, theorem));
        if (earlier !== undefined) judging.withdraw([theorem]);
        this.settle(theorem, { ...searched, outcome });
        return;
      case 'not-proved':
        // The proof that rests on open statements is what there is.
        if (earlier !== undefined) await this.#goBackTo(theorem, earlier, searched);
        else this.settle(theorem, { ...searched, outcome: this.#notProved(theorem, outcome) });
        return;
      case 'found':
    }
    const found = { ...searched, outcome };
    if (earlier?.searched.outcome.script === outcome.script) {
      this.#wait(theorem, found, earlier.judged);
      return;
    }
    const openBefore = earlier === undefined ? Infinity : judging.restsOn(theorem).openStatements.length;
    onEvent({ kind: 'found', theorem: searched.theorem, script: outcome.script });
    onEvent({ kind: 'phase', theorem: searched.theorem, phase: 'judge' });
    const judged = await this.#judged(theorem, outcome.replacement);
    if (judged.kind === 'rejected') await outcome.proofs?.forget();
    const timed = { ...found, times: { ...searched.times, judge: judging.workMs(theorem) } };
    if (earlier !== undefined) {
      if (judged.kind === 'accepted' && judging.restsOn(theorem).openStatements.length < openBefore)
        this.#concludeAccepted(theorem, timed, judged);
      else {
        if (judged.kind === 'accepted') await judging.submit(theorem, earlier.searched.outcome.replacement);
        await this.#goBackTo(theorem, earlier, timed);
      }
    } else if (judged.kind === 'accepted') this.#concludeAccepted(theorem, timed, judged);
    else this.settle(theorem, this.#resultOf(theorem, timed, judged));
  }

  async #judged(theorem: TheoremItem, replacement: Replacement): Promise<Judged> {
    const { judging, errors, passed } = this.#work;
    const known = errors.size;
    const judged = await judging.submit(theorem, replacement);
    if (judged.kind !== 'unknown' || judged.reason !== 'does-not-compile') return judged;
    // Which proofs before it Rocq refuses is known when they were run.
    await passed(theorem);
    return errors.size > known ? judging.submit(theorem, replacement) : judged;
  }

  #concludeAccepted(theorem: TheoremItem, searched: Found, judged: Waiting['judged']): void {
    if (this.#work.judging.restsOn(theorem).openStatements.length > 0) this.#wait(theorem, searched, judged);
    else this.settle(theorem, this.#resultOf(theorem, searched, judged));
  }

  #wait(theorem: TheoremItem, searched: Found, judged: Waiting['judged']): void {
    this.#waiting.set(theorem, { searched, judged });
    const { judging, othersAreSearched, onEvent } = this.#work;
    const restsOnOpen = judging.restsOn(theorem).openStatements;
    if (othersAreSearched) onEvent({ kind: 'theorem-waits', theorem: searched.theorem, restsOnOpen });
  }

  /** What was found first stands. Later runs are given it, too. */
  async #goBackTo(
    theorem: TheoremItem,
    { searched: { outcome }, judged }: Waiting,
    last: SearchedTheorem<SearchOutcome>,
  ): Promise<void> {
    await outcome.proofs?.keep();
    this.#wait(theorem, { ...last, outcome }, judged);
  }

  #notProved(
    theorem: TheoremItem,
    outcome: Extract<SearchOutcome, { readonly kind: 'not-proved' }>,
  ): TheoremOutcome {
    const restsOnFalse = this.#restedOnFalse.get(theorem);
    if (restsOnFalse === undefined) return outcome;
    return { ...outcome, restsOnFalse, message: noOtherFound(restsOnFalse, outcome.message) };
  }

  #resultOf(theorem: TheoremItem, searched: Found, judged: Judged): TheoremResult {
    return { ...searched, outcome: this.#outcomeOf(theorem, searched, judged) };
  }

  #outcomeOf(
    theorem: TheoremItem,
    { line, outcome: { script, replacement, isOwn, setAside = [] } }: Found,
    judged: Judged,
  ): TheoremOutcome {
    const { judging, errors, falseStatements } = this.#work;
    const own = isOwn === true && { isOwn };
    const found = { script, replacement, ...own, ...(setAside.length > 0 && { setAside }) };
    if (judged.kind === 'accepted') {
      const { without, warnings } = judged;
      const refused = without.map(
        ({ span }) => ({ kind: 'refused-proof', ...this.#lines.printedAt(span.start) }) as const,
      );
      const all = [...setAside, ...refused];
      const { openStatements: restsOnOpen, axioms } = judging.restsOn(theorem);
      const restsOnFalse = falseStatements.among(restsOnOpen);
      // Nobody could take it back in time.
      if (restsOnFalse.length > 0) return onlyFromFalse(restsOnFalse, true);
      const proof = { ...found, warnings, axioms, ...(all.length > 0 && { setAside: all }) };
      return restsOnOpen.length === 0
        ? { kind: 'proved', ...proof }
        : { kind: 'proved-but', ...proof, restsOnOpen };
    }
    // What the file does not define may mean something else, so nothing behind it can be judged.
    const before = [...errors.values()].find(
      ({ error, setAside, openProof }) =>
        setAside === undefined && openProof === undefined && (error.place.position?.line ?? Infinity) < line,
    )?.error;
    const place = before?.place.position;
    if (before !== undefined && place !== undefined) {
      const isEndless = before.reason === 'timeout';
      // What that error is was told where it was seen.
      const isThatError = judged.kind === 'unknown' && judged.reason === 'does-not-compile';
      const more = isThatError && !isEndless ? '' : ` ${judged.message}`;
      const reason = isEndless ? 'timeout' : 'does-not-compile';
      const message = `A proof was found, but ${errorBeforeText(reason, place)}, so it cannot be judged.${more}`;
      return { kind: 'not-judged', ...found, reason, message, errorBefore: place };
    }
    if (judged.kind === 'unknown')
      return { kind: 'not-judged', ...found, reason: judged.reason, message: judged.message };
    return { kind: 'not-proved', reason: 'not-verified', message: judged.message, refusedScript: script };
  }
}

function whatWasFound(restsOnFalse: readonly string[]): string {
  return `The proof that was found ${restsOnFalseText(restsOnFalse)}.`;
}

const NO_PROOF_FOUND = 'No proof was found';

/** One story of a proof that does not count and of the search behind it. @param message How that search ended. */
function noOtherFound(restsOnFalse: readonly string[], message: string): string {
  const verb = restsOnFalse.length === 1 ? 'is' : 'are';
  const only = `The only proof that was found rests on ${restsOnFalse.join(', ')}, which ${verb} false`;
  return message.startsWith(NO_PROOF_FOUND)
    ? `${only}; no other was found${message.slice(NO_PROOF_FOUND.length)}`
    : `${only}. ${message}`;
}

function onlyFromFalse(restsOnFalse: readonly string[], interrupted: boolean): TheoremOutcome {
  return {
    kind: 'not-proved',
    reason: interrupted ? 'interrupted' : 'search-exhausted',
    message: whatWasFound(restsOnFalse),
    restsOnFalse,
  };
}
