/**
 * The driver of F*. A step is one declaration at its place in the file; the process holds the declarations of one
 * path on its stack. F* shows no goals between declarations, so no place has a proof open.
 *
 * After an interrupt the solver may hold less than F* believes, or more: proofs then fail for no reason, or pass.
 * So it is replaced, with its process where F* cannot do it alone, and what was checked before is taken over as it is.
 */
import type { AskAnswer, ExecuteAnswer, ExecutionMode, Lost, ProverDriver } from '../../../core/driver.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { LineIndex } from '../../../core/position.ts';
import type { Sentence } from '../../../core/prover.ts';
import { type FstarIssue, type FstarProgress, readIssues, readLookup } from '../protocol/answers.ts';
import type { FstarQuery, PushKind } from '../protocol/queries.ts';
import type { Answer, FstarConnection, Protocol } from './connection.ts';
import { FullBufferChecker } from './full-buffer-checker.ts';
import { isError } from './report.ts';
import { FstarStack, type Piece, type PushAnswer, type WholeText } from './stack.ts';

export interface FstarStep extends Piece {
  readonly kind: PushKind;
  /** The file as it is when the step is executed, or executed again: F* finds dependencies in it. */
  readonly whole: () => WholeText;
  /** Told everything that F* said, when the step is executed for the first time. */
  readonly onAnswer?: (answer: PushAnswer) => void;
  readonly onProgress?: (progress: FstarProgress) => void;
}

/** How many declarations lead to it. */
export type FstarPlace = number;

type Executed = ExecuteAnswer<FstarStep, FstarPlace>;

/** F* looks at a signal between two steps of its own; the solver may keep it waiting. */
const GRACE_MS = 6000;

export class FstarDriver implements ProverDriver<FstarStep, FstarPlace> {
  readonly root = 0;
  readonly keepsStates = false;
  readonly readsAnywhere = true;
  readonly graceMs = GRACE_MS;
  readonly stack: FstarStack;
  /** Checks whole buffers; undefined for an F* that cannot. */
  readonly fullBuffer: FullBufferChecker | undefined;
  readonly #connection: FstarConnection;
  readonly #repeatsLaxly: boolean;
  #isStopAsked = false;
  #isDistrusted = false;

  /** @param repeatsLaxly What is executed again was checked by a process that did not fail. */
  constructor(connection: FstarConnection, repeatsLaxly: boolean) {
    this.#connection = connection;
    this.#repeatsLaxly = repeatsLaxly;
    this.stack = new FstarStack(connection);
    this.fullBuffer = connection.protocol.features.has('full-buffer')
      ? new FullBufferChecker(connection)
      : undefined;
  }

  get protocol(): Protocol {
    return this.#connection.protocol;
  }

  get lost(): Lost | undefined {
    return this.#connection.lost;
  }

  /** True when Quod ended the process because its solver could not be trusted any more. */
  get isDistrusted(): boolean {
    return this.#isDistrusted;
  }

  get pid(): number {
    return this.#connection.pid;
  }

  /** Settles when the process has ended. */
  get ended(): Promise<unknown> {
    return this.#connection.ended;
  }

  /** Questions are asked where they belong: what stood behind is taken back, and executed again when it is needed. */
  holds(place: FstarPlace): boolean {
    return place <= this.stack.pushed.length;
  }

  isWorn(): boolean {
    return this.#connection.lost !== undefined;
  }

  async execute(
    base: FstarPlace,
    step: FstarStep,
    withGoals: boolean,
    mode: ExecutionMode,
  ): Promise<Executed> {
    const answer = await this.attended(() => this.#push(base, step, mode));
    if (answer.status === 'lost') return answer;
    // The signal may have hit the solver alone: then F* says that it could not prove it.
    const isStopped = this.#wasStopAsked() && answer.status === 'failed';
    if (answer.status === 'interrupted' || isStopped) {
      if (!this.#wasStopAsked()) await this.#distrustSolver();
      return { status: 'interrupted' };
    }
    if (mode !== 'repeated') step.onAnswer?.(answer);
    const messages = answer.issues
      .filter((issue) => !isError(issue))
      .map((issue) => diagnosticOf(step, issue));
    if (answer.status === 'failed') {
      const [error] = answer.issues.filter(isError);
      const silent: Diagnostic = { severity: 'error', message: 'F* refused it without a reason.' };
      return { status: 'failed', error: error === undefined ? silent : diagnosticOf(step, error), messages };
    }
    return { status: 'done', place: base + 1, messages, ...(withGoals && { proof: null }) };
  }

  goals(): Promise<AskAnswer<null>> {
    return Promise.resolve({ status: 'done', value: null });
  }

  /** `lookup NAME` and `compute TERM`. */
  async query(at: FstarPlace, { text }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    const [, verb, rest] = /^\s*(lookup|compute)\s+([\s\S]*\S)\s*$/.exec(text) ?? [];
    if (verb === undefined || rest === undefined) {
      const message = 'F* answers `lookup NAME` and `compute TERM`.';
      return { status: 'failed', error: { severity: 'error', message } };
    }
    const question: FstarQuery =
      verb === 'lookup'
        ? { query: 'lookup', symbol: rest, context: 'code' }
        : { query: 'compute', term: rest };
    const answer = await this.attended(
      async () => (await this.stack.popTo(at)) ?? (await this.#connection.ask(question)),
    );
    if (answer.status === 'lost') return answer;
    if (this.#wasStopAsked()) return { status: 'interrupted' };
    if (answer.status !== 'success') {
      const [issue] = readIssues(answer.response, true);
      const message = issue?.message ?? 'F* did not answer.';
      return { status: 'failed', error: { severity: 'error', message } };
    }
    return {
      status: 'done',
      value: [{ severity: 'notice', message: queryText(verb, answer.response) }],
    };
  }

  /** Takes back what stands behind a place. */
  async standAt(place: FstarPlace): Promise<{ readonly status: 'stands' } | Lost> {
    return (await this.stack.popTo(place)) ?? { status: 'stands' };
  }

  /** Asks where the process stands. */
  ask(query: FstarQuery): Promise<Answer | Lost> {
    return this.attended(() => this.#connection.ask(query));
  }

  /** A fresh solver, with its process where F* cannot replace the solver alone. */
  async restartSolver(): Promise<'solver' | 'process'> {
    if (this.protocol.features.has('restart-solver')) {
      this.#connection.tell({ query: 'restart-solver' });
      return 'solver';
    }
    await this.#connection.kill();
    return 'process';
  }

  /** Does a piece of work, and replaces the solver when the work was interrupted. */
  async attended<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isStopAsked = false;
    const result = await work();
    if (this.#wasStopAsked()) await this.#distrustSolver();
    return result;
  }

  interrupt(): void {
    this.#isStopAsked = true;
    this.#connection.interrupt();
  }

  async kill(): Promise<void> {
    await this.#connection.kill();
  }

  async #push(base: FstarPlace, step: FstarStep, mode: ExecutionMode): Promise<PushAnswer | Lost> {
    const { stack } = this;
    const whole = step.whole();
    if (base > 0 && !stack.covers(whole)) {
      const lost = await this.#loadAgain(base, whole);
      if (lost !== undefined) return lost;
    }
    const lost = await stack.popTo(base);
    if (lost !== undefined) return lost;
    const kind = mode === 'repeated' && this.#repeatsLaxly ? 'lax' : step.kind;
    return await stack.push(step, kind, whole, step.onProgress);
  }

  /** F* loads dependencies before the first push, so all is taken back and pushed once more, as it was checked. */
  async #loadAgain(depth: number, whole: WholeText): Promise<Lost | undefined> {
    const held = this.stack.pushed.slice(0, depth);
    const lost = await this.stack.popTo(0);
    if (lost !== undefined) return lost;
    const pieces = held.map(({ piece }) => piece);
    await this.stack.restore(held, pieces, whole);
    if (this.stack.pushed.length === depth) return undefined;
    await this.#connection.kill();
    const message = 'A declaration that F* accepted before is not accepted now.';
    return { status: 'lost', reason: 'prover-crashed', message };
  }

  async #distrustSolver(): Promise<void> {
    if (this.#connection.lost !== undefined) return;
    if ((await this.restartSolver()) === 'process') this.#isDistrusted = true;
  }

  /** Set from outside while an answer is awaited, which the compiler cannot know. */
  #wasStopAsked(): boolean {
    return this.#isStopAsked;
  }
}

/** With its place in the declaration, when it is there. */
function diagnosticOf({ text, place }: Piece, { level, message, ranges: [range] }: FstarIssue): Diagnostic {
  const severity = level === 'warning' || level === 'info' ? level : 'error';
  const lines = new LineIndex(text);
  const offsetOf = ({ line, column }: Piece['place']): number | undefined =>
    lines.offsetOfPrinted({
      line: line - place.line + 1,
      column: line === place.line ? column - place.column : column,
    });
  const start = range && offsetOf(range.start);
  const end = range && offsetOf(range.end);
  if (start === undefined || end === undefined) return { severity, message };
  return { severity, message, span: { start, end } };
}

function queryText(verb: string, response: unknown): string {
  if (verb === 'compute') return typeof response === 'string' ? response : JSON.stringify(response);
  const found = readLookup(response);
  switch (found.kind) {
    case 'symbol':
      return `${found.name} : ${found.type ?? '?'}`;
    case 'module':
    case 'namespace':
    case 'option':
      return `${found.kind} ${found.name}`;
    case 'not-found':
      return found.message;
  }
}
