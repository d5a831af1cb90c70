/** How the server takes what goes wrong around calls: connections that break, ports that are none, its own end. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineOperation } from '../../operations/definition/operation.ts';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { ERROR_META_KEY } from '../mcp/operation-tool.ts';
import { quodSurface } from '../mcp/quod-surface.ts';
import { SAMPLE_OPERATIONS, sampleNotes } from '../testing/sample-operations.ts';
import { z } from 'zod';
import { serveHttp } from './serve.ts';
import type { HttpServer } from './serve.ts';

/** An operation that goes on whatever its signal says, until the test lets it end. */
let deaf = Promise.withResolvers<undefined>();
const deafOperation = defineOperation({
  name: 'proof_deaf',
  area: 'proof',
  title: 'Go on',
  summary: 'Does not hear that it should stop.',
  input: z.object({}),
  output: z.object({}),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  run: async (_input, { services }) => {
    services.get(sampleNotes).waits.push('begun');
    await deaf.promise;
    return {};
  },
});

let host: Host;
let server: HttpServer;
/** What would be seen where the server runs. */
let errors: string[];

beforeEach(async () => {
  errors = [];
  deaf = Promise.withResolvers();
  for (const name of ['error', 'info', 'warn', 'log'] as const) {
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => void errors.push(values.join(' ')));
  }
  host = await openHost({
    folder: '.',
    confined: true,
    operations: [...SAMPLE_OPERATIONS, deafOperation],
  });
  server = await serve(0);
});

afterEach(async () => {
  deaf.resolve(undefined);
  await server.close();
  await host.services.close();
  vi.restoreAllMocks();
});

function serve(port: number): Promise<HttpServer> {
  return serveHttp({
    host,
    surface: (client) => quodSurface(host, client),
    port,
    token: null,
    onError: (error) => void errors.push(String(error.stack)),
    onClientError: (error) => void errors.push(error.message),
    graceMs: 200,
  });
}

function post(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
}

async function connected(mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)));
  return client;
}

async function callsBegun(number: number): Promise<void> {
  await vi.waitFor(() => {
    expect(host.services.get(sampleNotes).waits.filter((event) => event === 'begun')).toHaveLength(number);
  });
}

describe('a connection that breaks', () => {
  const json = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
  const whole = (body: string): string => `Content-Length: ${body.length}\r\n\r\n${body}`;

  test.each([
    [
      'in the middle of a body',
      `POST /api/gate/note HTTP/1.1\r\n${json}Host: localhost\r\nContent-Length: 99\r\n\r\n{"te`,
    ],
    [
      'in a body in chunks',
      `POST /api/gate/note HTTP/1.1\r\n${json}Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"te`,
    ],
    ['in a body to MCP', `POST /mcp HTTP/1.1\r\n${json}Host: localhost\r\nContent-Length: 99\r\n\r\n{"js`],
    [
      'in chunks to MCP',
      `POST /mcp HTTP/1.1\r\n${json}Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"js`,
    ],
    [
      'in a call',
      `POST /api/proof/wait HTTP/1.1\r\nContent-Type: application/json\r\nHost: localhost\r\n${whole('{}')}`,
    ],
    [
      'in a stream of progress',
      `POST /api/proof/wait HTTP/1.1\r\n${json}Host: localhost\r\n${whole('{"steps":3}')}`,
    ],
    ['in a stream of events', 'GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['in the headers', 'POST /api/gate/note HTTP/1.1\r\nHost: loc'],
    ['after nothing', ''],
  ])('%s is told to nobody', async (_where, sent) => {
    for (const reset of [true, false]) {
      const socket = await opened(sent);
      if (reset) socket.resetAndDestroy();
      else socket.destroy();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    // The server has seen the breaks when it has answered what was asked after them.
    await vi.waitFor(() => {
      expect(host.calls.runningOf('unnamed')).toBe(0);
    });
    expect((await fetch(`${server.url}/api/server`)).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test.each(['auto', 'legacy'] as const)('in a call over MCP, negotiation %s, neither', async (mode) => {
    const client = await connected(mode);
    client.callTool({ name: 'proof_wait', arguments: {} }).catch(() => undefined);
    await callsBegun(1);
    const transport = client.transport as StreamableHTTPClientTransport;
    if (mode === 'legacy') await transport.terminateSession();
    await client.close();
    await vi.waitFor(() => {
      expect(host.services.get(sampleNotes).waits).toEqual(['begun', 'cancelled']);
    });
    expect(errors).toEqual([]);
  });

  async function opened(sent: string): Promise<Socket> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    await new Promise((resolve) => socket.write(sent, resolve));
    // Long enough for the server to begin with what came.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return socket;
  }
});

test('a request that is not MCP is told in one line', async () => {
  expect((await fetch(`${server.url}/mcp`, { headers: { accept: 'text/event-stream' } })).status).toBe(400);
  expect(errors).toEqual(['Bad Request: Server not initialized']);
});

test.each([80_000, 65_536, -1, 1.5])('port %d is none', async (port) => {
  await expect(serve(port)).rejects.toMatchObject({
    reason: 'invalid-input',
    remedy: expect.stringContaining('65535') as unknown,
  });
});

describe('a server that ends', () => {
  test('answers running calls, over REST and as events, with 503 and `interrupted`', async () => {
    const plain = post('/api/proof/wait');
    const asEvents = post('/api/proof/wait', { accept: 'text/event-stream' });
    await callsBegun(2);
    await server.close();
    expect((await plain).status).toBe(503);
    expect(await (await plain).json()).toMatchObject({
      reason: 'interrupted',
      status: 503,
      message: 'Quod was told to end before it had answered.',
    });
    expect(await (await asEvents).text()).toMatch(/^event: error\ndata: .*"status":503.*"interrupted"/m);
  });

  test('answers a call that does not hear that it should stop, after the grace', async () => {
    const call = post('/api/proof/deaf');
    await callsBegun(1);
    await server.close();
    expect((await call).status).toBe(503);
  });

  test.each(['auto', 'legacy'] as const)('answers running calls over MCP, negotiation %s', async (mode) => {
    const client = await connected(mode);
    const call = client.callTool({ name: 'proof_wait', arguments: {} });
    await callsBegun(1);
    const closed = server.close();
    expect(await call).toMatchObject({
      isError: true,
      _meta: { [ERROR_META_KEY]: { reason: 'interrupted' } },
    });
    await client.close();
    await closed;
  });

  test('ends the streams of those who watch', async () => {
    const watched = await fetch(`${server.url}/api/events`);
    await server.close();
    expect(await watched.text()).toBe('');
  });
});
