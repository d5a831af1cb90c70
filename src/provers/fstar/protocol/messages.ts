/**
 * What `fstar.exe --ide` writes, bytes in and values out: one JSON value a line. Nothing it may write is thrown away
 * without a word and nothing makes the reader fail: a line that is no message of the protocol (a runtime's warning,
 * what a tactic printed) is handed on as `noise`, one that is longer than any sensible message as `overlong`.
 */
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { parsedJson } from '../../../core/json.ts';

export type FstarMessage =
  /** The first line. Version 2 knows `push` and `pop`; version 3 also `full-buffer`: see `features`. */
  | { readonly kind: 'protocol-info'; readonly version: number; readonly features: readonly string[] }
  | {
      readonly kind: 'response';
      /** That of the query, or `Q.n` for the nth query that a full-buffer query Q was broken into, or `?`. */
      readonly queryId: string;
      readonly status: 'success' | 'failure' | 'protocol-violation';
      readonly response: unknown;
    }
  | {
      readonly kind: 'message';
      readonly queryId: string | null;
      /** `progress`, `info`, `warning`, `error`, `proof-state`, … */
      readonly level: string;
      readonly contents: unknown;
    }
  | { readonly kind: 'noise'; readonly text: string }
  | { readonly kind: 'overlong'; readonly bytes: number };

const MESSAGE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('protocol-info'), version: z.number(), features: z.array(z.string()) }),
  z.object({
    kind: z.literal('response'),
    'query-id': z.string(),
    status: z.enum(['success', 'failure', 'protocol-violation']),
    response: z.unknown(),
  }),
  z.object({
    kind: z.literal('message'),
    'query-id': z.string().nullish(),
    level: z.string(),
    contents: z.unknown(),
  }),
]);

/** The message that one line holds. */
function readMessage(line: string): FstarMessage {
  const parsed = MESSAGE.safeParse(parsedJson(line));
  if (!parsed.success) return { kind: 'noise', text: line };
  const message = parsed.data;
  switch (message.kind) {
    case 'protocol-info':
      return message;
    case 'response':
      return {
        kind: 'response',
        queryId: message['query-id'],
        status: message.status,
        response: message.response,
      };
    case 'message':
      return {
        kind: 'message',
        queryId: message['query-id'] ?? null,
        level: message.level,
        contents: message.contents,
      };
  }
}

/** No answer of F* comes near; what does is a flood, and is counted instead of kept. */
const LONGEST_LINE = 64 * 1024 * 1024;

export class MessageReader {
  readonly #longest: number;
  readonly #decoder = new StringDecoder('utf8');
  /** The beginning of a line that has not ended. */
  #parts: string[] = [];
  /** Bytes of it. */
  #length = 0;

  constructor(longest: number = LONGEST_LINE) {
    this.#longest = longest;
  }

  /** The messages that these bytes complete. */
  push(bytes: Uint8Array): FstarMessage[] {
    const messages: FstarMessage[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#take(bytes.subarray(start, end));
      const line = this.#endLine();
      if (line !== undefined) messages.push(line);
      start = end + 1;
    }
    this.#take(bytes.subarray(start));
    return messages;
  }

  /** What is left when the output has ended: a line without an end. */
  finish(): FstarMessage[] {
    const line = this.#endLine();
    return line === undefined ? [] : [line];
  }

  #take(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#longest) this.#parts = [];
    else this.#parts.push(this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
  }

  #endLine(): FstarMessage | undefined {
    const length = this.#length;
    const line = this.#parts.join('') + this.#decoder.end();
    this.#parts = [];
    this.#length = 0;
    if (length > this.#longest) return { kind: 'overlong', bytes: length };
    const trimmed = line.trim();
    return trimmed === '' ? undefined : readMessage(trimmed);
  }
}

const NEWLINE = 10;
