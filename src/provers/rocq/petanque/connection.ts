/**
 * One petanque server and the request that waits for its answer: one at a time, because coq-lsp gives up what it does
 * when another message arrives. The first thing that is wrong ends the process; every later request is answered `lost`.
 *
 * JSON-RPC is done here and not by a library: docs/decisions/petanque.md says why.
 */
import type { Readable, Writable } from 'node:stream';
import { errorText } from '../../../core/errors.ts';
import type { GuardedChild } from '../../../process/guarded-child.ts';
import type { Framing, MessageReader } from '../../../process/message-framing.ts';
import { residentBytes } from '../../../process/process-table.ts';
import type { Lost } from '../../../core/driver.ts';
import { ENDED, garbage, lossOf } from '../../../process/prover-loss.ts';
import { type Reply, readIncoming } from './protocol.ts';

/** Where the messages go and come from: the program's own input and output, or a socket. */
export interface Channel {
  readonly output: Readable;
  readonly input: Writable;
  readonly framing: Framing;
}

interface Waiting {
  readonly id: number;
  readonly resolve: (reply: Reply | Lost) => void;
}

export class PetanqueConnection {
  readonly #child: GuardedChild;
  readonly #channel: Channel;
  readonly #reader: MessageReader;
  readonly #onNotification: (method: string, params: unknown) => void;
  #waiting: Waiting | undefined;
  #lastId = 0;
  #lost: Lost | undefined;

  constructor(
    child: GuardedChild,
    channel: Channel,
    onNotification: (method: string, params: unknown) => void = () => {},
  ) {
    this.#child = child;
    this.#channel = channel;
    this.#reader = channel.framing.reader();
    this.#onNotification = onNotification;
    channel.output.on('data', (bytes: Buffer) => this.#receive(bytes));
    void child.exited.then((exit) => this.#lose(lossOf(exit)));
  }

  get busy(): boolean {
    return this.#waiting !== undefined;
  }

  /** Of the server and everything that it started. */
  get residentBytes(): number {
    return residentBytes(this.#child.pid);
  }

  /** Only integer ids get answers, and only parameters that the method knows are accepted. One request at a time. */
  async request(method: string, params: object): Promise<Reply | Lost> {
    if (this.#lost !== undefined) return this.#lost;
    return await new Promise((resolve) => {
      const id = (this.#lastId += 1);
      this.#waiting = { id, resolve };
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: object): void {
    if (this.#lost === undefined) this.#send({ jsonrpc: '2.0', method, params });
  }

  interrupt(signal: NodeJS.Signals): void {
    this.#child.interrupt(signal);
  }

  async killHelpers(): Promise<void> {
    await this.#child.killHelpers();
  }

  async kill(): Promise<void> {
    this.#lost ??= ENDED;
    this.#channel.input.destroy();
    await this.#child.kill();
  }

  #send(message: object): void {
    this.#channel.input.write(this.#channel.framing.frame(JSON.stringify(message)));
  }

  #receive(bytes: Buffer): void {
    if (this.#lost !== undefined) return;
    try {
      for (const text of this.#reader.push(bytes)) {
        const incoming = readIncoming(text);
        if (incoming.kind === 'notification') this.#onNotification(incoming.method, incoming.params);
        else this.#answer(incoming.id, incoming.reply);
      }
    } catch (error) {
      this.#lost = garbage(errorText(error));
      void this.#child.kill();
    }
  }

  #answer(id: number, reply: Reply): void {
    const waiting = this.#waiting;
    if (waiting?.id !== id) throw new Error(`an answer to request ${id}, which nobody made`);
    this.#waiting = undefined;
    waiting.resolve(reply);
  }

  #lose(loss: Lost): void {
    this.#lost ??= loss;
    this.#waiting?.resolve(this.#lost);
    this.#waiting = undefined;
  }
}
