/**
 * The prover port over HOL4. Outside of proofs HOL has one state, which only grows: going back to an earlier one means a
 * new process and the declarations once more, from the nearest saved heap. Inside of proofs every state is a value that
 * HOL holds for Quod, so a tactic can be tried from any of them at no cost but its own, as long as nothing was declared
 * since. A proof's `QED` executes the theorem as it would stand in the file.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type {
  ProverIdentity,
  ProverSession,
  QueryResult,
  Sentence,
  StateId,
  StepOptions,
  StepResult,
} from '../../../core/prover.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import type { Limits } from '../../../process/interrupt-ladder.ts';
import { errorDiagnostic, readMessages } from './diagnostics.ts';
import { type HolAnswer, type HolLost, HolProcess, type HolStart } from './process.ts';
import { readShownState, readStepCounts, readTheorem } from './values.ts';
import { identityOfHol } from './version.ts';
import { type Sentence as HolSentence, readSentence } from './sentence.ts';
import {
  type Declaration,
  type Executed,
  type State,
  focusAfter,
  isAncestor,
  pathBetween,
  placeOf,
  theoremBefore,
} from './states.ts';
import type { TacticStep } from '../syntax/tactic.ts';
import { mlString, quotation, stepList } from './step-code.ts';
import { makeScratchFolder } from '../../../process/scratch-folder.ts';

interface Live {
  readonly process: HolProcess;
  /** The last declaration that it executed. */
  tip: State;
  /** Told by HOL after it: changes when the theory does. */
  segment: string;
  /** Something was executed that belongs to no state. */
  dirty: boolean;
  /** Proof states that it holds. */
  readonly known: Set<number>;
}

interface Trouble {
  readonly status: 'unknown';
  readonly reason: ReasonCode;
  readonly message: string;
}

const ATTEMPTS = 3;
/** A replayed sentence may take this many times what it took the first time, and this long at least. */
const REPLAY_SLOWNESS = 20;
const REPLAY_LEAST_MS = 60_000;
const READ_LIMIT_MS = 60_000;
const CHECKPOINT_MS = 1000;
/** Proof states that HOL holds at a time. */
const MOST_KNOWN = 5000;

export interface HolSessionStart extends HolStart {
  /** Milliseconds of declarations after which the heap is saved. Default a second; infinite for recordings. */
  readonly checkpointMs?: number;
}

export class HolSession implements ProverSession {
  readonly identity: ProverIdentity;
  readonly root: StateId;
  readonly #start: HolSessionStart;
  readonly #states = new Map<StateId, State>();
  readonly #prefix = randomUUID().slice(0, 8);
  readonly #shown = new Map<StateId, ProofState>();
  #live: Live | undefined;
  /** Each heap holds only what came after the one before it, and stands on it: none is dropped alone. */
  #checkpoints: { readonly state: State; readonly heap: string }[] = [];
  #folder: string | undefined;
  #unsavedMs = 0;
  #generation = 1;
  #closed = false;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws QuodError as {@link HolProcess.start} does. */
  static async open(options: HolSessionStart): Promise<HolSession> {
    const start = { ...options, secret: options.secret ?? randomUUID().replaceAll('-', '') };
    const process = await HolProcess.start(start);
    const session = new HolSession(identityOfHol(start.executable, process.banner), start);
    session.#adopt(process, session.#rootState);
    return session;
  }

  private constructor(identity: ProverIdentity, start: HolSessionStart) {
    this.identity = identity;
    this.#start = start;
    this.root = this.#record(undefined, undefined, 0, undefined).id;
  }

  get generation(): number {
    return this.#generation;
  }

  run(from: StateId, sentence: Sentence, options: StepOptions = {}): Promise<StepResult> {
    return this.#inOrder(from, (state) => this.#run(state, sentence.text, options));
  }

  /** Opens the proof of a statement that does not stand in a `Theorem`. Its `QED` makes a theorem of that name. */
  openProof(from: StateId, name: string, statement: string, options: StepOptions = {}): Promise<StepResult> {
    const text = `Theorem ${name}:${statement}\nProof`;
    const sentence = { kind: 'open', text, name, statement, proofAttributes: '' } as const;
    return this.#inOrder(from, (state) => this.#proofStep(state, sentence, options));
  }

  /**
   * Executes steps of a tactic expression, which need not be sentences by themselves: what stands between `>| [` and `,`.
   * @param code What the spans of the steps point into.
   */
  runSteps(
    from: StateId,
    code: string,
    steps: readonly TacticStep[],
    proofAttributes: string,
    options: StepOptions = {},
  ): Promise<StepResult> {
    const text = steps.map(({ span }) => code.slice(span.start, span.end)).join('\n');
    const focus = 'same' as const;
    const sentence = { kind: 'step', text, code, steps, focus, cheats: [], proofAttributes } as const;
    return this.#inOrder(from, (state) => this.#proofStep(state, sentence, options));
  }

  goals(at: StateId): Promise<ProofState | null> {
    return this.#inOrder(at, async (state) => {
      if (state.proof === undefined) return null;
      const known = this.#shown.get(at);
      if (known !== undefined) return known;
      const answer = await this.#attempt(state, { timeoutMs: READ_LIMIT_MS }, (live) =>
        live.process.execute(`val () = Quod_Port.tell_state ${state.number}`, { timeoutMs: READ_LIMIT_MS }),
      );
      if (answer.status === 'unknown')
        throw new QuodError(this.#closed ? 'stale-state' : answer.reason, answer.message);
      return this.#remember(state, answer);
    });
  }

  background(): Promise<BackgroundGoals | null> {
    return Promise.resolve(null);
  }

  query(at: StateId, { text: command }: Sentence, options: StepOptions = {}): Promise<QueryResult> {
    return this.#inOrder(at, async (state): Promise<QueryResult> => {
      const sentence = readSentence(command, 'outside');
      if (sentence.kind === 'invalid') return { status: 'failed', error: invalid(sentence) };
      const answer = await this.#attempt(state, options, async (live) => {
        const told = await live.process.execute(command, limitsOf(options));
        if (!isHarmless(command)) live.dirty = true;
        return told;
      });
      if (answer.status === 'unknown') return answer;
      if (answer.stopped !== undefined) return this.#stopped(answer.stopped);
      const { reply } = answer;
      if (reply.status !== 'ok') return { status: 'failed', error: errorDiagnostic(reply, command) };
      return { status: 'done', messages: readMessages(reply.output) };
    });
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      await this.#live?.process.kill();
    }
    await this.#queue;
    await this.#live?.process.kill();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  get #rootState(): State {
    const root = this.#states.get(this.root);
    if (root === undefined) throw new QuodError('internal', 'A HOL4 session has lost its root.');
    return root;
  }

  #inOrder<Result>(id: StateId, work: (state: State) => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(() => work(this.#lookUp(id)));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #lookUp(id: StateId): State {
    const state = this.#closed ? undefined : this.#states.get(id);
    if (state !== undefined) return state;
    const why = this.#closed ? 'The session was closed.' : `This session never had a state ${id}.`;
    throw new QuodError('stale-state', why, { remedy: 'Open a session and run from its root.' });
  }

  async #run(from: State, text: string, options: StepOptions): Promise<StepResult> {
    const sentence = readSentence(text, placeOf(from));
    if (sentence.kind === 'invalid') return failed(invalid(sentence), 0);
    if (sentence.kind === 'step' && sentence.focus === 'back' && from.proof?.focus.length === 0) {
      return failed({ severity: 'error', message: 'No parenthesis is open.' }, 0);
    }
    if (sentence.kind === 'qed' && from.proof !== undefined && from.proof.focus.length > 0) {
      return failed({ severity: 'error', message: 'A parenthesis is still open.' }, 0);
    }
    switch (sentence.kind) {
      case 'open':
      case 'step':
        return await this.#proofStep(from, sentence, options);
      case 'qed':
        return await this.#declare(from, theoremBefore(from), sentence, options);
      case 'declaration':
        return await this.#declare(from, sentence, sentence, options);
    }
  }

  async #proofStep(
    from: State,
    sentence: Extract<Executed, { kind: 'open' | 'step' }>,
    options: StepOptions,
  ): Promise<StepResult> {
    const state = this.#prepare(from, sentence);
    const show = options.withGoals === true ? `\n;val () = Quod_Port.tell_state ${state.number}` : '';
    const answer = await this.#attempt(from, options, (live) =>
      live.process.execute(this.#proofCode(from, state) + show, limitsOf(options)),
    );
    if (answer.status === 'unknown') return { ...answer, elapsedMs: 0 };
    const { reply, elapsedMs } = answer;
    if (answer.stopped !== undefined) return { ...this.#stopped(answer.stopped), elapsedMs };
    if (reply.status !== 'ok') return { ...failed(errorDiagnostic(reply, sentence.text), elapsedMs) };
    const counts = sentence.kind === 'step' ? readStepCounts(answer.values[0]) : undefined;
    const done = this.#keep(state, counts?.opened ?? [], elapsedMs);
    this.#live?.known.add(done.number);
    this.#trimKnown();
    const messages = readMessages(reply.output);
    const result = { status: 'done', state: done.id, messages, elapsedMs } as const;
    if (options.withGoals !== true) return result;
    return { ...result, proof: this.#remember(done, answer) };
  }

  /** Executes a declaration on top of the world of `from`. */
  async #declare(
    from: State,
    declaration: Declaration,
    sentence: Executed,
    options: StepOptions,
  ): Promise<StepResult> {
    const answer = await this.#attempt(from, options, async (live) => {
      const told = await executeDeclaration(live.process, declaration, limitsOf(options));
      if (told.status === 'lost') return told;
      const clean = await this.#isClean(live, declaration, told);
      if (!clean) live.dirty = true;
      return told;
    });
    if (answer.status === 'unknown') return { ...answer, elapsedMs: 0 };
    const { reply, elapsedMs } = answer;
    if (answer.stopped !== undefined) return { ...this.#stopped(answer.stopped), elapsedMs };
    if (reply.status !== 'ok') {
      const error = errorDiagnostic(reply, sentence.text, declaration.text);
      return failed(error, elapsedMs);
    }
    const done = this.#record(from, sentence, elapsedMs, undefined);
    const live = this.#live;
    if (live !== undefined) this.#advance(live, done, answer);
    await this.#checkpoint();
    const messages = [...readMessages(reply.output), ...oracleWarnings(answer)];
    const result = { status: 'done', state: done.id, messages, elapsedMs } as const;
    return options.withGoals === true ? { ...result, proof: null } : result;
  }

  /** True when a declaration that failed left no trace. */
  async #isClean(live: Live, declaration: Declaration, { reply, stopped }: HolAnswer): Promise<boolean> {
    if (reply.status === 'ok' && stopped === undefined) return true;
    if (!reply.mayHaveActed) return true;
    if (!declaration.isTheorem) return false;
    const told = await live.process.execute('val () = Quod_Port.tell_segment ()', {
      timeoutMs: READ_LIMIT_MS,
    });
    return told.status === 'answered' && told.values[0] === live.segment;
  }

  #advance(live: Live, state: State, answer: HolAnswer): void {
    live.tip = state;
    live.known.clear();
    const segment = answer.values.find((value) => typeof value === 'string');
    if (typeof segment === 'string') live.segment = segment;
    this.#unsavedMs += state.elapsedMs;
  }

  /**
   * Does `work` where HOL stands ready to go on from a state. When HOL dies for no reason of Quod's, or was interrupted
   * by somebody else, everything is done once more.
   */
  async #attempt(
    state: State,
    limits: Limits,
    work: (live: Live) => Promise<HolAnswer | HolLost>,
  ): Promise<HolAnswer | Trouble> {
    for (let attempt = 1; ; attempt += 1) {
      const live = await this.#bring(state, limits.signal);
      if ('status' in live) return live;
      const answer = await work(live);
      if (answer.status === 'lost') {
        this.#live = undefined;
        if (
          attempt === 1 &&
          answer.stopped === undefined &&
          answer.reason === 'prover-crashed' &&
          !this.#closed
        )
          continue;
        return this.#trouble(this.#closed ? 'interrupted' : answer.reason, answer.message);
      }
      if (answer.stopped === undefined && answer.reply.status === 'interrupted' && attempt === 1) {
        live.dirty = true;
        continue;
      }
      return answer;
    }
  }

  /** A process that has executed exactly what leads to a state. */
  async #bring(state: State, signal: AbortSignal | undefined): Promise<Live | Trouble> {
    let why = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (this.#closed || isAborted(signal)) return this.#trouble('interrupted', '');
      const world = state.world ?? state;
      try {
        if (this.#live === undefined || this.#live.dirty || !isAncestor(this.#live.tip, world)) {
          await this.#restart(world, signal);
        }
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        return this.#trouble(error.reason, error.message);
      }
      const live = this.#live;
      if (live === undefined) continue;
      const trouble = await this.#replay(live, world, state, signal);
      if (trouble === undefined) return live;
      if (isAborted(signal)) return this.#trouble('interrupted', '');
      why = trouble;
      await live.process.kill();
      this.#live = undefined;
    }
    return this.#trouble('prover-crashed', `HOL could not be brought back: ${why}`);
  }

  /** Declares what is missing and repeats the steps of the proof that are not held. Answers what went wrong. */
  async #replay(
    live: Live,
    world: State,
    state: State,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    for (const next of pathBetween(live.tip, world)) {
      const sentence = next.sentence?.kind === 'qed' ? theoremBefore(next.parent ?? next) : next.sentence;
      if (sentence?.kind !== 'declaration') continue;
      const answer = await executeDeclaration(live.process, sentence, replayLimits(next, signal));
      const trouble = replayTrouble(next, answer);
      if (trouble !== undefined || answer.status === 'lost') return trouble;
      this.#advance(live, next, answer);
    }
    const missing: State[] = [];
    for (
      let at: State | undefined = state;
      at?.proof !== undefined && !live.known.has(at.number);
      at = at.parent
    )
      missing.push(at);
    for (const next of missing.toReversed()) {
      if (next.parent === undefined) continue;
      const answer = await live.process.execute(
        this.#proofCode(next.parent, next),
        replayLimits(next, signal),
      );
      const trouble = replayTrouble(next, answer);
      if (trouble !== undefined) return trouble;
      live.known.add(next.number);
    }
    return undefined;
  }

  async #restart(world: State, signal: AbortSignal | undefined): Promise<void> {
    await this.#live?.process.kill();
    this.#live = undefined;
    const saved = this.#checkpoints.findLast(({ state }) => isAncestor(state, world));
    const process = await HolProcess.start({
      ...this.#start,
      ...(signal !== undefined && { signal }),
      ...(saved !== undefined && { heap: saved.heap }),
    });
    this.#generation += 1;
    this.#unsavedMs = 0;
    this.#adopt(process, saved?.state ?? this.#rootState);
  }

  #adopt(process: HolProcess, tip: State): void {
    if (this.#closed) {
      void process.kill();
      return;
    }
    this.#live = { process, tip, segment: '', dirty: false, known: new Set() };
  }

  /** Saves the heap when much was declared since the last time; without it, going back only takes longer. */
  async #checkpoint(): Promise<void> {
    const live = this.#live;
    const { checkpointMs = CHECKPOINT_MS } = this.#start;
    if (live === undefined || live.dirty || this.#unsavedMs < checkpointMs) return;
    this.#unsavedMs = 0;
    this.#folder ??= makeScratchFolder('hol4');
    const heap = join(this.#folder, `${live.tip.number}.heap`);
    const code = `val () = (Quod_Port.forget_all (); PolyML.SaveState.saveChild (${mlString(heap)}, length (PolyML.SaveState.showHierarchy ())))`;
    const answer = await live.process.execute(code, { timeoutMs: READ_LIMIT_MS });
    if (answer.status === 'lost' || answer.reply.status !== 'ok') return;
    live.known.clear();
    this.#checkpoints.push({ state: live.tip, heap });
  }

  #proofCode(from: State, state: State): string {
    const { sentence } = state;
    if (sentence?.kind === 'open') {
      return `val () = Quod_Port.state_goal ${state.number} ${quotation(sentence.statement)}`;
    }
    if (sentence?.kind !== 'step') throw new QuodError('internal', 'A proof has a sentence that is no step.');
    const attributes = sentence.proofAttributes ?? state.proof?.opening.proofAttributes;
    const steps = stepList(sentence.code, sentence.steps, attributes);
    return `val () = Quod_Port.run ${from.number} ${state.number} ${steps}`;
  }

  /** A state inside of a proof that is not known to HOL yet. */
  #prepare(from: State, sentence: Extract<Executed, { kind: 'open' | 'step' }>): State {
    const before = from.proof;
    const opening = sentence.kind === 'open' ? sentence : before?.opening;
    if (opening === undefined) throw new QuodError('internal', 'A tactic stands outside of a proof.');
    const cheats = (before?.cheats ?? 0) + (sentence.kind === 'step' ? sentence.cheats.length : 0);
    const focus = sentence.kind === 'open' ? [] : (before?.focus ?? []);
    return this.#newState(from, sentence, 0, { opening, focus, cheats });
  }

  #keep(state: State, opened: readonly number[], elapsedMs: number): State {
    const { sentence, proof } = state;
    if (proof === undefined) throw new QuodError('internal', 'A proof has lost its beginning.');
    const focus = sentence?.kind === 'step' ? focusAfter(proof.focus, sentence.steps, opened) : proof.focus;
    const kept = { ...state, elapsedMs, proof: { ...proof, focus } };
    this.#states.set(kept.id, kept);
    return kept;
  }

  #record(
    parent: State | undefined,
    sentence: Executed | undefined,
    elapsedMs: number,
    proof: State['proof'],
  ): State {
    const state = this.#newState(parent, sentence, elapsedMs, proof);
    this.#states.set(state.id, state);
    return state;
  }

  #lastNumber = 0;

  #newState(
    parent: State | undefined,
    sentence: Executed | undefined,
    elapsedMs: number,
    proof: State['proof'],
  ): State {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const world = proof === undefined ? undefined : (parent?.world ?? parent);
    return { id: `${this.#prefix}.${number}` as StateId, number, parent, sentence, elapsedMs, world, proof };
  }

  #trimKnown(): void {
    const known = this.#live?.known;
    if (known === undefined || known.size <= MOST_KNOWN) return;
    const [oldest] = known;
    if (oldest === undefined) return;
    known.delete(oldest);
    void this.#live?.process.execute(`val () = Quod_Port.forget ${oldest}`, { timeoutMs: READ_LIMIT_MS });
  }

  #remember(state: State, answer: HolAnswer): ProofState {
    const shown = readShownState(answer.values);
    const cheats = state.proof?.cheats ?? 0;
    const oracles = shown.oracles.length > 0 ? 1 : 0;
    const proof: ProofState = {
      goals: shown.goals,
      unfocused: state.proof?.focus ?? [],
      shelved: 0,
      givenUp: Math.max(cheats, oracles),
    };
    this.#shown.set(state.id, proof);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MOST_KNOWN && oldest !== undefined) this.#shown.delete(oldest);
    return proof;
  }

  #stopped(reason: 'timeout' | 'interrupted'): Trouble {
    return this.#trouble(reason, '');
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

/** Loads the modules that a declaration opens, executes it, and asks for the segment when all went well. */
async function executeDeclaration(
  process: HolProcess,
  { text, modules }: Declaration,
  limits: Limits,
): Promise<HolAnswer | HolLost> {
  if (modules.length > 0) {
    const names = modules.map(mlString).join(', ');
    const loaded = await process.execute(`val () = Quod_Port.load [${names}]`, limits);
    if (loaded.status === 'lost' || loaded.stopped !== undefined || loaded.reply.status !== 'ok')
      return loaded;
  }
  return await process.execute(`${text}\n;val () = Quod_Port.tell_segment ()`, limits);
}

function replayLimits({ elapsedMs }: State, signal: AbortSignal | undefined): Limits {
  return { timeoutMs: Math.max(REPLAY_LEAST_MS, elapsedMs * REPLAY_SLOWNESS), signal };
}

function replayTrouble({ sentence }: State, answer: HolAnswer | HolLost): string | undefined {
  if (answer.status === 'lost') return answer.message;
  if (answer.stopped === undefined && answer.reply.status === 'ok') return undefined;
  const why = answer.reply.error?.message ?? 'it took too long';
  return `${JSON.stringify(sentence?.text.trim().slice(0, 200))}: ${why}`;
}

function oracleWarnings({ values }: HolAnswer): readonly Diagnostic[] {
  const theorem = values.map(readTheorem).find((value) => value !== undefined);
  if (theorem === undefined || theorem.oracles.length === 0) return [];
  return [{ severity: 'warning', message: `The theorem rests on oracles: ${theorem.oracles.join(', ')}.` }];
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function limitsOf({ timeoutMs, signal }: StepOptions): Limits {
  return { timeoutMs, signal };
}

function invalid({ message, span }: Extract<HolSentence, { kind: 'invalid' }>): Diagnostic {
  return { severity: 'error', message, ...(span !== undefined && { span }) };
}

function failed(error: Diagnostic, elapsedMs: number): Extract<StepResult, { status: 'failed' }> {
  return { status: 'failed', error, messages: [], elapsedMs };
}

/** Expressions that only look; after any other the process is not used again for what comes later. */
const LOOKERS =
  /^(?:DB\.\w+|DB_\w+|concl|hyp|dest_\w+|type_of|EVAL|Tag\.\w+|Thm\.(?:concl|hyp|tag)|print_\w+|Theory\.current_theory)\b/;

function isHarmless(command: string): boolean {
  const text = command.trim().replace(/;$/, '').trim();
  return /^[\w.']+$/.test(text) || /^[“‘`][^”’`]*[”’`]+$/.test(text) || LOOKERS.test(text);
}
