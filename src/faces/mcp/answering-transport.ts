/**
 * MCP over HTTP with sessions, where a cancelled request ends its stream. The protocol has a cancelled request not
 * answered, and a stream end with the answers of its requests: both cannot be, and a client that waits for the end of
 * the stream would wait for ever. So the request gets an error, which a client that cancelled it passes over.
 */
import {
  WebStandardStreamableHTTPServerTransport,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from '@modelcontextprotocol/server';
import type { RequestId } from '@modelcontextprotocol/server';
import { cancelledBy, errorAnswer } from './json-rpc-lines.ts';

/** The code that the Language Server Protocol has for it; JSON-RPC and MCP name none. */
const REQUEST_CANCELLED = -32_800;

type Send = WebStandardStreamableHTTPServerTransport['send'];

export class AnsweringTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #unanswered = new Set<RequestId>();

  /** Watches what comes in; once a server is connected, which is then the one that hears it first. */
  answerCancelled(onError: (error: Error) => void): void {
    const { onmessage } = this;
    this.onmessage = (message, extra) => {
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      onmessage?.(message, extra);
      const id = cancelledBy(message);
      if (id === undefined) return;
      // After the turn in which the server aborts the call, whose own answer it then no longer sends.
      setImmediate(() => {
        if (this.#unanswered.has(id))
          this.send(errorAnswer(id, REQUEST_CANCELLED, 'The call was cancelled.')).catch(onError);
      });
    };
  }

  override send(...[message, options]: Parameters<Send>): ReturnType<Send> {
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#unanswered.delete(message.id);
    return super.send(message, options);
  }
}
