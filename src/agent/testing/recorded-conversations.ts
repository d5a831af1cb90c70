/**
 * Conversations with real models, recorded once and replayed by tests. A recorder stands between the agent and a
 * server, passes every request on and writes down what came back; a replayer answers from that file alone. Keys
 * travel in headers, which are never written down. Names of folders differ from run to run and stand as `FOLDER` in
 * the file.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const exchangeSchema = z.object({
  /** Of the path and the body. */
  request: z.string(),
  path: z.string(),
  body: z.string(),
  status: z.int(),
  contentType: z.string(),
  answer: z.string(),
});

type Exchange = z.output<typeof exchangeSchema>;

export interface Conversation {
  /** With `/v1`, as the server that it stands for. */
  readonly url: string;
  close(): Promise<void>;
}

/** Records what a server answers, request by request, at the end of a file. */
export function recordConversations(upstream: string, file: string, folder: string): Promise<Conversation> {
  return serve(async (request, body) => {
    const path = pathOf(request);
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'x-api-key', 'anthropic-version', 'x-goog-api-key'].flatMap(
        (name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value] as const] : [];
        },
      ),
    );
    const response = await fetch(`${upstream.replace(/\/v1$/u, '')}${path}`, {
      method: 'POST',
      headers,
      body,
    });
    const answer = await response.text();
    const contentType = response.headers.get('content-type') ?? 'application/json';
    const own = { path, body: withoutFolder(body, folder) };
    const exchange = { request: keyOf(own), ...own, status: response.status, contentType, answer };
    appendFileSync(file, `${JSON.stringify(exchange)}\n`);
    return exchange;
  });
}

/** Answers from a file; the same request twice gets its answers in the order in which they were recorded. */
export function replayConversations(file: string, folder: string): Promise<Conversation> {
  const waiting = new Map<string, Exchange[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const exchange = exchangeSchema.parse(JSON.parse(line));
    waiting.set(exchange.request, [...(waiting.get(exchange.request) ?? []), exchange]);
  }
  return serve((request, body) => {
    const path = pathOf(request);
    const known = waiting.get(keyOf({ path, body: withoutFolder(body, folder) }));
    const exchange = known !== undefined && known.length > 1 ? known.shift() : known?.[0];
    return Promise.resolve(
      exchange ?? {
        status: 404,
        contentType: 'application/json',
        answer: JSON.stringify({ error: { message: 'This request was not recorded.' } }),
      },
    );
  });
}

type Answer = Pick<Exchange, 'status' | 'contentType' | 'answer'>;

async function serve(
  answer: (request: IncomingMessage, body: string) => Promise<Answer>,
): Promise<Conversation> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      answer(request, body).then(
        ({ status, contentType, answer: text }) => {
          response.writeHead(status, { 'content-type': contentType });
          response.end(text);
        },
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function pathOf({ url }: IncomingMessage): string {
  // What stands behind the question mark may be a key.
  return (url ?? '/').split('?')[0] ?? '/';
}

function withoutFolder(body: string, folder: string): string {
  return body.replaceAll(folder, 'FOLDER');
}

function keyOf({ path, body }: Pick<Exchange, 'path' | 'body'>): string {
  return createHash('sha256').update(`${path}\n${body}`).digest('hex');
}
