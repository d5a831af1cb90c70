/**
 * One file of `quod prove`: its search, and the telling of what was found. It is printed, shown as a patch or written
 * into the file, also after Ctrl+C, and also when the file changed meanwhile and is therefore not written.
 */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aborted } from '../../../core/concurrency/aborted.ts';
import { counted } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { LineIndex } from '../../../core/position.ts';
import { foreignName, foreignText } from '../../../core/foreign-text.ts';
import type { Prover } from '../../../core/prover.ts';
import { sha256 } from '../../../core/sha256.ts';
import { errorOfFile } from '../../../operations/files/error-of-file.ts';
import { errorBehind, fileJudge, type FileJudge } from '../../../operations/proof/judge-found-proof.ts';
import { admittedObligations, supersededTold } from '../../../operations/rocq/check/holes-of-file.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { lookAtGoal } from '../../../refute/false-goal.ts';
import { refuterOf } from '../../../operations/proof/refuter.ts';
import { replaceFile } from '../../../operations/files/replace-file.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import { encode } from '../../../operations/files/source-file.ts';
import { cacheDirectory } from '../../../process/cache-directory.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import { proveFile } from '../../../search/prove-file.ts';
import type { AcceptedTogether, ProveEvent, TheoremResult } from '../../../search/prove-file.ts';
import { DEFAULT_BUDGET_MS } from '../../../search/prove-request.ts';
import { replaced } from '../../../core/replacement.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { ProofStyle } from '../../../search/script/style/file-style.ts';
import { canRedraw } from '../terminal/can-redraw.ts';
import { defaultJobs } from '../../../operations/project/default-jobs.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitCodeOf, worstExitCode } from '../exit/exit-codes.ts';
import { errorLine, errorObjectLine, printError } from '../terminal/print-error.ts';
import {
  finishedAlreadyLine,
  adviceText,
  patchText,
  proofsText,
  replacementsOf,
  resultLine,
  summaryText,
  type OutlinedFile,
} from './prove-output.ts';
import { openProgress, type ProveProgress } from './prove-progress.ts';
import { inWritten, isToldAt, toldBefore } from './error-behind.ts';
import type { LeftOpen } from './prove-unseen.ts';

/** What is being judged when the search is stopped gets so long. */
const GRACE_MS = 4000;

export interface ProveOptions {
  readonly theorem?: readonly string[];
  readonly allHoles?: boolean;
  readonly budget?: number;
  readonly nodes?: number;
  readonly jobs?: number;
  readonly seed: number;
  readonly style: ProofStyle;
  readonly without?: readonly string[];
  readonly backend: BackendChoice;
  readonly build?: boolean;
  readonly watch?: boolean;
  readonly write?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
  readonly allowOpen?: boolean;
  /** Name the file before its proofs: there are several. */
  readonly heading?: boolean;
}

export interface ProvedFile {
  readonly exitCode: ExitCode;
  readonly results: readonly TheoremResult[];
  /** Theorems that were asked for and have no result. */
  readonly notBegun: readonly string[];
  /** The digest of its text, where it was written. */
  readonly written?: string;
}

/** The search of one file, and the telling of what it found. */
export class FileSearch {
  readonly #source: SourceFile;
  readonly #outline: FileOutline;
  readonly #options: ProveOptions;
  readonly #signal: AbortSignal;
  readonly #stale: readonly string[];
  #exitCodes: ExitCode[] = [];
  /** What Rocq said against the file where it ran it. */
  #fileErrors: QuodError[] = [];
  #finished: TheoremResult[] = [];
  /** The theorems that the search has to do with; undefined before that is known. */
  #asked: readonly string[] | undefined;
  #together: AcceptedTogether | undefined;
  /** Sentences of the file that do not end are told: nobody need look whether the rest compiles. */
  #endless: QuodError[] = [];
  #isPrinted = false;

  constructor(
    { source, outline }: OutlinedFile,
    options: ProveOptions,
    signal: AbortSignal,
    stale: readonly string[],
  ) {
    this.#stale = stale;
    this.#source = source;
    this.#outline = outline;
    this.#options = options;
    this.#signal = signal;
  }

  /**
   * Answers what ended the search before its end; undefined when nothing did. What a search before this one found
   * counts no more: this one judges the file anew, with its own prover.
   */
  async search(prover: Prover): Promise<unknown> {
    this.#exitCodes = [];
    this.#fileErrors = [];
    this.#finished = [];
    this.#asked = undefined;
    this.#together = undefined;
    this.#endless = [];
    const { name, text } = this.#source;
    const options = this.#options;
    const file = resolve(name);
    const isWritten = options.write === true || options.diff === true;
    // Ctrl+C stops the search at once, and the judge a moment later: what was found and waits for it would be lost.
    const over = new AbortController();
    const stopped = aborted(this.#signal).then(() => sleep(GRACE_MS, undefined, { signal: over.signal }));
    stopped.then(() => over.abort()).catch(() => undefined);
    const { judge, beginJudging, refusal, rest } = fileJudge({ path: file, isWritten }, prover, over.signal);
    const progress = await openProgress(
      process.stderr,
      name,
      // JSON lines on the same terminal would be mixed with lines that are redrawn.
      canRedraw(process.stderr) && !(options.json === true && process.stdout.isTTY),
    );
    try {
      await proveFile(
        {
          file,
          text,
          theorems: options.theorem ?? 'all-holes',
          ...(options.nodes === undefined
            ? { budgetMs: () => options.budget ?? DEFAULT_BUDGET_MS }
            : { nodes: options.nodes }),
          jobs: options.jobs ?? defaultJobs(),
          seed: options.seed,
          style: options.style,
          prover,
          cacheDirectory: cacheDirectory(),
          ...(options.without !== undefined && { without: options.without }),
          judge,
          judgesAll: isWritten,
          beginJudging,
          refusal,
          refuter: refuterOf(file, prover, over.signal),
          goalRefuter: (asked) => lookAtGoal(asked, asked),
          signal: this.#signal,
        },
        (event) => this.#tell(event, progress, prover),
      );
      const told = options.write === true ? replaced(text, replacementsOf(this.#finished)) : text;
      const looked = this.#endless.length > 0 ? Promise.resolve(undefined) : rest(told);
      // What is found is shown at once; the rest of a long file takes its time.
      if (this.#printsProofs) {
        progress.stop();
        this.#print();
        await this.#lookBehind(looked, (error) => console.error(errorLine(error)));
      } else await this.#lookBehind(looked, (error) => progress.onEvent({ kind: 'file-error', error }));
      return undefined;
    } catch (error) {
      // Whatever ended the search, what it found until then is told.
      return this.#signal.aborted ? undefined : error;
    } finally {
      progress.stop();
      // Nothing that nobody waits for any more keeps the process.
      over.abort();
    }
  }

  /** Tells where the file stops compiling behind the proofs. Ctrl+C ends the wait. */
  async #lookBehind(looked: ReturnType<FileJudge['rest']>, tell: (error: QuodError) => void): Promise<void> {
    const stopped = once(this.#signal, 'abort').then(() => undefined);
    const rest = this.#signal.aborted ? undefined : await Promise.race([looked, stopped]);
    const seen = errorBehind(rest, this.#source.name);
    if (seen === undefined) return;
    const written = this.#options.write === true ? replacementsOf(this.#finished) : [];
    const error = inWritten(seen, written);
    const isTold = isToldAt(seen, this.#fileErrors, { text: this.#source.text, written });
    tell(isTold ? inWritten(toldBefore(seen), written) : error);
    if (this.#options.json === true) console.log(errorObjectLine(error));
    // What was asked for holds, in a file that does not: errors before the proofs are another matter.
    if (rest?.kind === 'error') this.#exitCodes.push(1);
  }

  #tell(event: ProveEvent, progress: ProveProgress, prover: Prover): void {
    if (event.kind === 'file-error') {
      // Of a file whose run was stopped nothing is known.
      if (this.#signal.aborted) return;
      const error = errorOfFile(event.error, this.#source.name);
      if (event.isEndless === true) this.#endless.push(error);
      if (event.isHole !== true) this.#fileErrors.push(error);
      progress.onEvent({ kind: 'file-error', error });
      if (this.#options.json === true) console.log(errorObjectLine(error));
      return;
    }
    progress.onEvent(event);
    if (event.kind === 'to-be-searched') this.#asked = event.theorems;
    if (event.kind === 'accepted-together') this.#together = event.judged;
    if (event.kind === 'finished-already' && this.#options.json === true) {
      const asked = { prover: prover.identity, stale: this.#stale };
      const file = { source: this.#source, outline: this.#outline };
      console.log(finishedAlreadyLine(file, event.item, asked));
    }
    if (event.kind !== 'theorem-finished') return;
    this.#finished.push(event.result);
    if (this.#options.json === true)
      console.log(resultLine(this.#source, prover.identity, event.result, this.#stale));
  }

  /** What was found is written or printed before Rocq is asked about the rest of the file: that may fail or be stopped. */
  async conclude(failure: unknown, elapsedMs: number): Promise<ProvedFile> {
    const source = this.#source;
    const options = this.#options;
    const exitCodes = this.#exitCodes;
    const results = this.#results;
    if (options.theorem === undefined)
      for (const { message } of supersededTold(this.#outline))
        console.error(foreignText(`${foreignName(source.name)}: ${message}`));
    if (failure !== undefined) exitCodes.push(printError(failure, { json: options.json === true }));
    for (const { outcome } of results) {
      if (outcome.kind === 'not-proved') exitCodes.push(exitCodeOf(outcome.reason));
      if (outcome.kind === 'not-judged') exitCodes.push(2);
      if (outcome.kind === 'refuted') exitCodes.push(1);
      if (outcome.kind === 'proved-but' && options.allowOpen !== true) exitCodes.push(1);
    }
    let written: string | undefined;
    if (options.write === true) {
      try {
        written = await writeProofs(source, results, this.#together);
        // What stood in a proof that was replaced is not in the file any more.
        this.#fileErrors = this.#fileErrors.filter((error) => !this.#isReplaced(error));
      } catch (error) {
        exitCodes.push(printError(error, { json: options.json === true }));
        // What was found must not be lost: it is printed instead.
        if (options.json !== true) this.#print();
      }
    } else if (this.#printsProofs) {
      this.#print();
    }
    appendAll(
      exitCodes,
      this.#fileErrors.map(({ reason }) => exitCodeOf(reason)),
    );
    if (options.diff === true) process.stdout.write(await patchText(source, results));
    if (failure === undefined) await this.#tellEnd(elapsedMs);
    if (this.#signal.aborted) exitCodes.push(130);
    return {
      exitCode: worstExitCode(exitCodes),
      results,
      ...(written !== undefined && { written }),
      notBegun: this.#notBegun,
    };
  }

  #isReplaced({ place }: QuodError): boolean {
    if (place.position === undefined) return false;
    const offset = new LineIndex(this.#source.text).offsetOfPrinted(place.position);
    return (
      offset !== undefined &&
      replacementsOf(this.#finished).some(({ span }) => span.start <= offset && offset < span.end)
    );
  }

  /** The last lines for people, with what no search can begin at: Rocq runs the file once more for that. */
  async #tellEnd(elapsedMs: number): Promise<void> {
    const source = this.#source;
    const { theorem, heading } = this.#options;
    const isForAll = theorem === undefined && !this.#signal.aborted;
    // Nothing is open in the text, and nothing is wrong with it so far.
    const isUnseen = isForAll && this.#results.length === 0 && this.#exitCodes.length === 0;
    const isAsked = isUnseen || (isForAll && admittedObligations(this.#outline).length > 0);
    const left = isAsked ? await this.#leftOpen(isUnseen) : undefined;
    const interrupted = this.#signal.aborted;
    const results = this.#results;
    const summary =
      results.length === 0 && this.#asked === undefined && !interrupted
        ? 'Nothing was searched'
        : summaryText(results, elapsedMs, {
            interrupted,
            ...(this.#asked !== undefined && { holes: this.#asked.length, notBegun: this.#notBegun }),
          });
    const told =
      left?.kind === 'whole-file' ? left.told : `${summary}${left === undefined ? '' : `; ${left.told}`}`;
    // Of several files each says which it is.
    console.error(heading === true ? `${foreignName(source.name)}: ${told}` : told);
    const advice = adviceText(results, source.name);
    if (advice !== undefined && !interrupted) console.error(advice);
  }

  /** @param isUnseen Whether Rocq is asked for all of the file, and not only for what the text may leave open. */
  async #leftOpen(isUnseen: boolean): Promise<LeftOpen | undefined> {
    const { backend, json = false } = this.#options;
    try {
      const { leftOpen } = await import('./prove-unseen.ts');
      const left = await leftOpen(this.#source, { backend, json, isUnseen }, this.#signal);
      if (left !== undefined) this.#exitCodes.push(left.exitCode);
      return left;
    } catch (error) {
      if (!this.#signal.aborted) this.#exitCodes.push(printError(error, { json }));
      return undefined;
    }
  }

  /** In the order of the file. */
  get #results(): readonly TheoremResult[] {
    return this.#finished.toSorted((left, right) => left.line - right.line);
  }

  get #notBegun(): readonly string[] {
    const left = [...(this.#asked ?? [])];
    for (const { theorem } of this.#finished) {
      const at = left.indexOf(theorem);
      if (at >= 0) left.splice(at, 1);
    }
    return left;
  }

  get #printsProofs(): boolean {
    const { json, write, diff } = this.#options;
    return json !== true && write !== true && diff !== true;
  }

  /** Prints the proofs, once. */
  #print(): void {
    const text = this.#isPrinted ? '' : proofsText(this.#results, this.#source.text);
    this.#isPrinted = true;
    if (text === '') return;
    process.stdout.write(
      this.#options.heading === true ? `(* ${foreignName(this.#source.name)} *)\n\n${text}\n` : text,
    );
  }
}

/**
 * Writes what was accepted, when it is what was accepted, and answers the digest of the text. @throws QuodError `not-verified`, and what `replaceFile`
 * throws.
 */
async function writeProofs(
  source: SourceFile,
  results: readonly TheoremResult[],
  together: AcceptedTogether | undefined,
): Promise<string | undefined> {
  const replacements = replacementsOf(results);
  if (replacements.length === 0) return undefined;
  const text = replaced(source.text, replacements);
  if (sha256(text) !== together?.fileSha256) {
    throw new QuodError('not-verified', 'The file with the proofs is not the text that was judged.', {
      place: { file: source.name },
      remedy: 'Nothing was written. Write the proofs one at a time, with --theorem.',
    });
  }
  await replaceFile(source, encode(source, text));
  console.error(`${foreignName(source.name)}: ${counted(replacements.length, 'proof')} written`);
  return sha256(text);
}
