/**
 * Takes a session through a file, sentence by sentence, stopping at the statements whose proofs are wanted, and records
 * what the finished proofs on the way do. Goes on after an error: what cannot be proved is admitted, what cannot be
 * stated is left out, and each error is reported once.
 */
import type { Diagnostic } from '../../core/diagnostic.ts';
import { entryAt, orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type Span } from '../../core/position.ts';
import type { Goal } from '../../core/proof-state.ts';
import type { ProverSession, StateId, StepResult } from '../../core/prover.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { declaredNames, FailureCauses, unknownName } from '../../provers/rocq/failure-causes.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { atomise } from '../../provers/rocq/syntax/atomise.ts';
import { endOfProof } from '../../provers/rocq/syntax/theorem-text.ts';
import type { EarlierFailure, RefusedStatement } from './earlier-failure.ts';
import type { ImportHints } from './imports/import-hint.ts';
import type { TracedSentence } from './traced-proof.ts';
import type { Replacement } from '../../core/replacement.ts';
import { withDotHint } from '../../provers/rocq/syntax/missing-dot.ts';
import { asSentence, type Sentence } from '../../provers/rocq/syntax/sentences.ts';

export interface FileRunEvents {
  /** What a proof on the way showed; told once for each theorem, and only of a run that records. */
  readonly onTrace: (trace: readonly TracedSentence[], theorem: TheoremItem) => void;
  /** Reason `library-missing` for a `Require`: everything behind it may be wrong for that alone. */
  readonly onError: (error: QuodError, about: ErrorOfRun) => void;
}

/** What else is known of an error of the file. */
export interface ErrorOfRun {
  /** What the refused proof was taken for, so that the run could go on behind it. */
  readonly setAside?: Replacement;
  /** It is there for this earlier one alone. */
  readonly follows?: EarlierFailure;
  /** The proof that the file leaves open does not end, and nothing else is wrong. */
  readonly openProof?: TheoremItem;
  /** The sentence did not come to its end in the time that a sentence gets: where it begins. */
  readonly endless?: number;
}

/** A sentence that the prover refuses. */
export interface RefusedSentence {
  readonly sentence: number;
  readonly error: Diagnostic;
  /** Why the prover did not say whether it takes it; undefined where it refuses it. */
  readonly unknown?: ReasonCode;
  /** The state before it. */
  readonly at: StateId;
}

/**
 * Runs the proof of a statement that was just run, up to and including sentence `end - 1`. Answers the state behind it,
 * or what was refused; undefined: the file's own way of doing it may do it.
 */
export type ProofRunner = (
  theorem: TheoremItem,
  opened: StateId,
  end: number,
) => Promise<StateId | RefusedSentence | undefined>;

/** The file that is run. */
export interface SourceOfRun {
  readonly outline: FileOutline;
  /** What errors name it by. */
  readonly file: string;
  /** Where errors are told with what import helps against them. */
  readonly imports?: ImportHints;
}

export interface FileRunOptions {
  /** Runs the proofs on the way instead of this file's own way of doing it. */
  readonly proofs?: ProofRunner;
  /** Asked before a proof of this file's own way is run: it may make the run wait, or leave the proof out. */
  readonly beforeProof?: (theorem: TheoremItem) => Promise<'run' | 'leave-out'>;
  /** Where the file begins; default: the root of the session. */
  readonly start?: StateId;
  /** Whether to watch the proofs on the way and tell what they showed; or only the open ones that it is asked about. */
  readonly record: boolean | 'open-proofs';
  /** The part of the time that may go into taking compound tactics apart; without it they all are. */
  readonly cutsShare?: number;
  readonly signal: AbortSignal;
}

const SENTENCE_TIMEOUT_MS = 120_000;
const CUT_TIMEOUT_MS = 1000;
const MAXIMUM_CUTS = 5;

export class FileRun {
  readonly #session: ProverSession;
  readonly #outline: FileOutline;
  readonly #file: string;
  readonly #imports: ImportHints | undefined;
  readonly #events: FileRunEvents;
  readonly #signal: AbortSignal;
  readonly #record: boolean | 'open-proofs';
  readonly #proofs: ProofRunner | undefined;
  readonly #beforeProof: FileRunOptions['beforeProof'];
  readonly #cutsShare: number;
  readonly #lines: LineIndex;
  readonly #statementAt: ReadonlyMap<number, TheoremItem>;
  readonly #recorded = new Set<TheoremItem>();
  #state: StateId;
  #next = 0;
  readonly #causes = new FailureCauses();
  /** By the names that are not declared for them. */
  readonly #failures = new Map<string, QuodError>();
  readonly #refused = new Map<number, RefusedStatement>();
  /** The last proof that the file does not close: the run may still be in it. */
  #unclosed: TheoremItem | undefined;
  readonly #started = performance.now();
  #cutsMs = 0;

  constructor(
    session: ProverSession,
    { outline, file, imports }: SourceOfRun,
    events: FileRunEvents,
    options: FileRunOptions,
  ) {
    this.#session = session;
    this.#outline = outline;
    this.#file = file;
    this.#imports = imports;
    this.#events = events;
    this.#signal = options.signal;
    this.#record = options.record;
    this.#cutsShare = options.cutsShare ?? Infinity;
    this.#beforeProof = options.beforeProof;
    this.#lines = new LineIndex(outline.text);
    this.#proofs = options.proofs;
    this.#state = options.start ?? session.root;
    this.#statementAt = new Map(
      outline.statements.map((statement) => [statement.sentence, statement] as const),
    );
  }

  /**
   * Runs the file up to and including the statement and its `Proof` sentence.
   * The state there, or undefined when the statement itself is refused (the error was reported).
   */
  async advanceTo(theorem: TheoremItem): Promise<StateId | undefined> {
    while (this.#next < theorem.sentence) await this.#advance(theorem.sentence);
    const opened = await this.#runSentence(theorem.sentence);
    if (opened === undefined) {
      this.#next = endOfProof(theorem);
      return undefined;
    }
    let state = opened;
    if (theorem.proofSentence !== undefined) {
      const text = this.#outline.sentences[theorem.proofSentence]?.text ?? 'Proof.';
      const result = await this.#session.run(state, asSentence(text), { signal: this.#signal });
      if (result.status === 'done') state = result.state;
    }
    return state;
  }

  /** Why `advanceTo` answered nothing. */
  refusalOf({ sentence }: TheoremItem): RefusedStatement | undefined {
    return this.#refused.get(sentence);
  }

  /**
   * Tells what an author wrote of the open proof at `opened`, once; running past it later does not again.
   * @param mayGoOn Asked before each sentence: a long proof takes longer to watch than to run.
   */
  async recordOpenProof(theorem: TheoremItem, opened: StateId, mayGoOn: () => boolean): Promise<void> {
    const { first, end } = theorem.body;
    if (this.#record !== false && first < end && !this.#recorded.has(theorem))
      await this.#runSentences(theorem, opened, { first, end, record: true, mayGoOn });
  }

  /** Runs what is left of the file. */
  async finish(): Promise<void> {
    const { length } = this.#outline.sentences;
    while (this.#next < length && !this.#signal.aborted) await this.#advance(length);
  }

  async #advance(limit: number): Promise<void> {
    const index = this.#next;
    const theorem = this.#statementAt.get(index);
    if (theorem !== undefined && endOfProof(theorem) <= limit) {
      await this.#runTheorem(theorem);
      this.#next = Math.max(endOfProof(theorem), index + 1);
      return;
    }
    const state = await this.#runSentence(index);
    if (state !== undefined) this.#state = state;
    this.#next = index + 1;
  }

  async #runTheorem(theorem: TheoremItem): Promise<void> {
    const opened = await this.#runSentence(theorem.sentence);
    if (opened === undefined) return;
    const end = endOfProof(theorem);
    const outcome =
      (await this.#proofs?.(theorem, opened, end)) ?? (await this.#runProof(theorem, opened, end));
    if (typeof outcome === 'string') {
      this.#state = outcome;
      if (theorem.closing === undefined) this.#unclosed = theorem;
      return;
    }
    const refused = this.#outline.sentences[outcome.sentence];
    if (refused !== undefined) {
      const last = theorem.closing === undefined ? undefined : this.#outline.sentences[theorem.closing];
      const rest = last && { start: refused.span.start, end: last.span.end };
      const setAside = rest && { span: rest, text: 'Admitted.' };
      const reason = outcome.unknown ?? 'does-not-compile';
      const failed = { span: refused.span, diagnostic: outcome.error, reason, at: outcome.at };
      await this.#report(failed, [], { ...(setAside !== undefined && { setAside }) });
    }
    const admitted = await this.#session.run(outcome.at, asSentence('Admitted.'), { signal: this.#signal });
    if (admitted.status === 'done') this.#state = admitted.state;
  }

  async #runProof(theorem: TheoremItem, opened: StateId, end: number): Promise<StateId | RefusedSentence> {
    if ((await this.#beforeProof?.(theorem)) === 'leave-out') {
      const admitted = await this.#admit(theorem, opened);
      if (admitted !== undefined) return admitted;
    }
    const record = this.#record === true;
    return this.#runSentences(theorem, opened, { first: theorem.sentence + 1, end, record });
  }

  /** The state behind the theorem with its proof left out; undefined where the prover does not take that. */
  async #admit(theorem: TheoremItem, opened: StateId): Promise<StateId | undefined> {
    const proof =
      theorem.proofSentence === undefined ? undefined : this.#outline.sentences[theorem.proofSentence];
    let state = opened;
    for (const sentence of [...(proof === undefined ? [] : [proof]), asSentence('Admitted.')]) {
      const result = await this.#session.run(state, sentence, { signal: this.#signal, expected: true });
      if (result.status !== 'done') return undefined;
      state = result.state;
    }
    return state;
  }

  async #runSentences(
    theorem: TheoremItem,
    opened: StateId,
    {
      first,
      end,
      record,
      mayGoOn = () => true,
    }: {
      readonly first: number;
      readonly end: number;
      readonly record: boolean;
      readonly mayGoOn?: () => boolean;
    },
  ): Promise<StateId | RefusedSentence> {
    const trace: TracedSentence[] = [];
    let state = opened;
    let proof = record ? ((await this.#session.goals(opened)) ?? undefined) : undefined;
    for (let index = first; index < end; index += 1) {
      const sentence = this.#outline.sentences[index];
      if (sentence === undefined || !mayGoOn()) break;
      const isTactic = record && index >= theorem.body.first && index < theorem.body.end;
      const tactic = sentence.text.replace(/\.$/u, '');
      const inner = isTactic && sentence.role === 'command' ? await this.#innerSteps(state, tactic) : [];
      const result = await this.#session.run(state, sentence, {
        timeoutMs: SENTENCE_TIMEOUT_MS,
        signal: this.#signal,
        withGoals: isTactic,
        // A file mostly works: trying each tactic out first would run all of them twice.
        expected: true,
      });
      if (result.status !== 'done')
        return {
          ...{ sentence: index, error: this.#saidOf(sentence, result), at: state },
          ...(result.status === 'unknown' && { unknown: result.reason }),
        };
      if (isTactic && sentence.role === 'command' && proof !== undefined)
        trace.push({ before: proof, tactic, after: result.proof ?? null, inner });
      if (result.proof !== undefined) proof = result.proof ?? undefined;
      state = result.state;
    }
    if (record && !this.#recorded.has(theorem)) {
      this.#recorded.add(theorem);
      this.#events.onTrace(trace, theorem);
    }
    return state;
  }

  /** Runs the beginnings of a compound tactic to see what each of its parts meets. */
  async #innerSteps(state: StateId, tactic: string): Promise<{ goal: Goal; tactic: string }[]> {
    const { cuts } = atomise(tactic);
    const steps: { goal: Goal; tactic: string }[] = [];
    const started = performance.now();
    if (cuts.length === 0 || this.#cutsMs > this.#cutsShare * (started - this.#started)) return steps;
    for (const { prefix, steps: wanted } of cuts.slice(0, MAXIMUM_CUTS)) {
      const result = await this.#session.run(state, asSentence(`${prefix}.`), {
        timeoutMs: CUT_TIMEOUT_MS,
        signal: this.#signal,
        withGoals: true,
      });
      // A part that needs the rest of its sentence (SSReflect's `by`) cannot be run alone.
      if (result.status !== 'done' || !result.proof) break;
      for (const [index, text] of wanted.entries()) {
        const goal = result.proof.goals[index];
        if (goal !== undefined && text !== '') steps.push({ goal, tactic: text });
      }
    }
    this.#cutsMs += performance.now() - started;
    return steps;
  }

  async #runSentence(index: number): Promise<StateId | undefined> {
    const sentence = this.#outline.sentences[index];
    if (sentence === undefined) return undefined;
    const run = (): Promise<StepResult> =>
      this.#session.run(this.#state, sentence, {
        timeoutMs: SENTENCE_TIMEOUT_MS,
        signal: this.#signal,
        expected: true,
      });
    let result = await run();
    if (result.status === 'failed' && (await this.#closed(sentence.span))) result = await run();
    if (result.status === 'done') return result.state;
    if (result.status === 'unknown' && result.reason === 'interrupted')
      throw new QuodError('interrupted', 'Interrupted.');
    const refused = this.#outline.heads[index]?.kind === 'require' ? 'library-missing' : 'does-not-compile';
    const reason = result.status === 'unknown' ? result.reason : refused;
    const diagnostic = this.#saidOf(sentence, result);
    const failed = { span: sentence.span, diagnostic, reason, at: this.#state };
    this.#refused.set(index, await this.#report(failed, declaredNames(this.#outline, index)));
    return undefined;
  }

  /**
   * Ends a proof that the file never closes as one that is left open: what is refused behind it is mostly refused for that alone.
   * @param next Of the sentence that is refused.
   */
  async #closed(next: Span): Promise<boolean> {
    const theorem = this.#unclosed;
    if (theorem === undefined) return false;
    this.#unclosed = undefined;
    const admitted = await this.#session.run(this.#state, asSentence('Admitted.'), { signal: this.#signal });
    if (admitted.status !== 'done') return false;
    this.#state = admitted.state;
    const { span } = entryAt(this.#outline.sentences, theorem.sentence, 'sentence');
    const { line, column } = this.#lines.printedAt(next.start);
    const name = theorem.name === undefined ? 'The proof' : `The proof of ${theorem.name}`;
    const message = `${name} is not closed (\`Qed.\`) where the next sentence stands, at ${line}:${column}; it is taken as admitted.`;
    const failed = { span, diagnostic: { severity: 'error', message }, reason: 'does-not-compile' } as const;
    await this.#report(failed, [], { openProof: theorem });
    return true;
  }

  #saidOf({ span }: Sentence, result: Exclude<StepResult, { status: 'done' }>): Diagnostic {
    if (result.status === 'unknown') return { severity: 'error', message: result.message };
    const { error } = result;
    return { ...error, message: withDotHint(error.message.trim(), this.#outline.text, span) };
  }

  /** @param declares What is not declared for it. */
  async #report(
    failure: Failure,
    declares: readonly string[],
    about: ErrorOfRun = {},
  ): Promise<RefusedStatement> {
    const { span, diagnostic, reason } = failure;
    const position = this.#lines.printedAt(span.start + orZero(diagnostic.span?.start));
    const message = diagnostic.message.trim();
    // Where a dot is missing the sentence is none, whatever else fails in it.
    const isNone = withDotHint('', this.#outline.text, span) !== '';
    const missing = reason === 'library-missing' || isNone ? undefined : unknownName(message);
    const name = this.#causes.causeOf({ missing, declares })?.name;
    const earlier = name === undefined ? undefined : this.#failures.get(name);
    const remedy = isNone || earlier !== undefined ? undefined : await this.#importFor(failure);
    const place = { file: this.#file, position };
    const error = new QuodError(reason, message, { place, ...(remedy !== undefined && { remedy }) });
    for (const one of declares) this.#failures.set(one, error);
    const follows = name === undefined || earlier === undefined ? {} : { follows: { name, error: earlier } };
    const endless = reason === 'timeout' && { endless: span.start };
    this.#events.onError(error, { ...about, ...follows, ...endless });
    return { error, ...follows };
  }

  async #importFor({ span, diagnostic, reason, at }: Failure): Promise<string | undefined> {
    if (this.#imports === undefined || at === undefined || reason !== 'does-not-compile') return undefined;
    const sentence = asSentence(this.#outline.text.slice(span.start, span.end));
    const refused = { session: this.#session, at, sentence, error: diagnostic, signal: this.#signal };
    return this.#imports.of(refused);
  }
}

/** What the prover says against a place of the file. */
interface Failure {
  readonly span: Span;
  readonly diagnostic: Diagnostic;
  readonly reason: ReasonCode;
  /** The state before the sentence. */
  readonly at?: StateId;
}
