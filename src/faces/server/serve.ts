/**
 * The server of one workspace: the workbench at `/ui/`, MCP at `/mcp`, the operations at `/api`, their description
 * at `/docs`. A connection that breaks cancels its call and is no failure of ours. A server that ends answers the
 * calls that still run.
 */
import { randomBytes } from 'node:crypto';
import { createAdaptorServer } from '@hono/node-server';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { QuodError } from '../../core/errors.ts';
import { clause } from '../../core/sentence.ts';
import { CALLS_GRACE_MS } from '../calls.ts';
import { asQuodError } from '../error-object.ts';
import type { Host } from '../host.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import type { McpSurface } from '../mcp/surface.ts';
import { documentationPage } from '../rest/documentation-page.ts';
import { apiEntrance, openApiDocument } from '../rest/openapi.ts';
import { responseHeaders } from '../rest/response-headers.ts';
import { restApi } from '../rest/rest-api.ts';
import { localOnly, ownPagesOnly, smallBodiesOnly, tokenRequired } from '../access/guard.ts';
import { PageSessions } from '../access/page-session.ts';
import { problemResponse } from '../problem.ts';
import { watchFolder } from './live/folder-watch.ts';
import { LiveFeed } from './live/live-feed.ts';
import { liveRoutes } from './live/live-routes.ts';
import { workbenchRoutes } from './workbench-page.ts';

export interface ServeChoice {
  readonly host: Host;
  readonly surface: (client: string) => McpSurface;
  /** 0 to 65535; 0: any that is free. */
  readonly port: number;
  /** Null: whoever reaches the address may call. */
  readonly token: string | null;
  /** Told of defects of Quod. */
  readonly onError: (error: Error) => void;
  /** Told of messages that are not the protocol, which their senders are told of too. */
  readonly onClientError: (error: Error) => void;
  /** Milliseconds that running calls have to stop by themselves when the server ends. */
  readonly graceMs?: number;
}

/** How long the answers of ended calls may take on their way to callers that read slowly. */
const SENDING_MS = 1000;

export interface HttpServer {
  /** `http://127.0.0.1:4770`. */
  readonly url: string;
  /** What this server proves itself with to programs of its user; it ends with the server. */
  readonly identity: string;
  /** A link that admits one browser to the workbench, once. */
  workbenchLink(): string;
  /**
   * Answers the running calls, at the latest after the grace; ends connections. The host's services are the
   * caller's to close.
   */
  close(): Promise<void>;
}

/** A token that nobody guesses. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** @throws QuodError `invalid-input` when the port is none or is taken. */
export async function serveHttp(choice: ServeChoice): Promise<HttpServer> {
  const { port: wanted } = choice;
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new QuodError('invalid-input', `${wanted} is no port.`, {
      remedy: 'Ports are 0 to 65535; 0 takes any that is free.',
    });
  }
  const mcp = new McpEndpoint({ ...choice, onError: choice.onClientError });
  // Over HTTP/1.1 and without TLS, which is what the adaptor makes when it is asked for nothing else.
  const sessions = choice.token === null ? null : new PageSessions(choice.token);
  const feed = new LiveFeed();
  const identity = makeToken();
  const app = application(choice, { mcp, sessions, feed, identity });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const answers = answersOf(server);
  await listen(server, wanted);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const unwatch = watchFolder(choice.host.workspace.root, feed);
  return {
    url,
    identity,
    workbenchLink: () => `${url}/ui/${sessions === null ? '' : `#enter=${sessions.ticket()}`}`,
    close: async () => {
      await unwatch();
      const closed = new Promise((resolve) => server.close(resolve));
      await choice.host.calls.end(choice.graceMs ?? CALLS_GRACE_MS);
      await withinSending(answers.all());
      await mcp.close();
      server.closeIdleConnections();
      await withinSending(answers.all());
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new QuodError(
          'invalid-input',
          `The server cannot listen on port ${port}: ${clause(cause.message)}.`,
          {
            remedy: 'Choose another with --port; 0 takes any that is free.',
            cause,
          },
        ),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** The answers that are on their way. Streams that last as long as their reader are not waited for. */
function answersOf(server: Server): { readonly all: () => Promise<unknown> } {
  const open = new Map<ServerResponse, Promise<void>>();
  server.on('request', ({ method, url }: IncomingMessage, response: ServerResponse) => {
    if (method === 'GET' && url?.startsWith('/mcp') === true) return;
    const sent = new Promise<void>((resolve) => {
      response.once('close', () => {
        open.delete(response);
        resolve();
      });
    });
    open.set(response, sent);
  });
  return { all: () => Promise.all(open.values()) };
}

async function withinSending(sent: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SENDING_MS);
  });
  await Promise.race([sent, late]);
  clearTimeout(timer);
}

interface Parts {
  readonly mcp: McpEndpoint;
  readonly sessions: PageSessions | null;
  readonly feed: LiveFeed;
  readonly identity: string;
}

function application({ host, token, onError }: ServeChoice, { mcp, sessions, feed, identity }: Parts): Hono {
  const app = new Hono();
  app.use(responseHeaders);
  app.use(localOnly);
  app.get('/', (context) => context.redirect('/ui/'));
  // These say only what Quod's source says too, and a browser has no way to send a token with an address.
  app.get('/docs', () => documentationPage(host.operations));
  app.get('/api/openapi.json', (context) => context.json(openApiDocument(host.operations)));
  app.get('/api', (context) => context.json(apiEntrance()));
  app.get('/api/', (context) => context.json(apiEntrance()));
  app.use(smallBodiesOnly);
  app.route('/', workbenchRoutes(sessions, identity));
  if (token !== null && sessions !== null) app.use(tokenRequired(token, sessions));
  else app.use(ownPagesOnly);
  app.all('/mcp', ({ req }) => mcp.fetch(req.raw));
  app.post('/ui/ticket', (context) => context.json({ ticket: sessions?.ticket() ?? null }));
  app.route('/', liveRoutes(host, feed));
  app.route('/', restApi(host));
  app.notFound(({ req }) =>
    problemResponse(
      new QuodError('not-found', `There is nothing at ${req.path}.`, {
        remedy: 'See /docs; the workbench is at /ui/, MCP at /mcp, and the operations are at /api.',
      }),
    ),
  );
  app.onError((thrown, { req }) => {
    // Whatever a request fails with whose connection is gone: nobody hears the answer, and nothing of ours is wrong.
    const error = req.raw.signal.aborted ? connectionBroke(thrown) : asQuodError(thrown);
    if (error.reason === 'internal') onError(thrown);
    const isEnding = error.reason === 'interrupted' && host.calls.ending.aborted;
    return problemResponse(error, isEnding ? { status: 503 } : {});
  });
  return app;
}

function connectionBroke(cause: unknown): QuodError {
  return new QuodError('interrupted', 'The connection broke before the call was answered.', { cause });
}
