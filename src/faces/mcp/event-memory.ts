/**
 * The last messages of one MCP session, so that a client whose connection broke gets the answer of a long call after it
 * connected again. Bounded: a client that comes back too late has to ask again.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MOST_EVENTS = 200;

export class EventMemory implements EventStore {
  readonly #events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  #count = 0;

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#count += 1;
    const id = String(this.#count);
    this.#events.push({ id, stream, message });
    if (this.#events.length > MOST_EVENTS) this.#events.shift();
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.find((event) => event.id === id)?.stream);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#events.find(({ id }) => id === lastEventId);
    if (last === undefined) throw new Error('The events after this one are no longer kept.');
    const isLater = ({ id, stream }: { id: string; stream: string }): boolean =>
      stream === last.stream && Number(id) > Number(lastEventId);
    // An event without a message only gave the stream its first id.
    for (const { id, message } of this.#events.filter(isLater)) {
      if (Object.keys(message).length > 0) await send(id, message);
    }
    return last.stream;
  }
}
