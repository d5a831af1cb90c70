import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { serveHttp } from '../server/serve.ts';
import type { HttpServer } from '../server/serve.ts';
import { SAMPLE_OPERATIONS, sampleNotes } from '../testing/sample-operations.ts';
import { quodSurface } from './quod-surface.ts';

let host: Host;
let server: HttpServer;

beforeEach(async () => {
  host = await openHost({ folder: '.', confined: true, operations: SAMPLE_OPERATIONS });
  const surface = (client: string) => quodSurface(host, client);
  server = await serveHttp({
    ...{ host, surface, port: 0, token: null },
    ...{ onError: () => {}, onClientError: () => {} },
  });
});

afterEach(async () => {
  await server.close();
  await host.services.close();
});

function post(body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** The headers of a session of that version of the protocol. */
async function session(protocolVersion: string): Promise<Record<string, string>> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const opened = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, {});
  await opened.text();
  return {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': protocolVersion,
  };
}

const call = (id: number, name: string, input: Record<string, unknown> = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: input },
});

const cancel = (requestId: number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId },
});

async function answersOf(response: Promise<Response>): Promise<unknown[]> {
  const lines = (await (await response).text()).split('\n');
  const messages = lines.flatMap((line): unknown[] =>
    /^data: ./u.test(line) ? [JSON.parse(line.slice(6))] : [],
  );
  return messages.filter((message) => JSON.stringify(message) !== '{}');
}

async function begun(count: number): Promise<void> {
  await vi.waitFor(() => expect(host.services.get(sampleNotes).waits).toHaveLength(count));
}

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'the stream of a cancelled call ends with an answer, %s',
  async (version) => {
    const headers = await session(version);
    const answers = answersOf(post(call(7, 'proof_wait'), headers));
    await begun(1);
    expect((await post(cancel(7), headers)).status).toBe(202);
    expect(await answers).toMatchObject([{ id: 7, error: { code: -32_800 } }]);
    expect(host.services.get(sampleNotes).waits).toEqual(['begun', 'cancelled']);
  },
);

test('a call that was answered is not answered again when it is cancelled late', async () => {
  const headers = await session('2025-03-26');
  const answers = answersOf(
    post([call(1, 'proof_wait'), call(2, 'gate_add', { left: 1, right: 2 })], headers),
  );
  await begun(1);
  await post(cancel(2), headers);
  await post(cancel(9), headers);
  await post(cancel(1), headers);
  expect(await answers).toMatchObject([
    { id: 2, result: { structuredContent: { sum: 3 } } },
    { id: 1, error: { code: -32_800 } },
  ]);
});
