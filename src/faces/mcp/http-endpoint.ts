/**
 * MCP over HTTP at one address, for every revision of the protocol. Clients of the revisions up to 2025-11-25 open a
 * session, which is one client of Quod and takes its proof sessions with it when it ends or is not heard of for long.
 * Since 2026-07-28 each request stands for itself; those clients keep their proof sessions by naming themselves.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Host } from '../host.ts';
import { UNNAMED_CLIENT, namedClient } from '../access/client-name.ts';
import { LARGEST_BODY } from '../access/guard.ts';
import { AnsweringTransport } from './answering-transport.ts';
import { EventMemory } from './event-memory.ts';
import { errorAnswer, PARSE_ERROR } from './json-rpc-lines.ts';
import { makeMcpServer } from './mcp-server.ts';
import type { McpSurface } from './surface.ts';

/** How long a client may be away, without a request and without a stream, before its session ends. */
const AWAY_MS = 30 * 60_000;

/** How long a client waits before it connects again after a broken stream. */
const RETRY_MS = 1000;

interface LegacySession {
  readonly transport: AnsweringTransport;
  readonly client: string;
  /** Whether the client has a name of its own, and so outlives this session. */
  readonly named: boolean;
  lastHeardAt: number;
  openStreams: number;
}

export interface McpEndpointChoice {
  readonly host: Host;
  readonly surface: (client: string) => McpSurface;
  /** Told of messages that are not the protocol. */
  readonly onError: (error: Error) => void;
}

export class McpEndpoint {
  readonly #choice: McpEndpointChoice;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #modern: McpHttpHandler;
  readonly #sweeper: NodeJS.Timeout;

  constructor(choice: McpEndpointChoice) {
    this.#choice = choice;
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const client = requestInfo === undefined ? undefined : namedClient(requestInfo.headers);
        return makeMcpServer(choice.surface(client ?? UNNAMED_CLIENT));
      },
      { legacy: 'reject', maxRequestBodySize: LARGEST_BODY, onerror: choice.onError },
    );
    this.#sweeper = setInterval(() => void this.#endForgottenSessions(), AWAY_MS / 30).unref();
  }

  /** @throws QuodError `invalid-input` when the client's name is none. */
  async fetch(request: Request): Promise<Response> {
    namedClient(request.headers);
    if (request.body !== null && !isUtf8(await request.clone().arrayBuffer()))
      return Response.json(errorAnswer(null, PARSE_ERROR, 'The body is not UTF-8: MCP is JSON in UTF-8.'), {
        status: 400,
      });
    const legacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: LARGEST_BODY });
    return legacy ? this.#fetchLegacy(request) : this.#modern.fetch(request);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#modern.close();
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #fetchLegacy(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request);
    const session = this.#sessions.get(id);
    if (session === undefined) {
      // The client's word for this status: begin a new session. So it goes after the server was started again.
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
        { status: 404 },
      );
    }
    session.lastHeardAt = performance.now();
    if (request.method === 'GET') {
      session.openStreams += 1;
      request.signal.addEventListener('abort', () => {
        session.openStreams -= 1;
        session.lastHeardAt = performance.now();
      });
    }
    return session.transport.handleRequest(request);
  }

  /** A request without a session opens one when it is `initialize`; the transport refuses every other. */
  async #open(request: Request): Promise<Response> {
    const name = namedClient(request.headers);
    const id = randomUUID();
    const client = name ?? `mcp:${id}`;
    const transport = new AnsweringTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventMemory(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: LARGEST_BODY,
      onsessioninitialized: () => {
        const named = name !== undefined;
        this.#sessions.set(id, { transport, client, named, lastHeardAt: performance.now(), openStreams: 0 });
      },
    });
    const server = makeMcpServer(this.#choice.surface(client));
    server.server.onclose = () => void this.#ended(id);
    server.server.onerror = this.#choice.onError;
    await server.connect(transport);
    transport.answerCancelled(this.#choice.onError);
    const response = await transport.handleRequest(request);
    if (!this.#sessions.has(id)) await transport.close();
    return response;
  }

  async #ended(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    const { services } = this.#choice.host;
    if (!session.named) await services.clientGone(session.client);
    else if (![...this.#sessions.values()].some(({ client }) => client === session.client))
      services.clientAway(session.client);
  }

  async #endForgottenSessions(): Promise<void> {
    const forgotten = [...this.#sessions.values()].filter(
      ({ client, lastHeardAt, openStreams }) =>
        openStreams === 0 &&
        this.#choice.host.calls.runningOf(client) === 0 &&
        performance.now() - lastHeardAt > AWAY_MS,
    );
    await Promise.all(forgotten.map(({ transport }) => transport.close()));
  }
}
