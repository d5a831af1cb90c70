/**
 * One coqidetop process and the calls that wait for its answers. Answers come in the order of the calls, so a batch of
 * calls goes out in one write. The first thing that is wrong ends the process; every later batch is answered `lost`.
 */
import { errorText } from '../../../core/errors.ts';
import type { GuardedChild } from '../../../process/guarded-child.ts';
import { processorMs } from '../../../process/process-table.ts';
import type { Lost } from '../../../core/driver.ts';
import { ENDED, garbage, lossOf } from '../../../process/prover-loss.ts';
import { type CoqMessage, type CoqValue, readOutput } from './protocol.ts';
import { XmlReader } from './xml.ts';

export interface CoqAnswers {
  readonly status: 'answered';
  /** One for each call. */
  readonly values: readonly CoqValue[];
  /** What was said while the calls ran. */
  readonly messages: readonly CoqMessage[];
}

interface Batch {
  readonly size: number;
  readonly values: CoqValue[];
  readonly messages: CoqMessage[];
  readonly resolve: (answer: CoqAnswers | Lost) => void;
}

export class CoqConnection {
  readonly #child: GuardedChild;
  readonly #reader = new XmlReader();
  #running: Batch | undefined;
  #lost: Lost | undefined;

  constructor(child: GuardedChild) {
    this.#child = child;
    child.output.on('data', (bytes: Buffer) => this.#receive(bytes));
    void child.exited.then((exit) => this.#lose(lossOf(exit)));
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Processor time of the process; undefined where the system does not tell. */
  get processorMs(): number | undefined {
    return processorMs(this.#child.pid);
  }

  /** Sends calls together and collects their answers. One batch at a time. */
  async exchange(calls: readonly string[]): Promise<CoqAnswers | Lost> {
    if (this.#lost !== undefined) return this.#lost;
    return await new Promise((resolve) => {
      this.#running = { size: calls.length, values: [], messages: [], resolve };
      this.#child.input.write(calls.join(''));
    });
  }

  interrupt(): void {
    this.#child.interrupt();
  }

  async killHelpers(): Promise<void> {
    await this.#child.killHelpers();
  }

  async kill(): Promise<void> {
    this.#lost ??= ENDED;
    await this.#child.kill();
  }

  #receive(bytes: Buffer): void {
    if (this.#lost !== undefined) return;
    try {
      for (const element of this.#reader.push(bytes)) {
        const output = readOutput(element);
        if (output?.kind === 'value') this.#addValue(output.value);
        else if (output !== undefined) this.#running?.messages.push(output.message);
      }
    } catch (error) {
      this.#lost = garbage(errorText(error));
      void this.#child.kill();
    }
  }

  #addValue(value: CoqValue): void {
    const batch = this.#running;
    if (batch === undefined) throw new Error('an answer to nothing');
    batch.values.push(value);
    if (batch.values.length < batch.size) return;
    this.#running = undefined;
    batch.resolve({ status: 'answered', values: batch.values, messages: batch.messages });
  }

  #lose(loss: Lost): void {
    this.#lost ??= loss;
    this.#running?.resolve(this.#lost);
    this.#running = undefined;
  }
}
