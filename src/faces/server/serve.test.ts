import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { REASON_CODES } from '../../core/reason.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { quodSurface } from '../mcp/quod-surface.ts';
import { SAMPLE_OPERATIONS, sampleNotes } from '../testing/sample-operations.ts';
import { LARGEST_BODY } from '../access/guard.ts';
import { statusOf } from '../problem.ts';
import { makeToken, serveHttp } from './serve.ts';
import type { HttpServer } from './serve.ts';

const token = makeToken();
let host: Host;
let server: HttpServer;
const clients: Client[] = [];

async function start(port = 0): Promise<void> {
  host = await openHost({ folder: '.', confined: true, operations: SAMPLE_OPERATIONS });
  server = await serveHttp({
    host,
    surface: (client) => quodSurface(host, client),
    port,
    token,
    onError: () => {},
    onClientError: () => {},
  });
}

beforeEach(() => start());

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
  await host.services.close();
});

const AUTHORIZED = { authorization: `Bearer ${token}` };

function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { headers: { ...AUTHORIZED, ...headers } });
}

async function connect(era: 'auto' | 'legacy', headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
      requestInit: { headers: { ...AUTHORIZED, ...headers } },
    }),
  );
  clients.push(client);
  return client;
}

describe('operations over HTTP', () => {
  test('POST takes JSON and answers JSON', async () => {
    const response = await post('/api/gate/describe', { file: 'a.v', words: ['x'] });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      path: 'a.v',
      lines: 3,
      verbose: false,
      kind: 'short',
      words: ['x'],
    });
  });

  test('a body that is no UTF-8 is refused, and not read as another text', async () => {
    const response = await fetch(`${server.url}/api/gate/describe`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: Buffer.from('{"file":"caf\xe9.v"}', 'latin1'),
    });
    expect(response.status).toBe(statusOf('invalid-input'));
    expect(await response.text()).toContain('UTF-8');
  });

  test('GET answers what changes nothing and takes scalars only', async () => {
    expect(await (await get('/api/gate/add?left=1.5&right=2&negate=true')).json()).toEqual({ sum: -3.5 });
    for (const path of ['/api/gate/note?text=x', '/api/gate/describe?file=a.v']) {
      const refused = await get(path);
      expect(refused.status).toBe(405);
      expect(refused.headers.get('allow')).toBe('POST');
    }
  });

  test.each(Object.keys(REASON_CODES) as ReasonCode[])('%s is a problem with its status', async (reason) => {
    const response = await post('/api/proof/fail', { reason });
    expect(response.status).toBe(statusOf(reason));
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: `/docs#${reason}`,
      title: REASON_CODES[reason],
      status: statusOf(reason),
      detail: `It failed with ${reason}.`,
      reason,
      message: `It failed with ${reason}.`,
      file: 'a.v',
      line: 3,
      column: 5,
      remedy: 'Do something else.',
    });
  });

  test('a stream of events: progress, then the answer or the problem', async () => {
    const ok = await post('/api/gate/add', { left: 1, right: 2 }, { accept: 'text/event-stream' });
    expect(ok.headers.get('content-type')).toContain('text/event-stream');
    expect(await ok.text()).toBe('event: result\ndata: {"sum":3}\n\n');
    const late = await post('/api/proof/wait', { steps: 2, timeout: 0.05 }, { accept: 'text/event-stream' });
    expect(await late.text()).toMatch(
      /^event: progress\ndata: \{"message":"Step 1".*\n\nevent: error\ndata: .*"timeout"/,
    );
  });

  test('a watcher sees the calls of its own client only', async () => {
    const controller = new AbortController();
    const watched = await fetch(`${server.url}/api/events`, {
      headers: { ...AUTHORIZED, 'quod-client': 'a' },
      signal: controller.signal,
    });
    await post('/api/gate/add', { left: 1, right: 2 }, { 'quod-client': 'b' });
    await post('/api/proof/fail', { reason: 'stale-state' }, { 'quod-client': 'a' });
    let seen = '';
    for await (const chunk of watched.body ?? []) {
      seen += Buffer.from(chunk).toString();
      if (seen.includes('event: ended')) break;
    }
    expect(seen).toMatch(/event: began[\s\S]*proof_fail[\s\S]*event: ended[\s\S]*stale-state/);
    expect(seen).not.toContain('gate_add');
    controller.abort();
  });

  test('relative paths start at the folder that the caller is in, inside the workspace', async () => {
    const inside = await post('/api/gate/describe', { file: 'a.v' }, { 'quod-folder': 'src' });
    expect(await inside.json()).toMatchObject({ path: 'a.v' });
    const up = await post('/api/gate/describe', { file: '../package.json' }, { 'quod-folder': 'src' });
    expect(up.status).toBe(200);
    for (const [file, folder] of [
      ['../../x', 'src'],
      ['a.v', '..'],
    ] as const) {
      expect((await post('/api/gate/describe', { file }, { 'quod-folder': folder })).status).toBe(403);
    }
  });

  test('the description and its page need no token and name every operation', async () => {
    const description = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(description.openapi).toBe('3.1.0');
    const page = await fetch(`${server.url}/docs`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    for (const { name, area } of SAMPLE_OPERATIONS) {
      expect(Object.keys(description.paths)).toContain(`/api/${area}/${name.slice(area.length + 1)}`);
      expect(text).toContain(`id="${name}"`);
    }
    expect(text).not.toMatch(/(src|href)="https?:/);
  });
});

describe('what is refused', () => {
  test.each([
    ['no token', {}],
    ['a forged token', { authorization: `Bearer ${makeToken()}` }],
    ['a token with one letter more', { authorization: `Bearer ${token}x` }],
    ['another scheme', { authorization: `Basic ${token}` }],
  ])('%s', async (_name, headers) => {
    for (const path of ['/api/gate/add?left=1&right=2', '/api/server', '/api/events', '/mcp']) {
      const response = await fetch(server.url + path, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      expect(await response.json()).toMatchObject({ reason: 'unauthorized' });
    }
  });

  test.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a host that only begins like ours', { host: 'localhost.evil.example' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('%s', async (_name, headers) => {
    for (const path of ['/api/server', '/mcp', '/docs']) {
      const { status, body } = await rawGet(path, { ...AUTHORIZED, ...headers });
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ reason: 'foreign-origin' });
    }
  });

  test('every answer keeps its type, is kept by nobody, and is closed to other sites', async () => {
    const answers = [
      get('/api/server'),
      get('/api/events'),
      get('/docs'),
      get('/api/openapi.json'),
      get('/nothing'),
      fetch(`${server.url}/api/server`),
      post('/api/gate/add', { left: 'one' }),
    ];
    for (const { headers, body } of await Promise.all(answers)) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toMatch(/^no-(?:store|cache)$/);
      await body?.cancel();
    }
  });

  test('a page of this machine is served', async () => {
    expect((await get('/api/server', { origin: 'http://localhost:5173' })).status).toBe(200);
  });

  test('broken JSON, another type, unknown parameters, an unknown route', async () => {
    const refusals = [
      [await post('/api/gate/add', '{"left": 1,'), 400, 'invalid-input'],
      [await post('/api/gate/add', 'left=1', { 'content-type': 'text/plain' }), 415, 'invalid-input'],
      [await post('/api/gate/add', { left: 1, right: 2, up: 3 }), 400, 'invalid-input'],
      [await post('/api/gate/add', [1, 2]), 400, 'invalid-input'],
      [await get('/api/gate/add?left=one&right=2'), 400, 'invalid-input'],
      [await post('/api/gate/ad', {}), 404, 'not-found'],
      [await get('/elsewhere'), 404, 'not-found'],
      [await post('/api/gate/describe', { file: '../../etc/passwd' }), 403, 'outside-workspace'],
      [await get('/api/server', { 'quod-client': 'a b' }), 400, 'invalid-input'],
    ] as const;
    for (const [response, status, reason] of refusals) {
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ reason, status });
    }
    expect(
      (await post('/mcp', '{"jsonrpc":', { accept: 'application/json, text/event-stream' })).status,
    ).toBe(400);
  });

  test('the entrance says where everything is, also to those who have no token yet', async () => {
    for (const path of ['/api', '/api/']) {
      const entrance = await fetch(server.url + path);
      expect(entrance.status).toBe(200);
      const { openapi, documentation } = (await entrance.json()) as Record<string, string>;
      expect((await fetch(`${server.url}${openapi}`)).status).toBe(200);
      expect((await fetch(`${server.url}${documentation}`)).status).toBe(200);
    }
    expect((await post('/api', {})).status).toBe(404);
  });

  test.for([
    ['/api/gate_describe', '/api/gate/describe'],
    ['/api/gate-describe/', '/api/gate/describe'],
    ['/api/gate/gate_describe', '/api/gate/describe'],
    ['/api/gate_descrbe', '/api/gate/describe'],
    ['/api/gate/descrbe', '/api/gate/describe'],
    ['/api/gate', undefined],
    ['/api/nothing', undefined],
  ])('%s was meant for %s', async ([path, meant]) => {
    const { remedy } = (await (await post(path ?? '', {})).json()) as { remedy: string };
    expect(/Did you mean (\S+)\?/u.exec(remedy)?.[1]).toBe(meant);
  });

  test('a body that is too large', async () => {
    const response = await post('/api/gate/note', { text: 'x'.repeat(LARGEST_BODY) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ reason: 'too-large' });
    expect((await post('/mcp', 'x'.repeat(LARGEST_BODY + 1))).status).toBe(413);
  });

  test.for(['keep-alive', 'close'])('whoever sends all of it first reads why (%s)', async (connection) => {
    const { port } = new URL(server.url);
    const length = 4 * LARGEST_BODY;
    const socket = createConnection(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const head = `POST /api/gate/note HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    socket.write(
      `${head}Content-Type: application/json\r\nConnection: ${connection}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let sent = 0; sent < length; sent += piece.length)
      if (!socket.write(piece)) await once(socket, 'drain');
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*The body is larger than 16 MB\./u);
    socket.destroy();
  });

  test('a second server on the same port', async () => {
    const port = Number(new URL(server.url).port);
    await expect(
      serveHttp({
        host,
        surface: (client) => quodSurface(host, client),
        port,
        token,
        onError: () => {},
        onClientError: () => {},
      }),
    ).rejects.toMatchObject({ reason: 'invalid-input' });
  });
});

describe.each(['auto', 'legacy'] as const)('MCP over HTTP, negotiation %s', (era) => {
  test('lists and calls tools', async () => {
    const client = await connect(era);
    expect((await client.listTools()).tools).toHaveLength(SAMPLE_OPERATIONS.length);
    expect(await client.callTool({ name: 'gate_add', arguments: { left: 1, right: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'auto' ? '2026-07-28' : '2025-11-25');
  });

  test('a client that goes away in the middle of a call cancels it', async () => {
    const client = await connect(era);
    const call = client.callTool({ name: 'proof_wait', arguments: {} });
    call.catch(() => undefined);
    const { waits } = host.services.get(sampleNotes);
    await vi.waitFor(() => {
      expect(waits).toEqual(['begun']);
    });
    if (era === 'legacy') await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await client.close();
    await vi.waitFor(() => {
      expect(waits).toEqual(['begun', 'cancelled']);
    });
  });

  test('clients with different names do not see each other', async () => {
    const note = (client: Client, text: string) =>
      client.callTool({ name: 'gate_note', arguments: { text } });
    const first = await connect(era, { 'quod-client': 'first' });
    const second = await connect(era, { 'quod-client': 'second' });
    await note(first, 'mine');
    expect(await note(second, 'yours')).toMatchObject({ structuredContent: { notes: ['yours'] } });
    const again = await connect(era, { 'quod-client': 'first' });
    expect(await note(again, 'again')).toMatchObject({ structuredContent: { notes: ['mine', 'again'] } });
    const rest = await post('/api/gate/note', { text: 'rest' }, { 'quod-client': 'first' });
    expect(await rest.json()).toEqual({ notes: ['mine', 'again', 'rest'] });
  });
});

test('an MCP session without a name is a client of its own, which ends with it', async () => {
  const note = (client: Client, text: string) => client.callTool({ name: 'gate_note', arguments: { text } });
  const [first, second] = [await connect('legacy'), await connect('legacy')];
  await note(first, 'mine');
  expect(await note(second, 'yours')).toMatchObject({ structuredContent: { notes: ['yours'] } });
  const { byClient } = host.services.get(sampleNotes);
  expect(byClient.size).toBe(2);
  await (first.transport as StreamableHTTPClientTransport).terminateSession();
  await vi.waitFor(() => {
    expect(byClient.size).toBe(1);
  });
});

test('a client that goes away in the middle of a REST call cancels it; DELETE /api/client ends what it has', async () => {
  const controller = new AbortController();
  const call = post('/api/proof/wait', {}, { 'quod-client': 'a' }, controller.signal);
  const { waits, byClient } = host.services.get(sampleNotes);
  await vi.waitFor(() => {
    expect(waits).toEqual(['begun']);
  });
  controller.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => {
    expect(waits).toEqual(['begun', 'cancelled']);
  });
  await post('/api/gate/note', { text: 'x' }, { 'quod-client': 'a' });
  expect(byClient.size).toBe(1);
  const gone = await fetch(`${server.url}/api/client`, {
    method: 'DELETE',
    headers: { ...AUTHORIZED, 'quod-client': 'a' },
  });
  expect(gone.status).toBe(204);
  expect(byClient.size).toBe(0);
});

test('after the server was started again, an old MCP session is told to begin anew', async () => {
  await connect('legacy');
  const old = clients[0]?.transport as StreamableHTTPClientTransport;
  const port = Number(new URL(server.url).port);
  await server.close();
  await host.services.close();
  await start(port);
  const response = await post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    {
      accept: 'application/json, text/event-stream',
      'mcp-session-id': old.sessionId ?? '',
    },
  );
  expect(response.status).toBe(404);
  expect((await (await connect('legacy')).listTools()).tools).not.toHaveLength(0);
});

/** `fetch` sets Host and Origin by itself. */
function rawGet(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('the page', () => {
  test('the token is exchanged for the server’s own page only', async () => {
    const enter = (headers: Record<string, string>): Promise<Response> =>
      post('/ui/session', { token }, headers);
    expect((await enter({ origin: 'http://127.0.0.1:9' })).status).toBe(401);
    expect((await enter({ 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await enter({ origin: server.url })).status).toBe(200);
  });

  test('what Quod keeps for itself is neither opened nor saved as a source', async () => {
    const file = '.quod/kept.v';
    expect((await get(`/api/source?file=${file}`)).status).toBe(statusOf('invalid-input'));
    const saved = await fetch(`${server.url}/api/source`, {
      method: 'PUT',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ file, text: 'Axiom f : False.\n', hash: null }),
    });
    expect(saved.status).toBe(statusOf('invalid-input'));
    expect(await saved.text()).toContain('What Quod keeps for itself');
  });

  test('a text with half of a character is not saved as another text', async () => {
    const saved = await fetch(`${server.url}/api/source`, {
      method: 'PUT',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ file: 'half.v', text: '(* \ud800 *)', hash: null }),
    });
    expect(saved.status).toBe(statusOf('invalid-input'));
    expect((await get('/api/source?file=half.v')).status).toBe(statusOf('not-found'));
  });

  const save = (body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(`${server.url}/api/source`, {
      method: 'PUT',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body,
    });

  test('bytes that are not UTF-8 are not saved as replacement characters, nor taken as a message of MCP', async () => {
    const bytes = Buffer.from('{"file":"bytes.v","text":"(* caf\xe9 *)","hash":null}', 'latin1');
    expect((await save(bytes)).status).toBe(statusOf('invalid-input'));
    expect((await get('/api/source?file=bytes.v')).status).toBe(statusOf('not-found'));
    const sent = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"caf\xe9"}', 'latin1'),
    });
    expect([sent.status, await sent.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
  });

  test.each([
    ['that looks like UTF-16', '\0\n', 'invalid-input', 'new.v'],
    ['with two byte order marks', '\u{feff}\u{feff}Axiom a : True.', 'invalid-input', 'new.v'],
    ['in a folder that is not there', 'Axiom a : True.', 'not-found', 'missing/new.v'],
  ] as const)('a text %s is not saved', async (_what, text, reason, file) => {
    const saved = await save(JSON.stringify({ file, text, hash: null }));
    expect(saved.status).toBe(statusOf(reason));
    expect((await get(`/api/source?file=${file}`)).status).toBe(statusOf('not-found'));
  });

  test('details of a job are asked for from a number on', async () => {
    for (const from of ['-1', 'abc', '1.5', ''])
      expect((await get(`/api/jobs/none/details?from=${from}`)).status).toBe(statusOf('invalid-input'));
    expect((await get('/api/jobs/none/details?from=0')).status).toBe(statusOf('not-found'));
  });

  test('a refusal comes as an answer to whoever asks for it so, and is the same', async () => {
    const refused = await get('/api/source?file=none.v');
    const told = await get('/api/source?file=none.v&refusal=told');
    expect([refused.status, told.status]).toEqual([statusOf('not-found'), 200]);
    expect(await told.json()).toEqual({ refused: await refused.json() });
    const restsOn = await get('/api/source/rests-on?file=none.v&refusal=told');
    expect(restsOn.status).toBe(200);
    expect(await restsOn.json()).toMatchObject({ refused: { reason: 'not-found' } });
    const saved = await fetch(`${server.url}/api/source?refusal=told`, {
      method: 'PUT',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ file: 'none.v', text: 'Axiom f : False.\n', hash: 'of-another' }),
    });
    expect(saved.status).toBe(200);
    expect(await saved.json()).toMatchObject({ refused: { reason: 'not-found' } });
  });
});
