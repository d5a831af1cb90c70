/**
 * Petanque as a {@link RocqDriver}. Its states are explicit and stay until the process ends, so that going back costs
 * nothing; the price is memory, and a process that has made many states says that it is worn.
 *
 * An interrupt is a SIGALRM. Rocq installs a handler for it while a command with a time limit runs and removes it
 * afterwards; the start of the server gives every command a limit (`Set Default Timeout`) and makes the process ignore
 * the signal at all other times (launch.ts). So it stops the command that runs, within milliseconds, also in code that
 * does not look for Rocq's own interrupts, and it can come neither too early nor too late.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { errorText } from '../../../core/errors.ts';
import { proofStateOf, type BackgroundGoals, type ProofState } from '../../../core/proof-state.ts';
import type { Interrupted, Lost } from '../../../core/driver.ts';
import type { Sentence } from '../../../core/prover.ts';
import { garbage } from '../../../process/prover-loss.ts';
import type { AskAnswer, ExecuteAnswer, RocqDriver, StmId } from '../driver.ts';
import { answersAmong } from '../query-answer.ts';
import type { PetanqueConnection } from './connection.ts';
import { withBlankedComments } from '../syntax/blanked-comments.ts';
import { ERRORS, type Refusal, refusalDiagnostic, readPetanqueGoals, readState } from './protocol.ts';

/**
 * No memory of earlier results: it would repeat an interrupt to whoever runs the same tactic again, and be freed no
 * more than states are. No hash, which nobody reads.
 */
export const OPTIONS = { memo: false, hash: false };

/** How often the running command is told to stop: it may not have begun, or catch what stops it. */
const INSIST_EVERY_MS = 20;
/** A process that has made fewer states is not replaced for its memory: replaying would fill the next one as well. */
const STATES_BEFORE_WORN = 2000;
/** How many new states pass between two looks at the memory. */
const STATES_BETWEEN_LOOKS = 200;
/** The part of the memory limit above which a process is worn. */
const WORN_SHARE = 0.6;

/** What Rocq says when the signal stops a command. */
const TIMEOUT = 'Coq: Timeout!';

type Answered<Value> = { readonly status: 'answered'; readonly value: Value };
type Refused = { readonly status: 'refused'; readonly refusal: Refusal };

export class PetanqueDriver implements RocqDriver {
  readonly root: StmId;
  readonly keepsStates = true;
  readonly readsAnywhere = true;
  readonly #connection: PetanqueConnection;
  readonly #memoryLimit: number;
  readonly #dispose: () => Promise<void>;
  #states = 0;
  #stopAsked = false;
  #insisting: NodeJS.Timeout | undefined;

  /** `dispose` removes what the server's start left behind. */
  constructor(
    connection: PetanqueConnection,
    root: StmId,
    memoryLimit: number,
    dispose: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#connection = connection;
    this.root = root;
    this.#memoryLimit = memoryLimit;
    this.#dispose = dispose;
  }

  isWorn(): boolean {
    if (this.#states < STATES_BEFORE_WORN || this.#states % STATES_BETWEEN_LOOKS !== 0) return false;
    return this.#connection.residentBytes > this.#memoryLimit * WORN_SHARE;
  }

  async execute(base: StmId, { text }: Sentence, withGoals: boolean): Promise<ExecuteAnswer> {
    const ran = await this.#run(base, text);
    switch (ran.status) {
      case 'refused':
        return { status: 'failed', error: refusalDiagnostic(ran.refusal), messages: ran.refusal.messages };
      case 'answered': {
        const { id, messages } = ran.value;
        if (!withGoals) return { status: 'done', place: id, messages };
        const shown = await this.goals(id);
        switch (shown.status) {
          case 'done':
            return { status: 'done', place: id, messages, proof: shown.value };
          case 'failed':
            return { ...shown, messages };
          default:
            return shown;
        }
      }
      default:
        return ran;
    }
  }

  async goals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    return this.#readGoals(at, (goals) => goals && proofStateOf(goals));
  }

  async background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>> {
    return this.#readGoals(
      at,
      (goals) => goals && { unfocused: goals.unfocused, shelved: goals.shelved, givenUp: goals.givenUp },
    );
  }

  /** Running makes a state that is simply not used. */
  async query(at: StmId, { text }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    const ran = await this.#run(at, text);
    switch (ran.status) {
      case 'answered':
        return { status: 'done', value: answersAmong(ran.value.messages) };
      case 'refused':
        return { status: 'failed', error: refusalDiagnostic(ran.refusal) };
      default:
        return ran;
    }
  }

  interrupt(): void {
    if (!this.#connection.busy) return;
    this.#stopAsked = true;
    const ask = (): void => {
      if (this.#connection.busy) this.#connection.interrupt('SIGALRM');
    };
    ask();
    this.#insisting ??= setInterval(ask, INSIST_EVERY_MS);
  }

  async kill(): Promise<void> {
    this.#stopInsisting();
    await this.#connection.kill();
    await this.#dispose();
  }

  async #run(
    st: StmId,
    tac: string,
  ): Promise<Answered<ReturnType<typeof readState>> | Refused | Interrupted | Lost> {
    this.#states += 1;
    return await this.#ask('petanque/run', { st, tac: withBlankedComments(tac), opts: OPTIONS }, readState);
  }

  async #readGoals<Value>(
    st: StmId,
    read: (goals: ReturnType<typeof readPetanqueGoals>) => Value,
  ): Promise<AskAnswer<Value>> {
    const answer = await this.#ask('petanque/goals', { st }, (result) => read(readPetanqueGoals(result)));
    switch (answer.status) {
      case 'answered':
        return { status: 'done', value: answer.value };
      case 'refused':
        return { status: 'failed', error: refusalDiagnostic(answer.refusal) };
      default:
        return answer;
    }
  }

  async #ask<Value>(
    method: string,
    params: object,
    read: (result: unknown) => Value,
  ): Promise<Answered<Value> | Refused | Interrupted | Lost> {
    const afterStop = this.#stopAsked;
    this.#stopAsked = false;
    const reply = await this.#connection.request(method, params);
    const stopped = this.#stopRequested();
    this.#stopInsisting();
    // The last signal for the request before may have been handled only now.
    if (afterStop && !stopped && reply.status === 'refused' && reply.refusal.message === TIMEOUT)
      return await this.#ask(method, params, read);
    if (stopped) await this.#connection.killHelpers();
    if (reply.status === 'lost') {
      await this.#dispose();
      return reply;
    }
    try {
      if (reply.status === 'answered') return { status: 'answered', value: read(reply.result) };
    } catch (error) {
      await this.kill();
      return garbage(errorText(error));
    }
    const { code, message } = reply.refusal;
    if (stopped || code === ERRORS.interrupted) return { status: 'interrupted' };
    if (code === ERRORS.rocq || code === ERRORS.anomaly) return reply;
    await this.kill();
    return garbage(`${message} (${code})`);
  }

  #stopInsisting(): void {
    clearInterval(this.#insisting);
    this.#insisting = undefined;
  }

  /** Set from outside while a request is awaited, which the compiler cannot know. */
  #stopRequested(): boolean {
    return this.#stopAsked;
  }
}
