/**
 * The prover port over an STM transport. A state is a path of sentences from the root; the prover holds one such path at
 * a time, the *live* one (or, when it keeps states, a tree of them). Running from a state goes back to where its path leaves the live one, replays the rest and
 * adds the sentence. The process behind the transport can be replaced at any time: then nothing is live and everything
 * is replayed when it is needed.
 */
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type {
  ProverIdentity,
  ProverSession,
  QueryResult,
  ScriptResult,
  StateId,
  StepOptions,
  StepResult,
} from '../../../core/prover.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import {
  type Bounded,
  type Limits,
  type StopReason,
  underLimits,
} from '../../../process/interrupt-ladder.ts';
import { splitSentences } from '../syntax/sentences.ts';
import type {
  AskAnswer,
  ExecuteAnswer,
  Interrupted,
  Lost,
  StartStmTransport,
  StmId,
  StmTransport,
} from './transport.ts';

interface LogicalState {
  readonly id: StateId;
  readonly parent: LogicalState | undefined;
  /** The sentence that leads here from the parent. */
  readonly sentence: string;
  readonly elapsedMs: number;
}

interface LiveState {
  readonly state: LogicalState;
  readonly stm: StmId;
}

/** A state that the prover stands ready to go on from. */
interface Place {
  readonly transport: StmTransport;
  readonly stm: StmId;
}

interface Trouble {
  readonly status: 'unknown';
  readonly reason: ReasonCode;
  readonly message: string;
}

/** A replayed sentence may take this many times what it took the first time, and this long at least. */
const REPLAY_SLOWNESS = 20;
const REPLAY_LEAST_MS = 30_000;
/** Reading goals has no limit of its own in the port; a prover that does not answer by then is replaced. */
const READ_LIMIT_MS = 60_000;
/** Attempts to bring a state back before the prover is called unusable. */
const ATTEMPTS = 3;
/** Proof states kept, so that reading goals that were just shown costs nothing. */
const PROOFS_KEPT = 512;

export class StmSession implements ProverSession {
  readonly identity: ProverIdentity;
  readonly root: StateId;
  readonly #start: StartStmTransport;
  readonly #states = new Map<StateId, LogicalState>();
  readonly #proofs = new Map<StateId, ProofState | null>();
  readonly #prefix = randomUUID().slice(0, 8);
  #transport: StmTransport | undefined;
  /** From the root to the tip of the prover's document; of a prover that keeps states, all that it has. */
  #live: LiveState[] = [];
  /** Where each live state is in `#live`. */
  readonly #depths = new Map<StateId, number>();
  #generation = 1;
  #closed = false;
  #queue: Promise<unknown> = Promise.resolve();

  /** Starts the prover. @throws QuodError as `start` does. */
  static async open(
    identity: ProverIdentity,
    start: StartStmTransport,
    signal?: AbortSignal,
  ): Promise<StmSession> {
    const session = new StmSession(identity, start);
    session.#adopt(await start(signal));
    return session;
  }

  private constructor(identity: ProverIdentity, start: StartStmTransport) {
    this.identity = identity;
    this.#start = start;
    this.root = this.#record(undefined, '', 0).id;
  }

  get generation(): number {
    return this.#generation;
  }

  run(from: StateId, sentence: string, options: StepOptions = {}): Promise<StepResult> {
    return this.#inOrder(from, (state) => this.#step(state, sentence, options));
  }

  runAll(from: StateId, sentences: readonly string[], options: StepOptions = {}): Promise<ScriptResult> {
    return this.#inOrder(from, (state) => this.#script(state, sentences, options));
  }

  goals(at: StateId): Promise<ProofState | null> {
    return this.#inOrder(at, async (state) => {
      const known = this.#proofs.get(at);
      if (known !== undefined) return known;
      const proof = await this.#read(state, (transport, stm) => transport.goals(stm));
      this.#remember(at, proof);
      return proof;
    });
  }

  explicitGoals(at: StateId): Promise<ProofState | null> {
    return this.#inOrder(at, (state) =>
      this.#read(state, (transport, stm) =>
        (transport.explicitGoals ?? transport.goals).call(transport, stm),
      ),
    );
  }

  background(at: StateId): Promise<BackgroundGoals | null> {
    return this.#inOrder(at, (state) => this.#read(state, (transport, stm) => transport.background(stm)));
  }

  query(at: StateId, command: string, options: StepOptions = {}): Promise<QueryResult> {
    return this.#inOrder(at, async (state): Promise<QueryResult> => {
      const surplus = surplusSentence(command);
      if (surplus !== undefined) return { status: 'failed', error: surplus };
      const { answer } = await this.#attempt(state, options, (transport, stm) =>
        transport.query(stm, command),
      );
      switch (answer.status) {
        case 'done':
          return { status: 'done', messages: answer.value };
        case 'failed':
        case 'unknown':
          return answer;
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#transport?.kill();
    await this.#queue;
  }

  #inOrder<Result>(id: StateId, work: (state: LogicalState) => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(() => work(this.#lookUp(id)));
    this.#queue = result.catch(() => {});
    return result;
  }

  #lookUp(id: StateId): LogicalState {
    const state = this.#closed ? undefined : this.#states.get(id);
    if (state !== undefined) return state;
    const why = this.#closed ? 'The session was closed.' : `This session never had a state ${id}.`;
    throw new QuodError('stale-state', why, { remedy: 'Open a session and run from its root.' });
  }

  async #step(from: LogicalState, sentence: string, options: StepOptions): Promise<StepResult> {
    const surplus = surplusSentence(sentence);
    if (surplus !== undefined) return { status: 'failed', error: surplus, messages: [], elapsedMs: 0 };
    const withGoals = options.withGoals === true;
    const { answer, elapsedMs } = await this.#attempt(from, options, async (transport, stm) => {
      this.#truncate(from);
      return await transport.execute(
        stm,
        sentence,
        withGoals,
        options.expected === true ? 'expected' : 'tried',
      );
    });
    switch (answer.status) {
      case 'done': {
        const state = this.#record(from, sentence, elapsedMs);
        this.#extend(state, answer.id);
        const { messages, proof } = answer;
        if (proof !== undefined) this.#remember(state.id, proof);
        const done = { status: 'done', state: state.id, messages, elapsedMs } as const;
        return proof === undefined ? done : { ...done, proof };
      }
      case 'failed':
      case 'unknown':
        return { ...answer, elapsedMs };
    }
  }

  async #script(
    from: LogicalState,
    sentences: readonly string[],
    options: StepOptions,
  ): Promise<ScriptResult> {
    const whole = sentences.every((sentence) => surplusSentence(sentence) === undefined);
    if (sentences.length > 1 && whole && options.withGoals !== true) {
      const { answer, elapsedMs } = await this.#attempt(from, options, async (transport, stm) => {
        if (transport.executeAll === undefined) return { status: 'apart' } as const;
        this.#truncate(from);
        return await transport.executeAll(stm, sentences);
      });
      switch (answer.status) {
        case 'done': {
          let state = from;
          for (const [index, id] of answer.ids.entries()) {
            state = this.#record(state, sentences[index] ?? '', elapsedMs / sentences.length);
            this.#extend(state, id);
          }
          const { messages } = answer;
          const result = { status: 'done', state: state.id, messages, elapsedMs } as const;
          return { index: sentences.length - 1, result };
        }
        case 'failed':
          return {
            index: answer.index,
            result: { status: 'failed', error: answer.error, messages: [], elapsedMs },
          };
        case 'unknown':
          return { index: 0, result: { ...answer, elapsedMs } };
        case 'apart':
      }
    }
    return await this.#oneByOne(from, sentences, options);
  }

  async #oneByOne(
    from: LogicalState,
    sentences: readonly string[],
    options: StepOptions,
  ): Promise<ScriptResult> {
    let at = from;
    for (const [index, sentence] of sentences.entries()) {
      const result = await this.#step(at, sentence, { ...options, expected: true });
      const isLast = index === sentences.length - 1;
      if (result.status !== 'done' || isLast) return { index, result };
      at = this.#lookUp(result.state);
    }
    throw new QuodError('invalid-input', 'A script needs a sentence.');
  }

  async #read<Value>(
    at: LogicalState,
    ask: (transport: StmTransport, stm: StmId) => Promise<AskAnswer<Value>>,
  ): Promise<Value> {
    const { answer } = await this.#attempt(at, { timeoutMs: READ_LIMIT_MS }, async (transport, stm) => {
      if (!transport.readsAnywhere) this.#truncate(at);
      return await ask(transport, stm);
    });
    switch (answer.status) {
      case 'done':
        return answer.value;
      case 'failed':
        throw new QuodError('prover-crashed', `The prover cannot show its goals: ${answer.error.message}`);
      case 'unknown':
        throw new QuodError(this.#closed ? 'stale-state' : answer.reason, answer.message);
    }
  }

  /**
   * Does `work` at a state, within the limits; bringing the state back is not counted against them. When the prover
   * dies for no reason of Quod's, everything is done once more with a new one.
   */
  async #attempt<Answer extends { readonly status: string }>(
    state: LogicalState,
    limits: Pick<StepOptions, 'timeoutMs' | 'workMs' | 'signal'>,
    work: (transport: StmTransport, stm: StmId) => Promise<Answer | Interrupted | Lost>,
  ): Promise<{ readonly answer: Exclude<Answer, Interrupted | Lost> | Trouble; readonly elapsedMs: number }> {
    for (let attempt = 1; ; attempt += 1) {
      const place = await this.#bring(state, limits.signal);
      if ('status' in place) return { answer: place, elapsedMs: 0 };
      const { transport, stm } = place;
      const started = performance.now();
      const { answer, stopped } = await underLimits(transport, limitsFor(transport, limits), () =>
        work(transport, stm),
      );
      const elapsedMs = performance.now() - started;
      if (isLost(answer)) {
        this.#forgetProver();
        if (attempt === 1 && stopped === undefined && answer.reason === 'prover-crashed') continue;
        return { answer: this.#trouble(stopped ?? answer.reason, answer.message), elapsedMs };
      }
      if (isInterrupted(answer)) {
        return { answer: this.#trouble(stopped ?? 'interrupted', 'The prover was interrupted.'), elapsedMs };
      }
      // More work than was allowed: which of the two came first depends on what else the machine does.
      if (stopped === 'timeout' && limits.workMs !== undefined)
        return { answer: this.#trouble('timeout', ''), elapsedMs };
      return { answer: answer as Exclude<Answer, Interrupted | Lost>, elapsedMs };
    }
  }

  /** Makes a state part of the prover's document. */
  async #bring(state: LogicalState, signal: AbortSignal | undefined): Promise<Place | Trouble> {
    let why = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (this.#closed || signal?.aborted === true) return this.#trouble('interrupted', '');
      try {
        if (this.#transport?.isWorn?.() === true) {
          await this.#transport.kill();
          this.#forgetProver();
        }
        if (this.#transport === undefined) this.#adopt(await this.#restart(signal));
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        return this.#trouble(error.reason, error.message);
      }
      const transport = this.#transport;
      if (transport === undefined) continue;
      const outcome = await this.#replay(transport, state, signal);
      if (typeof outcome === 'number') return { transport, stm: outcome };
      if (outcome.stopped === 'interrupted') return this.#trouble('interrupted', '');
      why = outcome.why;
      await transport.kill();
      this.#forgetProver();
    }
    return this.#trouble('prover-crashed', `The prover could not be brought back: ${why}`);
  }

  async #replay(
    transport: StmTransport,
    state: LogicalState,
    signal: AbortSignal | undefined,
  ): Promise<StmId | { readonly why: string; readonly stopped: StopReason | undefined }> {
    const missing: LogicalState[] = [];
    let ancestor: LogicalState | undefined = state;
    while (ancestor !== undefined && !this.#depths.has(ancestor.id)) {
      missing.push(ancestor);
      ancestor = ancestor.parent;
    }
    const base = this.#live[this.#depths.get(ancestor?.id ?? this.root) ?? 0];
    if (base === undefined) throw new QuodError('internal', 'The live path of a session has no root.');
    let { stm } = base;
    if (missing.length > 0) this.#truncate(base.state);
    for (const next of missing.toReversed()) {
      const timeoutMs = Math.max(REPLAY_LEAST_MS, next.elapsedMs * REPLAY_SLOWNESS);
      const { answer, stopped }: Bounded<ExecuteAnswer> = await underLimits(
        transport,
        { timeoutMs, signal },
        () => transport.execute(stm, next.sentence, false, 'repeated'),
      );
      if (answer.status !== 'done') return { why: replayTrouble(next.sentence, answer), stopped };
      this.#extend(next, answer.id);
      stm = answer.id;
    }
    return stm;
  }

  async #restart(signal: AbortSignal | undefined): Promise<StmTransport> {
    const transport = await this.#start(signal);
    this.#generation += 1;
    return transport;
  }

  #adopt(transport: StmTransport): void {
    const root = this.#states.get(this.root);
    // Closed while the prover started: the caller finds no transport.
    if (this.#closed || root === undefined) {
      void transport.kill();
      return;
    }
    this.#transport = transport;
    this.#extend(root, transport.root);
  }

  #forgetProver(): void {
    this.#transport = undefined;
    this.#live = [];
    this.#depths.clear();
  }

  #extend(state: LogicalState, stm: StmId): void {
    this.#depths.set(state.id, this.#live.length);
    this.#live.push({ state, stm });
  }

  /** The document is about to end at `state`. */
  #truncate(state: LogicalState): void {
    if (this.#transport?.keepsStates === true) return;
    const depth = this.#depths.get(state.id) ?? 0;
    for (const dropped of this.#live.splice(depth + 1)) this.#depths.delete(dropped.state.id);
  }

  #record(parent: LogicalState | undefined, sentence: string, elapsedMs: number): LogicalState {
    const id = `${this.#prefix}.${this.#states.size}` as StateId;
    const state = { id, parent, sentence, elapsedMs };
    this.#states.set(id, state);
    return state;
  }

  #remember(id: StateId, proof: ProofState | null): void {
    this.#proofs.set(id, proof);
    if (this.#proofs.size <= PROOFS_KEPT) return;
    const [oldest] = this.#proofs.keys();
    if (oldest !== undefined) this.#proofs.delete(oldest);
  }

  #trouble(reason: ReasonCode, message: string): Trouble {
    switch (reason) {
      case 'timeout':
        return { status: 'unknown', reason, message: 'The step ran longer than it was given.' };
      case 'interrupted':
        return {
          status: 'unknown',
          reason,
          message: this.#closed ? 'The session was closed.' : 'The step was cancelled.',
        };
      default:
        return { status: 'unknown', reason, message };
    }
  }
}

function limitsFor(
  transport: StmTransport,
  { timeoutMs, workMs, signal }: Pick<StepOptions, 'timeoutMs' | 'workMs' | 'signal'>,
): Limits {
  const isTold = workMs !== undefined && transport.workDone?.() !== undefined;
  return {
    timeoutMs,
    signal,
    ...(isTold && { work: { limit: workMs, spent: () => transport.workDone?.() ?? Infinity } }),
  };
}

function isLost(answer: { readonly status: string }): answer is Lost {
  return answer.status === 'lost';
}

function isInterrupted(answer: { readonly status: string }): answer is Interrupted {
  return answer.status === 'interrupted';
}

function replayTrouble(sentence: string, answer: Exclude<ExecuteAnswer, { status: 'done' }>): string {
  const why =
    answer.status === 'failed'
      ? answer.error.message
      : answer.status === 'lost'
        ? answer.message
        : 'it took too long';
  return `${JSON.stringify(sentence.trim().slice(0, 200))}: ${why}`;
}

/** Coq reads the first sentence of what it is given and drops the rest in silence; Quod does not. */
function surplusSentence(text: string): Diagnostic | undefined {
  const { sentences, unterminated } = splitSentences(text);
  const [first, second] = sentences;
  if (first === undefined) return undefined;
  const rest = second?.span ?? unterminated?.span;
  if (rest === undefined) return undefined;
  return {
    severity: 'error',
    message: `One sentence at a time: something follows ${JSON.stringify(first.text)}.`,
    span: rest,
  };
}
