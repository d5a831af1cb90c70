/**
 * One live F* for one file. Calls are answered in the order in which they were made. The session remembers what it was
 * told (the files of its virtual file system, the last buffer), so when the process dies it starts another one under a
 * new generation and goes on; a check during which the process died is run once more before it is given up.
 */
import { basename, dirname, resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { underLimits } from '../../../process/interrupt-ladder.ts';
import {
  type FstarIssue,
  type FstarRange,
  type LookupAnswer,
  readFormatted,
  readIssues,
  readLookup,
} from '../protocol/answers.ts';
import type { FstarQuery, FullBufferKind, LookupPlace } from '../protocol/queries.ts';
import type { BufferChecker, Checked } from './buffer-checker.ts';
import { type Answer, FstarConnection, type Launch, type Lost } from './connection.ts';
import { FullBufferChecker } from './full-buffer-checker.ts';
import { PushPopChecker } from './push-pop-checker.ts';
import { type CheckProgress, type CheckReport, cutText, isError } from './report.ts';
import { FstarStack, type PushAnswer, type Pushed } from './stack.ts';

export interface CallLimits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckOptions extends CallLimits {
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/** F* looks at a signal between two steps of its own; the solver may keep it waiting. */
const GRACE_MS = 6000;

export class FstarSession {
  readonly file: string;
  readonly #launch: Launch;
  #connection: FstarConnection | undefined;
  #checker: BufferChecker | undefined;
  #generation = 0;
  #closed = false;
  /** Why the last process went, when it went by itself. */
  #lastLoss: Lost | undefined;
  /** What the process before had checked, when it was replaced after an interrupt. */
  #held: readonly Pushed[] = [];
  readonly #virtualFiles = new Map<string, string>();
  #buffer: { readonly text: string; readonly report: CheckReport } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Starts F*. @throws QuodError `prover-missing`, `prover-crashed`, `interrupted`. */
  static async open(file: string, launch: Launch, limits: CallLimits = {}): Promise<FstarSession> {
    const session = new FstarSession(file, launch);
    session.#connection = await FstarConnection.start(launch, limits.signal);
    return session;
  }

  private constructor(file: string, launch: Launch) {
    this.file = file;
    this.#launch = launch;
  }

  /** How often the process was replaced. */
  get generation(): number {
    return this.#generation;
  }

  /** Version of the protocol, or 0 while there is no process. */
  get protocolVersion(): number {
    return this.#connection?.protocol.version ?? 0;
  }

  /** What the last check that came to an end was about, and what it found. */
  get lastCheck(): { readonly text: string; readonly report: CheckReport } | undefined {
    return this.#buffer;
  }

  async check(text: string, check: FullBufferKind, options: CheckOptions = {}): Promise<CheckReport> {
    return await this.#inTurn(async () => {
      const first = await this.#checkOnce(text, check, options);
      if (first.kind === 'report') return this.#remember(text, first.report);
      // Once more on a fresh process: what killed the first one may have been the machine.
      const retry = first.loss.reason === 'prover-crashed';
      const second = retry ? await this.#checkOnce(text, check, options) : first;
      if (second.kind === 'report') return this.#remember(text, second.report);
      const again = retry ? 'twice ' : '';
      return this.#remember(text, {
        ...this.#reportOf(second.partial),
        status: 'stopped',
        reason: second.loss.reason,
        message: `The check was ended ${again}because F* was lost. ${second.loss.message}`,
      });
    });
  }

  /**
   * Checks another text in the place of one declaration, on top of those before it, and keeps nothing of it. Those before
   * it are brought there as far as they are not, their proofs admitted.
   */
  async tryInPlace(
    text: string,
    declaration: number,
    replacement: string,
    limits: CallLimits = {},
  ): Promise<PushAnswer> {
    return await this.#inTurn(async () => {
      const cut = cutText(text);
      const here = cut.declarations[declaration];
      const before = cut.declarations[declaration - 1];
      if (here === undefined) throw new QuodError('not-found', 'The text has no such declaration.');
      if (before !== undefined) {
        const place = cut.lines.printedAt(before.start);
        const brought = await this.#checkOnce(text, { kind: 'lax-to-position', ...place }, limits);
        if (brought.kind === 'lost') throw new QuodError(brought.loss.reason, brought.loss.message);
        if (brought.report.status !== 'ok') {
          const [first] = brought.report.issues.filter(isError);
          throw new QuodError(
            brought.report.reason ?? 'does-not-compile',
            `What stands before does not check: ${first?.message ?? brought.report.message ?? 'it was stopped'}`,
            { remedy: 'Repair the declarations before it first.' },
          );
        }
      }
      const connection = await this.#live(limits.signal);
      const stack = new FstarStack(connection);
      const piece = { text: replacement, place: cut.lines.printedAt(here.fragmentStart) };
      const { answer, stopped } = await this.#limited(limits, () => stack.peek(piece));
      if (stopped !== undefined || answer.status === 'lost') {
        throw new QuodError(stopped ?? 'prover-crashed', 'The declaration was not checked to its end.');
      }
      return { ...answer, issues: answer.issues.map((issue) => this.#ownIssue(issue)) };
    });
  }

  /**
   * Gives F* the contents of a file instead of what is on the disk. F* 2019 does not find a dependency in a file that is
   * not on the disk at all.
   */
  async addVirtualFile(path: string, contents: string): Promise<void> {
    await this.#inTurn(async () => {
      const file = resolve(dirname(this.file), path);
      this.#virtualFiles.set(file, contents);
      const answer = await this.#ask({ query: 'vfs-add', file, contents });
      if (answer.status !== 'success') throw refused('vfs-add', answer);
    });
  }

  async lookup(symbol: string, place?: LookupPlace, limits: CallLimits = {}): Promise<LookupAnswer> {
    return await this.#inTurn(async () => {
      const { answer } = await this.#limited(limits, () =>
        this.#ask({ query: 'lookup', symbol, context: 'code', ...(place && { place }) }),
      );
      if (answer.status === 'protocol-violation') throw refused('lookup', answer);
      const found = readLookup(answer.response);
      return found.kind === 'symbol' ? { ...found, definedAt: this.#ownRange(found.definedAt) } : found;
    });
  }

  /** The value of an option, as F* has it now. */
  async option(name: string): Promise<unknown> {
    return await this.#inTurn(async () => {
      const answer = await this.#ask({ query: 'lookup', symbol: name, context: 'set-options' });
      const found = readLookup(answer.response);
      return found.kind === 'option' ? found.value : undefined;
    });
  }

  async compute(term: string, limits: CallLimits = {}): Promise<Answer> {
    return await this.#inTurn(
      async () => (await this.#limited(limits, () => this.#ask({ query: 'compute', term }))).answer,
    );
  }

  /** @throws QuodError `unsupported` when this F* cannot. */
  async format(
    code: string,
  ): Promise<{ readonly code: string } | { readonly issues: readonly FstarIssue[] }> {
    return await this.#inTurn(async () => {
      const connection = await this.#live();
      if (!connection.protocol.features.has('format')) {
        throw new QuodError('unsupported', 'This F* does not format code.');
      }
      const answer = await this.#ask({ query: 'format', code });
      return readFormatted(answer.response);
    });
  }

  /**
   * A fresh solver. Where F* cannot replace the solver alone, the whole process is replaced, and the next check starts at
   * the beginning.
   */
  async restartSolver(): Promise<'solver' | 'process'> {
    return await this.#inTurn(async () => {
      const connection = await this.#live();
      if (connection.protocol.features.has('restart-solver')) {
        connection.tell({ query: 'restart-solver' });
        return 'solver';
      }
      await this.#drop();
      await this.#live();
      return 'process';
    });
  }

  /** Ends the session at once, also in the middle of a check. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection?.kill();
  }

  /** The number of the F* process, for tests of what happens when it is killed. */
  get processId(): number | undefined {
    return this.#connection?.pid;
  }

  /** Settles when the process that the session has now has ended. */
  async gone(): Promise<void> {
    await this.#connection?.ended;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      if (this.#closed) throw new QuodError('stale-state', 'The F* session was closed.');
      return await work();
    });
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  /** The connection; a new one, with everything that the session was told, when the old one is lost. */
  async #live(signal?: AbortSignal): Promise<FstarConnection> {
    const old = this.#connection;
    if (old !== undefined && old.lost === undefined) return old;
    this.#lastLoss = old?.lost ?? this.#lastLoss;
    this.#checker = undefined;
    const connection = await FstarConnection.start(this.#launch, signal);
    if (this.#closed) {
      await connection.kill();
      throw new QuodError('stale-state', 'The F* session was closed.');
    }
    this.#connection = connection;
    this.#generation += 1;
    for (const [file, contents] of this.#virtualFiles) {
      await connection.ask({ query: 'vfs-add', file, contents });
    }
    return connection;
  }

  async #drop(): Promise<void> {
    const connection = this.#connection;
    await connection?.kill();
  }

  /** Asks on a process that knows the last buffer, so that what is asked about is there. */
  async #ask(query: FstarQuery): Promise<Answer> {
    const lostState = this.#connection?.lost !== undefined;
    const connection = await this.#live();
    if (lostState && this.#buffer !== undefined && query.query !== 'vfs-add') {
      await this.#checkOnce(this.#buffer.text, { kind: 'lax' }, {});
    }
    const answer = await connection.ask(query);
    if (answer.status === 'lost') {
      throw new QuodError(answer.reason, `${query.query} was not answered. ${answer.message}`, {
        remedy: 'The session goes on with a fresh F*: call again.',
      });
    }
    return answer;
  }

  async #limited<Result>(
    { timeoutMs, signal }: CallLimits,
    work: () => Promise<Result>,
  ): Promise<{ readonly answer: Result; readonly stopped: 'timeout' | 'interrupted' | undefined }> {
    const stoppable = {
      interrupt: () => this.#connection?.interrupt(),
      kill: async () => await this.#connection?.kill(),
    };
    const bounded = await underLimits(stoppable, { timeoutMs, signal, graceMs: GRACE_MS }, work);
    if (bounded.stopped !== undefined) await this.#distrustSolver();
    return bounded;
  }

  async #checkOnce(
    text: string,
    check: FullBufferKind,
    { timeoutMs, signal, onProgress }: CheckOptions,
  ): Promise<
    | { readonly kind: 'report'; readonly report: CheckReport }
    | { readonly kind: 'lost'; readonly loss: Lost; readonly partial: Checked }
  > {
    const connection = await this.#live(signal);
    this.#checker ??= connection.protocol.features.has('full-buffer')
      ? new FullBufferChecker(connection)
      : new PushPopChecker(connection, this.#held);
    this.#held = [];
    const checker = this.#checker;
    const { answer, stopped } = await this.#limited({ timeoutMs, signal }, () =>
      checker.check(cutText(text), check, onProgress ?? (() => {})),
    );
    if (answer.status === 'lost') {
      // Killed because it did not obey: the same as having been stopped.
      if (stopped !== undefined) return { kind: 'report', report: this.#stopped(answer.partial, stopped) };
      return { kind: 'lost', loss: answer.loss, partial: answer.partial };
    }
    // The signal may have hit the solver alone: then F* says that it could not prove what it was at.
    const failed = answer.fragments.some(({ status }) => status === 'failed');
    if (stopped !== undefined && failed) {
      const fragments = answer.fragments.map((fragment) =>
        fragment.status === 'failed' ? { ...fragment, status: 'interrupted' as const } : fragment,
      );
      return { kind: 'report', report: this.#stopped({ ...answer, fragments }, stopped) };
    }
    if (answer.status === 'interrupted') {
      return { kind: 'report', report: this.#stopped(answer, stopped ?? 'interrupted') };
    }
    return { kind: 'report', report: this.#reportOf(answer) };
  }

  /**
   * After an interrupt the solver may hold less than F* believes, or more: proofs then fail for no reason, or pass. So it
   * is replaced; what was checked before is taken over as it is.
   */
  async #distrustSolver(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || connection.lost !== undefined) return;
    if (connection.protocol.features.has('restart-solver')) {
      connection.tell({ query: 'restart-solver' });
      return;
    }
    if (this.#checker instanceof PushPopChecker) this.#held = this.#checker.held;
    await connection.kill();
  }

  #stopped(checked: Checked, reason: Extract<ReasonCode, 'timeout' | 'interrupted'>): CheckReport {
    const message =
      reason === 'timeout'
        ? 'The check took longer than it was given. What was checked before is kept.'
        : 'The check was cancelled. What was checked before is kept.';
    return { ...this.#reportOf(checked), status: 'stopped', reason, message };
  }

  #reportOf({ fragments, issues, states, texts, dropped }: Checked): CheckReport {
    const failed = issues.some(isError) || fragments.some(({ status }) => status === 'failed');
    return {
      status: failed ? 'error' : 'ok',
      fragments,
      issues: issues.map((issue) => this.#ownIssue(issue)),
      states: states.map((state) => ({ ...state, location: this.#ownRange(state.location) })),
      texts,
      dropped,
      generation: this.#generation,
    };
  }

  #remember(text: string, report: CheckReport): CheckReport {
    this.#buffer = { text, report };
    return report;
  }

  #ownIssue(issue: FstarIssue): FstarIssue {
    const ranges = issue.ranges.map((range) => this.#ownRange(range)).filter((range) => range !== null);
    return { ...issue, ranges };
  }

  /** F* calls the buffer `<input>` or by the name that it was started with. */
  #ownRange(range: FstarRange | null): FstarRange | null {
    // Line 0 and `<dummy>` are how F* says that it knows no place.
    if (range === null || range.start.line < 1 || range.file === '<dummy>') return null;
    const own = range.file === '<input>' || range.file === basename(this.file) || range.file === this.file;
    return { ...range, file: own ? this.file : resolve(this.#launch.folder, range.file) };
  }
}

function refused(query: string, answer: Answer): QuodError {
  const [issue] = readIssues(answer.response, true);
  return new QuodError('protocol-error', `F* refused ${query}: ${issue?.message ?? 'without a reason'}.`);
}
