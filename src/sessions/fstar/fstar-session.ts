/**
 * One live F* for one file, with the buffer that is worked on. It stands on the session engine: calls are answered
 * in the order in which they were made, a process that dies is started again under a new generation, and a check
 * during which it died is run once more before it is given up. This file keeps what F* was told besides
 * declarations (the files of its virtual file system, the last buffer), and makes reports.
 */
import { basename, dirname, resolve } from 'node:path';
import { orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { InOrder } from '../../core/concurrency/in-order.ts';
import type { StateId } from '../../core/prover.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { clause } from '../../core/sentence.ts';
import {
  type FstarIssue,
  type FstarRange,
  type LookupAnswer,
  readFormatted,
  readIssues,
  readLookup,
} from '../../provers/fstar/protocol/answers.ts';
import type { FstarQuery, FullBufferKind, LookupPlace } from '../../provers/fstar/protocol/queries.ts';
import type { Checked } from '../../provers/fstar/session/buffer-checker.ts';
import type { Answer, Launch } from '../../provers/fstar/session/connection.ts';
import type { FstarDriver } from '../../provers/fstar/session/driver.ts';
import type { FullBufferChecker } from '../../provers/fstar/session/full-buffer-checker.ts';
import {
  type CheckProgress,
  type CheckReport,
  type CutText,
  cutText,
  isError,
} from '../../provers/fstar/session/report.ts';
import type { PushAnswer } from '../../provers/fstar/session/stack.ts';
import type { ReplayFailure } from '../way-to-state.ts';
import { DeclarationChecks, type EndedCheck } from './declaration-checks.ts';
import { type FstarReplay, FstarSource, openFstarReplay } from './fstar-replay.ts';

export interface CheckLimits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckOptions extends CheckLimits {
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

export class FstarSession {
  readonly file: string;
  readonly #launch: Launch;
  readonly #source: FstarSource;
  readonly #session: FstarReplay;
  readonly #checks: DeclarationChecks;
  readonly #calls = new InOrder();
  #buffer: { readonly text: string; readonly report: CheckReport } | undefined;

  /** Starts F*. @throws QuodError `prover-missing`, `prover-crashed`, `interrupted`. */
  static async open(file: string, launch: Launch, limits: CheckLimits = {}): Promise<FstarSession> {
    const source = new FstarSource(launch);
    const session = await openFstarReplay(source, launch, limits.signal);
    return new FstarSession(file, launch, source, session);
  }

  private constructor(file: string, launch: Launch, source: FstarSource, session: FstarReplay) {
    this.file = file;
    this.#launch = launch;
    this.#source = source;
    this.#session = session;
    this.#checks = new DeclarationChecks(session);
  }

  /** How often the process was replaced. */
  get generation(): number {
    return this.#session.generation - 1;
  }

  /** Version of the protocol that F* speaks. */
  get protocolVersion(): number {
    return orZero(this.#source.driver?.protocol.version);
  }

  /** What the last check that came to an end was about, and what it found. */
  get lastCheck(): { readonly text: string; readonly report: CheckReport } | undefined {
    return this.#buffer;
  }

  check(text: string, check: FullBufferKind, options: CheckOptions = {}): Promise<CheckReport> {
    return this.#calls.run(async () => {
      const report = await this.#checkOnce(text, check, options);
      this.#buffer = { text, report };
      return report;
    });
  }

  /**
   * Checks another text in the place of one declaration, on top of those before it, and keeps nothing of it. Those
   * before it are brought there as far as they are not, their proofs admitted.
   */
  tryInPlace(
    text: string,
    declaration: number,
    replacement: string,
    limits: CheckLimits = {},
  ): Promise<PushAnswer> {
    return this.#calls.run(async () => {
      const cut = cutText(text);
      const here = cut.declarations[declaration];
      const before = cut.declarations[declaration - 1];
      if (here === undefined) throw new QuodError('not-found', 'The text has no such declaration.');
      if (before !== undefined) {
        const place = cut.lines.printedAt(before.start);
        const report = await this.#checkOnce(text, { kind: 'lax-to-position', ...place }, limits);
        if (report.status !== 'ok') {
          const [first] = report.issues.filter(isError);
          throw new QuodError(
            report.reason ?? 'does-not-compile',
            `What stands before does not check: ${first?.message ?? report.message ?? 'it was stopped'}`,
            { remedy: 'Repair the declarations before it first.' },
          );
        }
      }
      const piece = { text: replacement, place: cut.lines.printedAt(here.fragmentStart) };
      const { answer, stopped } = await this.#session.at(this.#tip, given(limits), (driver) =>
        driver.attended(() => driver.stack.peek(piece)),
      );
      if (stopped !== undefined || answer.status === 'unknown') {
        throw new QuodError(stopped ?? 'prover-crashed', 'The declaration was not checked to its end.');
      }
      return { ...answer, issues: answer.issues.map((issue) => this.#ownIssue(issue)) };
    });
  }

  /**
   * Gives F* the contents of a file instead of what is on the disk. F* 2019 does not find a dependency in a file
   * that is not on the disk at all.
   */
  addVirtualFile(path: string, contents: string): Promise<void> {
    return this.#calls.run(async () => {
      const file = resolve(dirname(this.file), path);
      this.#source.virtualFiles.set(file, contents);
      const answer = await this.#ask({ query: 'vfs-add', file, contents });
      if (answer.status !== 'success') throw refused('vfs-add', answer);
    });
  }

  lookup(symbol: string, place?: LookupPlace, limits: CheckLimits = {}): Promise<LookupAnswer> {
    return this.#calls.run(async () => {
      const query = { query: 'lookup', symbol, context: 'code', ...(place && { place }) } as const;
      const answer = await this.#ask(query, limits);
      if (answer.status === 'protocol-violation') throw refused('lookup', answer);
      const found = readLookup(answer.response);
      return found.kind === 'symbol' ? { ...found, definedAt: this.#ownRange(found.definedAt) } : found;
    });
  }

  /** The value of an option, as F* has it now. */
  option(name: string): Promise<unknown> {
    return this.#calls.run(async () => {
      const answer = await this.#ask({ query: 'lookup', symbol: name, context: 'set-options' });
      const found = readLookup(answer.response);
      return found.kind === 'option' ? found.value : undefined;
    });
  }

  compute(term: string, limits: CheckLimits = {}): Promise<Answer> {
    return this.#calls.run(() => this.#ask({ query: 'compute', term }, limits));
  }

  /** @throws QuodError `unsupported` when this F* cannot. */
  format(code: string): Promise<{ readonly code: string } | { readonly issues: readonly FstarIssue[] }> {
    return this.#calls.run(async () => {
      if (!(await this.#driver()).protocol.features.has('format')) {
        throw new QuodError('unsupported', 'This F* does not format code.');
      }
      const answer = await this.#ask({ query: 'format', code });
      return readFormatted(answer.response);
    });
  }

  /**
   * A fresh solver. Where F* cannot replace the solver alone, the whole process is replaced, and the next check
   * starts at the beginning.
   */
  restartSolver(): Promise<'solver' | 'process'> {
    return this.#calls.run(async () => {
      const replaced = await (await this.#driver()).restartSolver();
      if (replaced === 'process') {
        this.#checks.forget();
        await this.#driver();
      }
      return replaced;
    });
  }

  /** Ends the session at once, also in the middle of a check. Idempotent. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** The number of the F* process, for tests of what happens when it is killed. */
  get processId(): number | undefined {
    return this.#source.driver?.pid;
  }

  /** Settles when the process that the session has now has ended. */
  async gone(): Promise<void> {
    await this.#source.driver?.ended;
  }

  /** Behind what was checked last. */
  get #tip(): StateId {
    return this.#checks.tip;
  }

  /** The running process; a new one when the old one is lost. */
  async #driver(signal?: AbortSignal): Promise<FstarDriver> {
    const options = given({ signal });
    const { answer } = await this.#session.at(this.#session.root, options, (driver) =>
      Promise.resolve({ status: 'running', driver } as const),
    );
    if (answer.status === 'unknown') throw new QuodError(answer.reason, answer.message);
    return answer.driver;
  }

  /** True when the process has gone. What it had checked counts no more, unless it was Quod that replaced it. */
  #noticeLoss(): boolean {
    const { driver } = this.#source;
    if (driver?.lost === undefined) return false;
    if (!driver.isDistrusted) this.#checks.forget();
    return true;
  }

  /** Asks on a process that knows the last buffer, so that what is asked about is there. */
  async #ask(query: FstarQuery, limits: CheckLimits = {}): Promise<Answer> {
    if (this.#noticeLoss() && this.#buffer !== undefined && query.query !== 'vfs-add') {
      await this.#checkOnce(this.#buffer.text, { kind: 'lax' }, {});
    }
    const options = { ...given(limits), once: true };
    const { answer } = await this.#session.at(this.#tip, options, async (driver) => {
      const told = await driver.ask(query);
      return told.status === 'lost' ? told : ({ status: 'told', answer: told } as const);
    });
    if (answer.status === 'told') return answer.answer;
    throw new QuodError(answer.reason, `${query.query} was not answered. ${answer.message}`, {
      remedy: 'The session goes on with a fresh F*: call again.',
    });
  }

  async #checkOnce(text: string, check: FullBufferKind, options: CheckOptions): Promise<CheckReport> {
    this.#noticeLoss();
    const cut = cutText(text);
    const onProgress = options.onProgress ?? (() => undefined);
    const { fullBuffer } = await this.#driver(options.signal);
    const ended =
      fullBuffer === undefined
        ? await this.#checks.check(cut, check, given(options), onProgress)
        : await this.#checkBuffer(cut, check, options, onProgress);
    return this.#endedReport(ended);
  }

  /** Checks the whole buffer at once, for F* that cuts it itself. */
  async #checkBuffer(
    cut: CutText,
    check: FullBufferKind,
    limits: CheckLimits,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<EndedCheck> {
    let found: Awaited<ReturnType<FullBufferChecker['check']>> | undefined;
    const { answer, stopped } = await this.#session.at(this.#session.root, given(limits), (driver) =>
      driver.attended(async () => {
        found = await driver.fullBuffer?.check(cut, check, onProgress);
        return found?.status === 'lost' ? found.loss : ({ status: 'checked' } as const);
      }),
    );
    const checked = found?.status === 'lost' ? found.partial : found;
    if (checked === undefined) {
      const why = answer.status === 'unknown' ? answer : undefined;
      throw new QuodError(why?.reason ?? 'internal', why?.message ?? 'F* was not asked.');
    }
    if (answer.status === 'unknown') return { checked, failure: answer };
    // The signal may have hit the solver alone: then F* says that it could not prove what it was at.
    const isRefused = stopped !== undefined && checked.fragments.some(({ status }) => status === 'failed');
    if (checked.status !== 'interrupted' && !isRefused) return { checked, failure: undefined };
    const fragments = checked.fragments.map((fragment) =>
      stopped !== undefined && fragment.status === 'failed'
        ? { ...fragment, status: 'interrupted' as const }
        : fragment,
    );
    const failure: ReplayFailure = { status: 'unknown', reason: stopped ?? 'interrupted', message: '' };
    return { checked: { ...checked, fragments }, failure };
  }

  #endedReport({ checked, failure }: EndedCheck): CheckReport {
    if (failure === undefined) return this.#reportOf(checked);
    switch (failure.reason) {
      case 'timeout':
      case 'interrupted':
        return this.#stopped(checked, failure.reason);
      default: {
        const again = failure.reason === 'prover-crashed' ? 'twice ' : '';
        const message = `The check was ended ${again}because F* was lost. ${failure.message}`;
        return { ...this.#reportOf(checked), status: 'stopped', reason: failure.reason, message };
      }
    }
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
      generation: this.generation,
    };
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

function given({ timeoutMs, signal }: CheckLimits): { timeoutMs?: number; signal?: AbortSignal } {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal !== undefined && { signal }) };
}

function refused(query: string, answer: Answer): QuodError {
  const [issue] = readIssues(answer.response, true);
  return new QuodError(
    'protocol-error',
    `F* refused ${query}: ${clause(issue?.message ?? 'without a reason')}.`,
  );
}
