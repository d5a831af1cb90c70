/**
 * Runs a whole file and goes on after each error, so that all of them are found and not only the first.
 * Recovery, from the smallest loss to the largest: outside a proof the failing sentence is left out, together with its
 * proof when it should have opened one; inside a proof the goal in focus is given up and the proof goes on at the next
 * bullet or closing brace that belongs to an enclosing focus, else the proof is admitted. What a recovery gave up never
 * counts as checked, and an error that only repeats that something is missing names the earlier failure that left it out.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { Span } from '../../../core/position.ts';
import type { Prover, ProverSession, StateId, StepResult } from '../../../core/prover.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import {
  declaredNames,
  FailureCauses,
  refusedSentence,
  type FailureToExplain,
} from '../../../provers/rocq/failure-causes.ts';
import { missingLibrary, missingLibraryRemedy } from '../../../provers/rocq/known-libraries.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { mayBeFinished } from '../../../provers/rocq/syntax/holes.ts';
import { withDotHint } from '../../../provers/rocq/syntax/missing-dot.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import type { FileOutline, TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { type Sentence, asSentence, unterminatedText } from '../../../provers/rocq/syntax/sentences.ts';
import { ImportHints, type RefusedText } from '../../../sessions/rocq/imports/import-hint.ts';
import { Asked } from './asked.ts';
import { checksOff, endOfFile, endWhereNothingIsOpen, refusedByCompiler } from './end-of-file.ts';
import { conjecturedIn, hiddenHoles, holesOf, supersededTold } from './holes-of-file.ts';
import { meantModule } from './meant-module.ts';
import { namesLeftOut } from './names-left-out.ts';
import {
  type HidingModule,
  hidingModules,
  insideModule,
  type InsideModule,
  moduleSentence,
} from './without-proofs.ts';
import {
  NO_JUDGEMENT,
  type CheckError,
  type CheckReport,
  type FoundHole,
  type TimedSpan,
} from '../../files/check-report.ts';

export interface CheckRequest {
  /** Absolute path; load paths follow from its project. */
  readonly file: string;
  readonly text: string;
  readonly prover: Prover;
  /** Milliseconds for each sentence. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told now and then how many sentences are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

const RECOVERY_TIMEOUT_MS = 10_000;

/** What Rocq says. Why it refuses a `Require` of the project's own file says `explainedReport`. */
export async function checkFile(request: CheckRequest): Promise<CheckReport> {
  const session = await request.prover.openSession({ file: request.file, signal: request.signal });
  try {
    return await new FileCheck(request, session).run();
  } finally {
    await session.close();
  }
}

class FileCheck {
  readonly #request: CheckRequest;
  readonly #session: ProverSession;
  readonly #outline: FileOutline;
  readonly #sentences: readonly Sentence[];
  readonly #errors: CheckError[] = [];
  readonly #warnings: { readonly span: Span; readonly message: string }[] = [];
  readonly #times: TimedSpan[] = [];
  #assumed: readonly string[] = [];
  readonly #hiding: ReadonlyMap<number, HidingModule>;
  readonly #inside: InsideModule[] = [];
  #toldOfChecks = false;
  /** Of the first errors, in their order. */
  readonly #failed: FailureToExplain[] = [];
  /** Of these, what was refused and where; undefined where no import can help. */
  readonly #refused: (Pick<RefusedText, 'at' | 'sentence' | 'error'> | undefined)[] = [];
  readonly #imports = new ImportHints();
  /** Proofs that show as holes and that Rocq took as finished. */
  readonly #finished = new Set<TheoremItem>();
  /** The bullets and braces that are open in the text, outermost first. */
  #focuses: string[] = [];
  #state: StateId;
  #skipped = 0;
  /** A goal of the open proof was given up, so that its closing word can only admit it. */
  #gaveUp = false;

  constructor(request: CheckRequest, session: ProverSession) {
    this.#request = request;
    this.#session = session;
    this.#outline = outlineOf(request.text);
    this.#sentences = this.#outline.sentences;
    this.#hiding = hidingModules(this.#outline);
    this.#state = session.root;
  }

  async run(): Promise<CheckReport> {
    const nothingOpen = await endWhereNothingIsOpen(this.#session, this.#request.signal);
    let index = 0;
    let partial = false;
    while (index < this.#sentences.length) {
      const sentence = this.#sentences[index];
      if (sentence === undefined) break;
      if (this.#gaveUp && this.#closesProof(index) && (await this.#admit())) {
        index += 1;
        continue;
      }
      this.#request.onProgress?.(index, this.#sentences.length);
      await this.#lookInside(index);
      const result = await this.#session.run(this.#state, sentence, {
        timeoutMs: this.#request.timeoutMs,
        signal: this.#request.signal,
        expected: true,
      });
      if (this.#request.signal.aborted) {
        partial = true;
        break;
      }
      this.#times.push({ span: sentence.span, elapsedMs: result.elapsedMs });
      if (result.status === 'done') {
        this.#state = result.state;
        this.#noteFinished(index);
        this.#noteFocus(sentence, index);
        this.#noteWarnings(sentence, result.messages);
        await this.#noteChecks(sentence);
        index += 1;
      } else {
        this.#noteError(sentence, index, result);
        if (result.status === 'unknown' && !isRecoverable(result.reason)) {
          partial = true;
          break;
        }
        const next = await this.#recover(index);
        this.#skipped += next - index - 1;
        index = next;
      }
    }
    await this.#noteCauses();
    this.#noteUnterminated();
    if (!partial) this.#noteOpenScopes();
    for (const refused of refusedByCompiler(this.#sentences)) this.#errors.push(refused);
    const holes =
      !partial && this.#errors.length === 0
        ? await this.#askAtTheEnd(nothingOpen)
        : holesOf(this.#outline, { isFinished: this.#isFinished });
    return {
      errors: this.#errors,
      holes,
      warnings: [...this.#warnings, ...supersededTold(this.#outline)],
      assumed: this.#assumed,
      times: this.#times,
      skipped: this.#skipped,
      // What was asked at the end, too, belongs to the check.
      partial: partial || this.#request.signal.aborted,
    };
  }

  /** Where a module ends that hides what stands in it, the prover says what that is while it is seen. */
  async #lookInside(index: number): Promise<void> {
    const hiding = this.#hiding.get(index);
    if (hiding === undefined || this.#errors.length > 0) return;
    const asked = new Asked(this.#session, this.#request.signal);
    this.#inside.push(await insideModule(asked, this.#state, hiding, this.#inside));
  }

  /** Rocq takes no proof as finished in which something is given up, whatever its text shows. */
  #noteFinished(index: number): void {
    if (!this.#closesProof(index)) return;
    const proof = this.#outline.statements.find(({ closing }) => closing === index);
    if (proof !== undefined && mayBeFinished(proof)) this.#finished.add(proof);
  }

  readonly #isFinished = (statement: TheoremItem): boolean => this.#finished.has(statement);

  #noteFocus(sentence: Sentence, index: number): void {
    if (sentence.role === 'open-brace') this.#focuses.push('{');
    else if (sentence.role === 'close-brace') {
      this.#focuses.length = Math.max(0, this.#focuses.lastIndexOf('{'));
    } else if (sentence.role === 'bullet') {
      const open = this.#focuses.lastIndexOf(sentence.text);
      if (open > this.#focuses.lastIndexOf('{')) this.#focuses.length = open + 1;
      else this.#focuses.push(sentence.text);
    } else if (this.#closesProof(index)) this.#focuses = [];
  }

  #noteWarnings(sentence: Sentence, messages: readonly Diagnostic[]): void {
    for (const { severity, message, span } of messages) {
      if (severity === 'warning') this.#warnings.push({ span: within(sentence, span), message });
    }
  }

  /** Where a sentence speaks of the kernel's checks, the prover says which are off. */
  async #noteChecks({ text, span }: Sentence): Promise<void> {
    const words = /\bChecking\b|\bbypass_check\b/u.exec(withoutComments(text))?.[0];
    if (words === undefined) return;
    if (words === 'Checking')
      this.#noteChecksOff(await checksOff(this.#session, this.#state, this.#request.signal), span);
    else this.#tellOfChecks('This was accepted with a check of the kernel off', span);
  }

  #noteChecksOff(checks: readonly string[], span: Span): void {
    if (checks.length === 0) return;
    this.#tellOfChecks(`From here on the kernel does not check this: ${checks.join(', ')}`, span);
  }

  #tellOfChecks(what: string, span: Span): void {
    this.#toldOfChecks = true;
    this.#warnings.push({ span, message: `${what}. ${NO_JUDGEMENT}.` });
  }

  #noteError(sentence: Sentence, index: number, result: StepResult & { status: 'failed' | 'unknown' }): void {
    const message = result.status === 'failed' ? result.error.message.trim() : result.message;
    const told =
      result.status === 'failed' ? withDotHint(message, this.#request.text, sentence.span) : message;
    const library = missingLibrary(message);
    const isRequire = this.#outline.heads[index]?.kind === 'require';
    this.#errors.push({
      span: within(sentence, result.status === 'failed' ? result.error.span : undefined),
      message: told,
      ...(result.status === 'unknown' && { reason: result.reason }),
      ...(isRequire && result.status === 'failed' && { reason: 'library-missing' }),
      ...(library !== undefined && {
        remedy: missingLibraryRemedy(library, this.#session.identity.backend),
      }),
    });
    this.#failed.push(refusedSentence(this.#outline, index, { message, told }));
    // Where a dot is missing the sentence is none.
    const isRefused = result.status === 'failed' && told === message;
    this.#refused.push(isRefused ? { at: this.#state, sentence, error: result.error } : undefined);
  }

  /** Which errors follow from others is known when all are. */
  async #noteCauses(): Promise<void> {
    const libraries = this.#failed.flatMap(({ library }) => library ?? []);
    const mayBring = await namesLeftOut(this.#request.file, this.#outline, libraries);
    const causes = new FailureCauses();
    for (const [at, failed] of this.#failed.entries()) {
      const cause = causes.causeOf(failed, mayBring);
      const error = this.#errors[at];
      if (error === undefined) continue;
      this.#errors[at] =
        cause === undefined ? await this.#asMeant(error, at) : { ...error, follows: cause.name };
    }
  }

  /** What is not found may be misspelt, or in a library that the file does not import. @param number Among the first errors. */
  async #asMeant(error: CheckError, number: number): Promise<CheckError> {
    const { file, text, signal } = this.#request;
    const { message, span } = error;
    const misspelt = { file, message, before: text.slice(0, span.start) };
    const meant = await meantModule(this.#session, this.#state, misspelt, signal);
    if (meant !== undefined)
      return { ...error, remedy: error.remedy === undefined ? meant : `${meant} ${error.remedy}` };
    const refused = this.#refused[number];
    if (refused === undefined || error.remedy !== undefined || error.reason !== undefined) return error;
    const remedy = await this.#imports.of({ ...refused, session: this.#session, signal });
    return remedy === undefined ? error : { ...error, remedy };
  }

  /** Brings the prover to a state from which a later sentence can be run; answers the index of that sentence. */
  async #recover(index: number): Promise<number> {
    const failed = this.#sentences[index];
    const proof = await this.#session.goals(this.#state);
    const error = this.#errors.at(-1);
    if (proof !== null && error !== undefined) this.#errors.splice(-1, 1, { ...error, goals: proof.goals });
    if (failed === undefined) return index + 1;
    if (proof === null) {
      const last = this.#failed.pop();
      if (last !== undefined) this.#failed.push({ ...last, declares: declaredNames(this.#outline, index) });
      return this.#indexAfterProof(index);
    }
    if (!this.#closesProof(index)) {
      const next = this.#nextFocus(index);
      if (next !== undefined && (await this.#giveUpGoal(proof.goals.length))) return next;
    }
    if (!(await this.#admit())) await this.#try('Abort.');
    return this.#indexAfterProof(index);
  }

  async #giveUpGoal(inFocus: number): Promise<boolean> {
    if (inFocus > 0 && !(await this.#try('all: give_up.'))) return false;
    this.#gaveUp = true;
    return true;
  }

  /** Ends the open proof without having it; the sentences after it go on as if it were proved. */
  async #admit(): Promise<boolean> {
    this.#gaveUp = false;
    this.#focuses = [];
    return this.#try('Admitted.');
  }

  async #try(sentence: string): Promise<boolean> {
    const result = await this.#session.run(this.#state, asSentence(sentence), {
      timeoutMs: RECOVERY_TIMEOUT_MS,
      signal: this.#request.signal,
    });
    if (result.status === 'done') this.#state = result.state;
    return result.status === 'done';
  }

  /** The next bullet or brace that ends the focus in which the sentence stands, inside the same proof. */
  #nextFocus(index: number): number | undefined {
    let braces = 0;
    for (let at = index + 1; at < this.#indexAfterProof(index); at += 1) {
      const sentence = this.#sentences[at];
      if (sentence?.role === 'open-brace') braces += 1;
      else if (sentence?.role === 'close-brace') {
        if (braces === 0) return this.#focuses.includes('{') ? at : undefined;
        braces -= 1;
      } else if (sentence?.role === 'bullet' && braces === 0 && this.#focuses.includes(sentence.text))
        return at;
    }
    return undefined;
  }

  #closesProof(index: number): boolean {
    return this.#outline.heads[index]?.kind === 'close';
  }

  /** The sentence behind the proof in which, or before which, the sentence stands; else the next sentence. */
  #indexAfterProof(index: number): number {
    const statement = this.#outline.statements.findLast(({ sentence }) => sentence <= index);
    if (statement === undefined) return index + 1;
    const end = statement.closing === undefined ? statement.body.end : statement.closing + 1;
    return Math.max(end, index + 1);
  }

  /** A session takes a file that ends in a section; a compiler does not. */
  #noteOpenScopes(): void {
    const failed = new Set(this.#errors.map(({ span }) => span.start));
    for (const { kind, name, opened, closed } of this.#outline.scopes) {
      const span = this.#sentences[opened]?.span;
      if (closed !== undefined || span === undefined || failed.has(span.start)) continue;
      const message = `The ${kind.replace('-', ' ')} ${name} that begins here has no \`End ${name}.\``;
      this.#errors.push({ span, message });
    }
  }

  /**
   * Notes what a compiler would refuse at the end of the file; answers the holes, those with them that the prover has admitted
   * and the text does not show, for instance in a file that is loaded. Only asked where everything else went well: what a recovery left
   * behind would be found, too.
   */
  async #askAtTheEnd(nothingOpen: StepResult): Promise<FoundHole[]> {
    const { signal, text } = this.#request;
    const found = await endOfFile(
      this.#session,
      { end: this.#state, inside: this.#inside, nothingOpen },
      signal,
    );
    const span = this.#sentences.at(-1)?.span ?? { start: 0, end: text.length };
    this.#assumed = [...found.assumed, ...conjecturedIn(this.#outline, found.admitted)];
    if (!this.#toldOfChecks) this.#noteChecksOff(found.checksOff, span);
    for (const message of found.refusals) this.#errors.push({ span, message });
    if (found.unknown !== undefined && !signal.aborted) {
      const message = `What is open at the end of the file is not known: ${found.unknown}`;
      this.#errors.push({ span, message, reason: 'protocol-error' });
    }
    const loads = this.#sentences.filter(({ text: sentence }) => /\bLoad\b/u.test(withoutComments(sentence)));
    const place = loads.length === 1 ? loads[0]?.span : undefined;
    const isFinished = this.#isFinished;
    if (found.unknown !== undefined || found.refusals.length > 0)
      return holesOf(this.#outline, { isFinished });
    const answers = { isFinished, admitted: found.admitted };
    const hidden = hiddenHoles(this.#outline, answers).map((theorem) => ({
      theorem,
      kind: 'admitted',
      span: place ?? moduleSentence(theorem, this.#outline)?.span ?? span,
    }));
    return [...holesOf(this.#outline, answers), ...hidden];
  }

  #noteUnterminated(): void {
    const rest = this.#outline.unterminated;
    if (rest === undefined) return;
    this.#errors.push({ span: rest.span, message: unterminatedText(rest) });
  }
}

/** A step that was too slow costs that step; anything else that could not be judged ends the check. */
function isRecoverable(reason: ReasonCode): boolean {
  return reason === 'timeout' || reason === 'memory-exceeded';
}

function within(sentence: Sentence, span: Span | undefined): Span {
  return span === undefined
    ? sentence.span
    : { start: sentence.span.start + span.start, end: sentence.span.start + span.end };
}
