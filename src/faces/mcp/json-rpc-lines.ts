/**
 * The lines of standard input as messages of JSON-RPC: what is none is answered with the code that JSON-RPC has for it
 * and goes no further, and a batch goes on as its messages. A broken answer is not answered: two programs that did
 * would never end.
 */
import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { Batches, type Answer, type ErrorAnswer } from './batches.ts';

export const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const STRAY_LINE =
  'A line of the input is no JSON and was passed over: each line is one message of MCP, which its clients write.';
const NO_UTF8 = 'A line of the input is not UTF-8 and was passed over: MCP is JSON in UTF-8.';
/** Stands for bytes that are no character. */
const REPLACEMENT = '\u{fffd}';
const NO_MESSAGE =
  'A line of the input is JSON and no message of JSON-RPC, and was passed over: a request has `jsonrpc` 2.0, `id` (a text or a whole number) and `method`, and its `params` are an object.';
const NO_BATCH =
  'A batch of messages was passed over: the revision of MCP that this connection has knows none. Send each message by itself.';
const EMPTY_BATCH = 'A batch without a message was passed over.';

export interface LineTarget {
  readonly write: (answer: Answer | readonly Answer[]) => void;
  /** Told of every line that is not the protocol. */
  readonly onError: (error: Error) => void;
}

export class JsonRpcLines {
  /** That was negotiated. */
  revision: string | undefined;
  readonly #target: LineTarget;
  readonly #batches: Batches;

  constructor(target: LineTarget) {
    this.#target = target;
    this.#batches = new Batches(target.write);
  }

  /** The lines of the messages that a line has. */
  read(line: string): readonly string[] {
    if (line.trim() === '') return [];
    const json = parsedLine(line);
    if (json === undefined) return this.#refuse(errorAnswer(null, PARSE_ERROR, STRAY_LINE));
    if (Array.isArray(json.value)) return this.#readBatch(json.value);
    if (isMessage(json.value)) {
      this.#seeCancelled(json.value);
      return [line];
    }
    if (isBrokenAnswer(json.value)) this.#target.onError(new Error(NO_MESSAGE));
    else this.#refuse(noMessage(json.value));
    return [];
  }

  /** For a line that is not UTF-8: what would be read of it is not what was sent. @param readable with what can be read. */
  refuseBytes(readable: string): void {
    const json = parsedLine(readable);
    const id = json !== undefined && isJSONRPCRequest(json.value) ? json.value.id : null;
    const isWhole = typeof id !== 'string' || !id.includes(REPLACEMENT);
    this.#refuse(errorAnswer(isWhole ? id : null, PARSE_ERROR, NO_UTF8));
  }

  /** For a request of which only the id was read. */
  refuseRequest(id: RequestId, message: string): void {
    this.#target.write(errorAnswer(id, INVALID_REQUEST, message));
  }

  /** Whether an answer of the server is written with the others of its batch, and not by itself. */
  holds(message: JSONRPCMessage): boolean {
    return isJSONRPCResponse(message) && message.id !== undefined && this.#batches.holds(message.id, message);
  }

  #readBatch(members: readonly unknown[]): readonly string[] {
    if (!Batches.areIn(this.revision)) return this.#refuse(errorAnswer(null, INVALID_REQUEST, NO_BATCH));
    if (members.length === 0) return this.#refuse(errorAnswer(null, INVALID_REQUEST, EMPTY_BATCH));
    const messages = members.filter((member) => isMessage(member));
    const others = members.filter((member) => !isMessage(member));
    if (others.length > 0) this.#target.onError(new Error(NO_MESSAGE));
    this.#batches.begin(
      messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id),
      others.filter((other) => !isBrokenAnswer(other)).map(noMessage),
    );
    for (const message of messages) this.#seeCancelled(message);
    return messages.map((message) => JSON.stringify(message));
  }

  #refuse(answer: ErrorAnswer): readonly string[] {
    this.#target.onError(new Error(answer.error.message));
    this.#target.write(answer);
    return [];
  }

  #seeCancelled(message: JSONRPCMessage): void {
    const id = cancelledBy(message);
    if (id !== undefined) this.#batches.cancelled(id);
  }
}

/** The request that a message cancels; undefined where it cancels none. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return isRequestId(id) ? id : undefined;
}

/** @param id null where it could not be read. */
export function errorAnswer<Id extends RequestId | null>(
  id: Id,
  code: number,
  message: string,
): ErrorAnswer & { readonly id: Id } {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parsedLine(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

function isBrokenAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'method' in value) return false;
  return 'result' in value || 'error' in value;
}

function noMessage(value: unknown): ErrorAnswer {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return errorAnswer(isRequestId(id) ? id : null, INVALID_REQUEST, NO_MESSAGE);
}
