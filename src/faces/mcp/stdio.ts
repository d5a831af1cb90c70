/**
 * MCP over standard input and output: one client, which is gone when its end of the pipe closes. Then every call that
 * still runs is cancelled. When Quod is told to end, the calls that run are answered first. Nothing but the
 * protocol is ever written to the output.
 */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { BoundedLines, type LineEnds } from './bounded-lines.ts';
import { JsonRpcLines } from './json-rpc-lines.ts';
import { makeMcpServer } from './mcp-server.ts';
import type { McpSurface } from './surface.ts';

/** Bytes of one message; a larger one is refused. Proofs and whole files are far smaller. */
const LARGEST_MESSAGE = 16 * 1024 * 1024;

const TOO_LARGE = `A message of MCP may have ${LARGEST_MESSAGE / (1024 * 1024)} MiB, and this one has more.`;

/** Before and behind what makes a request large: its parameters, which can have such a member, too. */
const ID_AT_BEGINNING =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"method"\s*:\s*"[^"\\]*"\s*,\s*)?"id"\s*:\s*(?<id>\d+|"[^"\\]*")\s*,/u;
const ID_AT_END = /[,}\]]\s*"id"\s*:\s*(?<id>\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}$/u;

/** Of which request a message is that was not read; undefined where that cannot be seen. */
function requestOf({ beginning, end }: LineEnds): string | number | undefined {
  const id = (ID_AT_BEGINNING.exec(beginning) ?? ID_AT_END.exec(end))?.groups?.['id'];
  if (id === undefined) return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}

export interface StdioChoice {
  readonly input: Readable;
  readonly output: Writable;
  /** What the client, whose name it gets, is offered. */
  readonly surface: (client: string) => McpSurface;
  readonly signal: AbortSignal;
  /** Awaited when the signal is aborted, before the connection is closed: lets the running calls be answered. */
  readonly ending: () => Promise<void>;
  /** Told of messages that are not the protocol; the connection goes on. */
  readonly onError: (error: Error) => void;
}

/** Resolves when the client is gone or the signal is aborted. */
export async function serveMcpOverStdio(choice: StdioChoice): Promise<void> {
  const { output, signal } = choice;
  const lines = new JsonRpcLines({
    write: (answers) => {
      if (output.writable) output.write(`${JSON.stringify(answers)}\n`);
    },
    onError: choice.onError,
  });
  const input = new BoundedLines(LARGEST_MESSAGE, {
    onLine: (line) => lines.read(line),
    onOtherBytes: (readable) => lines.refuseBytes(readable),
    onTooLong: (ends) => {
      choice.onError(new Error(TOO_LARGE));
      const id = requestOf(ends);
      if (id !== undefined) lines.refuseRequest(id, TOO_LARGE);
    },
  });
  const surface = choice.surface(randomUUID());
  const closed = Promise.withResolvers<undefined>();
  class LineTransport extends StdioServerTransport {
    setProtocolVersion(version: string): void {
      lines.revision = version;
    }

    override async send(message: JSONRPCMessage): Promise<void> {
      if (!lines.holds(message)) await super.send(message);
    }

    override async close(): Promise<void> {
      await super.close();
      closed.resolve(undefined);
    }
  }
  const transport = new LineTransport(input, output, { maxBufferSize: LARGEST_MESSAGE + 1 });
  const broken = (error: Error): void => void input.destroy(error);
  const gone = (): void => void input.end();
  choice.input.pipe(input);
  choice.input.once('error', broken).once('close', gone);
  const handle = serveStdio(() => makeMcpServer(surface), { transport, onerror: choice.onError });
  const stop = (): void => {
    void choice.ending().finally(() => {
      // The answers that the end of the calls made are written in the turns of the loop before this one.
      setImmediate(() => {
        closed.resolve(undefined);
      });
    });
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await closed.promise;
  signal.removeEventListener('abort', stop);
  await handle.close();
  choice.input.unpipe(input).off('error', broken).off('close', gone).pause();
}
