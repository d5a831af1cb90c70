/** The server of one workspace: MCP at `/mcp`, the operations at `/api`, their description at `/docs`. */
import { randomBytes } from 'node:crypto';
import { createAdaptorServer } from '@hono/node-server';
import type { AddressInfo, Server } from 'node:net';
import { Hono } from 'hono';
import { QuodError } from '../../core/errors.ts';
import { asQuodError } from '../error-object.ts';
import type { Host } from '../host.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import type { McpSurface } from '../mcp/surface.ts';
import { documentationPage } from '../rest/documentation-page.ts';
import { openApiDocument } from '../rest/openapi.ts';
import { restApi } from '../rest/rest-api.ts';
import { localOnly, smallBodiesOnly, tokenRequired } from './guard.ts';
import { problemResponse } from './problem.ts';

export interface ServeChoice {
  readonly host: Host;
  readonly surface: (client: string) => McpSurface;
  /** 0: any that is free. */
  readonly port: number;
  /** Null: whoever reaches the address may call. */
  readonly token: string | null;
  readonly onError: (error: Error) => void;
}

export interface HttpServer {
  /** `http://127.0.0.1:4770`. */
  readonly url: string;
  /** Ends running calls and connections. The host's services are the caller's to close. */
  close(): Promise<void>;
}

/** A token that nobody guesses. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** @throws QuodError `invalid-input` when the port is taken. */
export async function serveHttp(choice: ServeChoice): Promise<HttpServer> {
  const mcp = new McpEndpoint(choice);
  const server = createAdaptorServer({ fetch: application(choice, mcp).fetch }) as Server & {
    closeAllConnections(): void;
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new QuodError('invalid-input', `The server cannot listen on port ${choice.port}: ${cause.message}.`, {
          remedy: 'Choose another with --port; 0 takes any that is free.',
          cause,
        }),
      );
    });
    server.listen(choice.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await mcp.close();
      const closed = new Promise((resolve) => server.close(resolve));
      // Calls that still run are cancelled by the end of their connections.
      server.closeAllConnections();
      await closed;
    },
  };
}

function application({ host, token, onError }: ServeChoice, mcp: McpEndpoint): Hono {
  const app = new Hono();
  app.use(localOnly);
  app.get('/', (context) => context.redirect('/docs'));
  // These two say only what Quod's source says too, and a browser has no way to send a token with an address.
  app.get('/docs', () => documentationPage(host.operations));
  app.get('/api/openapi.json', (context) => context.json(openApiDocument(host.operations)));
  if (token !== null) app.use(tokenRequired(token));
  app.use(smallBodiesOnly);
  app.all('/mcp', ({ req }) => mcp.fetch(req.raw));
  app.route('/', restApi(host));
  app.notFound(({ req }) =>
    problemResponse(
      new QuodError('not-found', `There is nothing at ${req.path}.`, {
        remedy: 'See /docs; MCP is at /mcp and the operations are at /api.',
      }),
    ),
  );
  app.onError((thrown) => {
    const error = asQuodError(thrown);
    if (error.reason === 'internal') onError(thrown);
    return problemResponse(error);
  });
  return app;
}
