/**
 * Batches of JSON-RPC over standard input: the answers to the requests of one are one line, after the last of them.
 * The revisions of MCP up to 2025-03-26 have them; 2025-06-18 took them out.
 */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

const REVISIONS: readonly string[] = ['2024-10-07', '2024-11-05', '2025-03-26'];

/** An answer as it is written: what could not be read is answered with the id null. */
export type Answer = JSONRPCMessage | ErrorAnswer;

export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

interface Batch {
  readonly awaited: RequestId[];
  readonly answers: Answer[];
}

export class Batches {
  readonly #write: (answers: readonly Answer[]) => void;
  readonly #open = new Set<Batch>();

  /** @param write is called once for each batch that has an answer. */
  constructor(write: (answers: readonly Answer[]) => void) {
    this.#write = write;
  }

  /** @param revision that was negotiated; undefined before it is, and in those that need no negotiation. */
  static areIn(revision: string | undefined): boolean {
    return revision !== undefined && REVISIONS.includes(revision);
  }

  /** @param answers to what of the batch is no message. */
  begin(awaited: readonly RequestId[], answers: readonly Answer[]): void {
    const batch = { awaited: [...awaited], answers: [...answers] };
    this.#open.add(batch);
    this.#endWhenWhole(batch);
  }

  /** Whether the answer is one to a request of a batch, which is then written with the others. */
  holds(id: RequestId, answer: Answer): boolean {
    const batch = this.#without(id);
    if (batch === undefined) return false;
    batch.answers.push(answer);
    this.#endWhenWhole(batch);
    return true;
  }

  /** A cancelled request is not answered, so its batch does not wait for it. */
  cancelled(id: RequestId): void {
    const batch = this.#without(id);
    if (batch !== undefined) this.#endWhenWhole(batch);
  }

  #without(id: RequestId): Batch | undefined {
    const batch = [...this.#open].find(({ awaited }) => awaited.includes(id));
    batch?.awaited.splice(batch.awaited.indexOf(id), 1);
    return batch;
  }

  #endWhenWhole(batch: Batch): void {
    if (batch.awaited.length > 0) return;
    this.#open.delete(batch);
    if (batch.answers.length > 0) this.#write(batch.answers);
  }
}
