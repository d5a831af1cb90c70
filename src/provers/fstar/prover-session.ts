/**
 * A session of the prover port over F*. A sentence is one top-level declaration. The states form a tree of declarations;
 * one F* process holds the declarations of one of them on its stack and is brought to another by taking back and pushing.
 * F* shows no goals between declarations, so no state has a proof open.
 */
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import type {
  ProverIdentity,
  ProverSession,
  QueryResult,
  Sentence,
  StateId,
  StepOptions,
  StepResult,
} from '../../core/prover.ts';
import { underLimits } from '../../process/interrupt-ladder.ts';
import { type FstarIssue, readIssues, readLookup } from './protocol/answers.ts';
import { FstarConnection, type Launch, type Lost } from './session/connection.ts';
import { isError } from './session/report.ts';
import { FstarStack, type Piece, type PushAnswer, type Pushed, type WholeText } from './session/stack.ts';
import { modulesMentioned, parseDeclarations } from './syntax/declarations.ts';

interface Node {
  readonly id: StateId;
  readonly parent: Node | undefined;
  readonly sentence: string;
}

/** F* looks at a signal between two steps of its own; the solver may keep it waiting. */
const GRACE_MS = 6000;

export class FstarProverSession implements ProverSession {
  readonly identity: ProverIdentity;
  readonly root: StateId;
  readonly #launch: Launch;
  readonly #prefix = randomUUID().slice(0, 8);
  readonly #nodes = new Map<StateId, Node>();
  #connection: FstarConnection;
  #stack: FstarStack;
  /** What the process before had checked, when it was replaced after an interrupt. */
  #held: readonly Pushed[] = [];
  #generation = 0;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();
  readonly #onClose: () => Promise<void>;

  static async open(
    identity: ProverIdentity,
    launch: Launch,
    signal: AbortSignal | undefined,
    onClose: () => Promise<void>,
  ): Promise<FstarProverSession> {
    return new FstarProverSession(identity, launch, await FstarConnection.start(launch, signal), onClose);
  }

  private constructor(
    identity: ProverIdentity,
    launch: Launch,
    connection: FstarConnection,
    onClose: () => Promise<void>,
  ) {
    this.identity = identity;
    this.#launch = launch;
    this.#connection = connection;
    this.#stack = new FstarStack(connection);
    this.#onClose = onClose;
    this.root = this.#addNode(undefined, '').id;
  }

  get generation(): number {
    return this.#generation;
  }

  async run(from: StateId, { text: sentence }: Sentence, options: StepOptions = {}): Promise<StepResult> {
    const parent = this.#node(from);
    return await this.#inTurn(
      async () => {
        const began = performance.now();
        const elapsed = (): number => performance.now() - began;
        const [only, second] = parseDeclarations(sentence);
        if (only === undefined || second !== undefined) {
          const span = { start: second?.start ?? 0, end: second?.end ?? sentence.length };
          const message =
            only === undefined ? 'There is no declaration.' : 'This is more than one declaration.';
          return {
            status: 'failed',
            error: { severity: 'error', message, span },
            messages: [],
            elapsedMs: elapsed(),
          };
        }
        const text = new PathText([...sentencesTo(parent), sentence]);
        const { answer, stopped } = await this.#limited(options, async () => {
          const lost = await this.#bring(text, text.pieces.length - 1);
          const piece = text.pieces.at(-1);
          if (lost !== undefined || piece === undefined) return lost;
          return await this.#stack.push(piece, 'full', text.whole);
        });
        // The signal may have hit the solver alone: then F* says that it could not prove it.
        if (stopped !== undefined && answer?.status !== 'ok') {
          return {
            status: 'unknown',
            reason: stopped,
            message: 'The declaration was stopped.',
            elapsedMs: elapsed(),
          };
        }
        if (answer === undefined || answer.status === 'lost')
          return { ...unknown(answer), elapsedMs: elapsed() };
        if (answer.status === 'interrupted') {
          return {
            status: 'unknown',
            reason: 'interrupted',
            message: 'F* was interrupted.',
            elapsedMs: elapsed(),
          };
        }
        return this.#result(parent, sentence, text, answer, elapsed(), options.withGoals === true);
      },
      { status: 'unknown', reason: 'interrupted', message: 'The session was closed.', elapsedMs: 0 },
    );
  }

  goals(at: StateId): Promise<null> {
    return Promise.resolve().then(() => {
      this.#node(at);
      return null;
    });
  }

  background(at: StateId): Promise<null> {
    return Promise.resolve().then(() => {
      this.#node(at);
      return null;
    });
  }

  /** `lookup NAME` and `compute TERM`. */
  async query(at: StateId, { text: command }: Sentence, options: StepOptions = {}): Promise<QueryResult> {
    const node = this.#node(at);
    const [, verb, rest] = /^\s*(lookup|compute)\s+([\s\S]*\S)\s*$/.exec(command) ?? [];
    if (verb === undefined || rest === undefined) {
      return {
        status: 'failed',
        error: { severity: 'error', message: 'F* answers `lookup NAME` and `compute TERM`.' },
      };
    }
    return await this.#inTurn(
      async () => {
        const text = new PathText(sentencesTo(node));
        const { answer, stopped } = await this.#limited(options, async () => {
          const lost = await this.#bring(text, text.pieces.length);
          if (lost !== undefined) return lost;
          return await this.#connection.ask(
            verb === 'lookup'
              ? { query: 'lookup', symbol: rest, context: 'code' }
              : { query: 'compute', term: rest },
          );
        });
        if (stopped !== undefined)
          return { status: 'unknown', reason: stopped, message: 'The query was stopped.' };
        if (answer.status === 'lost') return unknown(answer);
        if (answer.status !== 'success') {
          const [issue] = readIssues(answer.response, true);
          return {
            status: 'failed',
            error: { severity: 'error', message: issue?.message ?? 'F* did not answer.' },
          };
        }
        return {
          status: 'done',
          messages: [{ severity: 'notice', message: queryText(verb, answer.response) }],
        };
      },
      { status: 'unknown', reason: 'interrupted', message: 'The session was closed.' },
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection.kill();
    await this.#last.catch(() => undefined);
    await this.#onClose();
  }

  #addNode(parent: Node | undefined, sentence: string): Node {
    const node = { id: `${this.#prefix}-${this.#nodes.size}` as StateId, parent, sentence };
    this.#nodes.set(node.id, node);
    return node;
  }

  #node(id: StateId): Node {
    const node = this.#nodes.get(id);
    if (this.#closed || node === undefined) {
      throw new QuodError('stale-state', 'The state belongs to a session that no longer exists.');
    }
    return node;
  }

  async #inTurn<Result>(work: () => Promise<Result>, whenClosed: Result): Promise<Result> {
    const turn = this.#last.then(async () => {
      if (this.#closed) return whenClosed;
      await this.#revive();
      const result = await work();
      // It may have been closed while the work was under way.
      return this.#isClosed() ? whenClosed : result;
    });
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  #isClosed(): boolean {
    return this.#closed;
  }

  async #revive(): Promise<void> {
    if (this.#connection.lost === undefined) return;
    this.#connection = await FstarConnection.start(this.#launch);
    this.#stack = new FstarStack(this.#connection);
    this.#generation += 1;
    if (this.#isClosed()) await this.#connection.kill();
  }

  async #limited<Result>(
    { timeoutMs, signal }: StepOptions,
    work: () => Promise<Result>,
  ): ReturnType<typeof underLimits<Result>> {
    const connection = this.#connection;
    const target = { interrupt: () => connection.interrupt(), kill: () => connection.kill() };
    const bounded = await underLimits(target, { timeoutMs, signal, graceMs: GRACE_MS }, work);
    // After an interrupt the solver may hold less than F* believes, or more: its next answers are not to be trusted.
    if (bounded.stopped !== undefined && connection.lost === undefined) {
      this.#held = this.#stack.pushed;
      await connection.kill();
    }
    return bounded;
  }

  /** Makes the stack hold the first `count` pieces of a text. */
  async #bring(text: PathText, count: number): Promise<Lost | undefined> {
    const wanted = text.pieces.slice(0, count);
    if (this.#held.length > 0 && this.#stack.pushed.length === 0) {
      const held = this.#held;
      this.#held = [];
      await this.#stack.restore(held, wanted, text.whole);
    }
    if (this.#stack.pushed.length > 0 && !this.#stack.covers(text.whole)) {
      const lost = await this.#stack.popTo(0);
      if (lost !== undefined) return lost;
    }
    const lost = await this.#stack.popTo(this.#stack.common(wanted, 'full'));
    if (lost !== undefined) return lost;
    for (const piece of wanted.slice(this.#stack.pushed.length)) {
      const answer = await this.#stack.push(piece, 'full', text.whole);
      if (answer.status === 'lost') return answer;
      if (answer.status !== 'ok') {
        const message = `A declaration that F* accepted before is not accepted now: ${answer.issues[0]?.message ?? 'interrupted'}`;
        return {
          status: 'lost',
          reason: answer.status === 'interrupted' ? 'interrupted' : 'prover-crashed',
          message,
        };
      }
    }
    return undefined;
  }

  #result(
    parent: Node,
    sentence: string,
    text: PathText,
    answer: PushAnswer,
    elapsedMs: number,
    withGoals: boolean,
  ): StepResult {
    const messages = answer.issues
      .filter((issue) => !isError(issue))
      .map((issue) => text.diagnosticOf(issue));
    const [error] = answer.issues.filter(isError);
    if (answer.status === 'failed') {
      const said: Diagnostic = { severity: 'error', message: 'F* refused it without a reason.' };
      return {
        status: 'failed',
        error: error === undefined ? said : text.diagnosticOf(error),
        messages,
        elapsedMs,
      };
    }
    const { id } = this.#addNode(parent, sentence);
    return { status: 'done', state: id, messages, elapsedMs, ...(withGoals && { proof: null }) };
  }
}

function unknown(lost: Lost | undefined): { status: 'unknown'; reason: Lost['reason']; message: string } {
  return {
    status: 'unknown',
    reason: lost?.reason ?? 'internal',
    message: lost?.message ?? 'There is nothing to run.',
  };
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

function sentencesTo(node: Node): string[] {
  const sentences: string[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) sentences.push(at.sentence);
  return sentences.reverse();
}

/** The sentences of a path as one text, each beginning on a line of its own. */
class PathText {
  readonly whole: WholeText;
  readonly pieces: readonly Piece[];
  readonly #lines: LineIndex;
  readonly #lastStart: number;

  constructor(sentences: readonly string[]) {
    const text = sentences.map((sentence) => `${sentence}\n`).join('');
    this.#lines = new LineIndex(text);
    this.whole = { text, modules: modulesMentioned(parseDeclarations(text)) };
    let start = 0;
    this.pieces = sentences.map((sentence) => {
      const piece = { text: `${sentence}\n`, place: this.#lines.printedAt(start) };
      start += sentence.length + 1;
      return piece;
    });
    this.#lastStart = start - (sentences.at(-1)?.length ?? 0) - 1;
  }

  /** With its place in the last sentence, when it is there. */
  diagnosticOf({ level, message, ranges: [range] }: FstarIssue): Diagnostic {
    const severity = level === 'warning' || level === 'info' ? level : 'error';
    const start = range && this.#lines.offsetOfPrinted(range.start);
    const end = range && this.#lines.offsetOfPrinted(range.end);
    if (start === undefined || end === undefined || start < this.#lastStart) return { severity, message };
    return { severity, message, span: { start: start - this.#lastStart, end: end - this.#lastStart } };
  }
}
