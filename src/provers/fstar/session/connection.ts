/**
 * One `fstar.exe --ide` and the query that waits for its answer. One query is under way at a time. What F* writes
 * besides the answer is kept up to a bound and counted beyond it, so that a flood costs time and no memory. When
 * the process ends, for whatever reason, the query and every later one is answered `lost`.
 */
import type { Lost } from '../../../core/driver.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { proverEnvironment } from '../../../process/rights/child-environment.ts';
import { lossOf } from '../../../process/prover-loss.ts';
import {
  type FstarIssue,
  type FstarProgress,
  readIssues,
  readProgress,
  readTacticState,
  type TacticState,
} from '../protocol/answers.ts';
import { type FstarMessage, MessageReader } from '../protocol/messages.ts';
import { encodeQuery, type FstarQuery } from '../protocol/queries.ts';

export interface Launch {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly memoryLimit?: number;
}

export interface Answer {
  readonly status: 'success' | 'failure' | 'protocol-violation';
  readonly response: unknown;
  /** True when F* said that it was interrupted: a failure then has no issues. */
  readonly interrupted: boolean;
  readonly remarks: Remarks;
}

/** What was said on the way. */
export interface Remarks {
  /** Texts of all levels, in order. */
  readonly texts: readonly { readonly level: string; readonly text: string }[];
  readonly states: readonly TacticState[];
  /** How many texts and states were dropped because there were too many. */
  readonly dropped: number;
}

/** What happens while a query runs. */
export interface Listener {
  readonly onProgress?: ((progress: FstarProgress) => void) | undefined;
  /** A response to a part of a full-buffer query, and its issues. */
  readonly onPart?: (part: {
    readonly queryId: string;
    readonly failed: boolean;
    readonly interrupted: boolean;
    readonly issues: readonly FstarIssue[];
  }) => void;
}

/** Beyond these, what F* says while one query runs is counted only. */
const REMARK_CHARACTERS = 2_000_000;
const STATES = 1000;
/** F* answers with its protocol within seconds, unless the machine has no time for it at all. */
const HELLO_MS = 120_000;

interface Pending {
  readonly id: string;
  readonly isFullBuffer: boolean;
  readonly listener: Listener;
  readonly remarks: { texts: { level: string; text: string }[]; states: TacticState[]; dropped: number };
  characters: number;
  interrupted: boolean;
  readonly resolve: (answer: Answer | Lost) => void;
}

export class FstarConnection {
  readonly #child: GuardedChild;
  readonly #reader = new MessageReader();
  #hello: ((protocol: Protocol | Lost) => void) | undefined;
  #pending: Pending | undefined;
  #lost: Lost | undefined;
  #queries = 0;
  /** The last that it said outside of its protocol, for the message when it ends. */
  #lastWords = '';
  #protocol: Protocol = { version: 0, features: new Set() };

  /** @throws QuodError `prover-missing`, `prover-crashed` (with what it said), `interrupted`, `timeout`. */
  static async start(launch: Launch, signal?: AbortSignal): Promise<FstarConnection> {
    if (signal?.aborted === true) throw new QuodError('interrupted', 'Starting F* was cancelled.');
    const child = await GuardedChild.start(launch.executable, launch.arguments, {
      folder: launch.folder,
      environment: proverEnvironment(launch.environment),
      ...(launch.memoryLimit !== undefined && { memoryLimit: launch.memoryLimit }),
    });
    const connection = new FstarConnection(child);
    const cancel = (): void => connection.#loseAndKill('interrupted', 'Starting F* was cancelled.');
    const late = setTimeout(
      () => connection.#loseAndKill('timeout', `F* did not say its protocol within ${HELLO_MS / 1000} s.`),
      HELLO_MS,
    );
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const protocol = await new Promise<Protocol | Lost>((resolve) => (connection.#hello = resolve));
      if ('status' in protocol) {
        await connection.kill();
        throw new QuodError(protocol.reason, `F* does not start: ${protocol.message}`, {
          remedy: 'Look at the options that it was started with, and at its installation.',
        });
      }
      connection.#protocol = protocol;
      return connection;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', cancel);
    }
  }

  private constructor(child: GuardedChild) {
    this.#child = child;
    child.output.on('data', (bytes: Buffer) => {
      for (const message of this.#reader.push(bytes)) this.#receive(message);
    });
    void child.exited.then((exit) => {
      for (const message of this.#reader.finish()) this.#receive(message);
      this.#lose(lossOf({ ...exit, errorOutput: `${this.#lastWords}${exit.errorOutput}` }, 'F*'));
    });
  }

  get protocol(): Protocol {
    return this.#protocol;
  }

  get lost(): Lost | undefined {
    return this.#lost;
  }

  /** Settles when the process has ended and everything that it wrote was read. */
  get ended(): Promise<unknown> {
    return this.#child.exited;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Asks and waits. For a full-buffer query the answer is its end; what it found comes to the listener. */
  async ask(query: FstarQuery, listener: Listener = {}): Promise<Answer | Lost> {
    if (this.#lost !== undefined) return this.#lost;
    if (this.#pending !== undefined) throw new Error('F* is asked one thing at a time.');
    this.#queries += 1;
    const id = String(this.#queries);
    return await new Promise((resolve) => {
      this.#pending = {
        id,
        isFullBuffer: query.query === 'full-buffer',
        listener,
        remarks: { texts: [], states: [], dropped: 0 },
        characters: 0,
        interrupted: false,
        resolve,
      };
      this.#child.input.write(encodeQuery(id, query));
    });
  }

  /** Sends what F* does not answer. */
  tell(query: FstarQuery): void {
    if (this.#lost !== undefined) return;
    this.#queries += 1;
    this.#child.input.write(encodeQuery(String(this.#queries), query));
  }

  /** A signal stops the query that runs inside of F*; `cancel` stops what F* would begin after it. */
  interrupt(): void {
    const fullBuffer = this.#pending?.isFullBuffer === true;
    if (fullBuffer && this.#protocol.features.has('cancel'))
      this.tell({ query: 'cancel', line: 1, column: 0 });
    this.#child.interrupt();
  }

  async kill(): Promise<void> {
    this.#lost ??= { status: 'lost', reason: 'interrupted', message: 'F* was ended.' };
    await this.#child.kill();
  }

  #loseAndKill(reason: ReasonCode, message: string): void {
    this.#lose({ status: 'lost', reason, message });
    void this.#child.kill();
  }

  #receive(message: FstarMessage): void {
    switch (message.kind) {
      case 'protocol-info':
        this.#hello?.({ version: message.version, features: new Set(message.features) });
        this.#hello = undefined;
        return;
      case 'noise':
        this.#lastWords = `${this.#lastWords}${message.text}\n`.slice(-2000);
        this.#remark('noise', message.text);
        return;
      case 'overlong':
        this.#remark('noise', `(a line of ${message.bytes} bytes was left out)`);
        return;
      case 'message':
        this.#receiveMessage(message.level, message.contents);
        return;
      case 'response':
        this.#receiveResponse(message);
    }
  }

  #receiveMessage(level: string, contents: unknown): void {
    const pending = this.#pending;
    if (level === 'progress') {
      const progress = readProgress(contents);
      if (progress === undefined || pending === undefined) return;
      pending.listener.onProgress?.(progress);
      if (progress.stage === 'full-buffer-finished' && pending.isFullBuffer) {
        this.#answer(pending, 'success', null);
      }
    } else if (level === 'proof-state') {
      const state = readTacticState(contents);
      if (state === undefined || pending === undefined) return;
      if (pending.remarks.states.length < STATES) pending.remarks.states.push(state);
      else pending.remarks.dropped += 1;
    } else {
      const text = typeof contents === 'string' ? contents : JSON.stringify(contents);
      if (level === 'error') this.#lastWords = `${this.#lastWords}${text}\n`.slice(-2000);
      if (pending !== undefined && text.trim() === 'Interrupted') pending.interrupted = true;
      this.#remark(level, text);
    }
  }

  #remark(level: string, text: string): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    pending.characters += text.length;
    if (pending.characters <= REMARK_CHARACTERS) pending.remarks.texts.push({ level, text });
    else pending.remarks.dropped += 1;
  }

  #receiveResponse({ queryId, status, response }: Extract<FstarMessage, { kind: 'response' }>): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    const own = queryId === pending.id || queryId === '?';
    const failed = status !== 'success';
    if (pending.isFullBuffer && status !== 'protocol-violation') {
      if (!own && !queryId.startsWith(`${pending.id}.`)) return;
      const { interrupted } = pending;
      pending.interrupted = false;
      pending.listener.onPart?.({ queryId, failed, interrupted, issues: readIssues(response, failed) });
    } else if (own) {
      this.#answer(pending, status, response);
    }
  }

  #answer(pending: Pending, status: Answer['status'], response: unknown): void {
    this.#pending = undefined;
    this.#lastWords = '';
    pending.resolve({ status, response, interrupted: pending.interrupted, remarks: pending.remarks });
  }

  #lose(loss: Lost): void {
    this.#lost ??= loss;
    this.#hello?.(this.#lost);
    this.#hello = undefined;
    this.#pending?.resolve(this.#lost);
    this.#pending = undefined;
  }
}

export interface Protocol {
  readonly version: number;
  readonly features: ReadonlySet<string>;
}
