/**
 * The driver of a HOL that people and models type into: a step is any text that HOL executes, and there is no going
 * back. A command that fails may have declared something first; that stays, as it does for whoever types.
 */
import type { AskAnswer, ExecuteAnswer, ExecutionMode, Lost, ProverDriver } from '../../../core/driver.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { Sentence } from '../../../core/prover.ts';
import { errorDiagnostic, messagesIn } from './diagnostics.ts';
import type { HolAnswer, HolProcess } from './process.ts';
import { saveHeap } from './step-code.ts';

export interface HolLine extends Sentence {
  /** Told HOL's whole answer when the line is executed for the first time, also when it failed or was stopped. */
  readonly onAnswer?: (answer: HolAnswer) => void;
}

export class HolLineDriver implements ProverDriver<HolLine, number> {
  readonly root = 0;
  readonly keepsStates = false;
  readonly readsAnywhere = true;
  readonly #process: HolProcess;
  readonly #heapFile: () => string;
  /** How many lines were executed. */
  #tip = 0;
  #repeated = 0;

  constructor(process: HolProcess, heapFile: () => string) {
    this.#process = process;
    this.#heapFile = heapFile;
  }

  get banner(): string {
    return this.#process.banner;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get busy(): boolean {
    return this.#process.busy;
  }

  /** Lines that another process had executed before. */
  get repeated(): number {
    return this.#repeated;
  }

  holds(place: number): boolean {
    return place === this.#tip;
  }

  async execute(
    _base: number,
    { text, onAnswer }: HolLine,
    _withGoals: boolean,
    mode: ExecutionMode,
  ): Promise<ExecuteAnswer<HolLine, number>> {
    const answer = await this.tell(text);
    if (answer.status === 'lost') return answer;
    if (mode !== 'repeated') onAnswer?.(answer);
    if (answer.stopped !== undefined) return { status: 'interrupted' };
    const { reply } = answer;
    if (reply.status !== 'ok') return { status: 'failed', error: errorDiagnostic(reply, text), messages: [] };
    this.#tip += 1;
    if (mode === 'repeated') this.#repeated += 1;
    return { status: 'done', place: this.#tip, messages: messagesIn(reply.output) };
  }

  /** Executes code that belongs to no history. */
  async tell(code: string): Promise<HolAnswer | Lost> {
    const answer = await this.#process.execute(code);
    if (answer.status === 'answered') return answer;
    const { reason, message } = answer;
    return { status: 'lost', reason, message };
  }

  goals(): Promise<AskAnswer<null>> {
    return Promise.resolve({ status: 'done', value: null });
  }

  async query(_at: number, { text }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    const answer = await this.tell(text);
    if (answer.status === 'lost') return answer;
    if (answer.stopped !== undefined) return { status: 'interrupted' };
    const { reply } = answer;
    if (reply.status !== 'ok') return { status: 'failed', error: errorDiagnostic(reply, text) };
    return { status: 'done', value: messagesIn(reply.output) };
  }

  async save(): Promise<string | undefined> {
    const heap = this.#heapFile();
    const answer = await this.tell(`val () = ${saveHeap(heap)}`);
    return answer.status === 'answered' && answer.reply.status === 'ok' ? heap : undefined;
  }

  interrupt(): void {
    this.#process.stop();
  }

  /** Interrupts the running line for somebody who does not wait for it. */
  interruptLine(): void {
    this.#process.interrupt();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }
}
