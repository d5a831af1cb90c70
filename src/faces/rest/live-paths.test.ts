import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHost, type Host } from '../host.ts';
import { quodSurface } from '../mcp/quod-surface.ts';
import { serveHttp, type HttpServer } from '../server/serve.ts';
import { SAMPLE_OPERATIONS } from '../testing/sample-operations.ts';
import { LIVE_PATHS } from './live-paths.ts';

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

const routes = Object.entries(LIVE_PATHS).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
);

test.each(routes)('$method $path is there', async ({ path, method }) => {
  const answer = await fetch(server.url + path.replace('{id}', 'none'), { method });
  const text = answer.headers.get('content-type') === 'text/event-stream' ? '' : await answer.text();
  await answer.body?.cancel().catch(() => undefined);
  expect(text).not.toContain('There is nothing at');
});

test.each([
  ['POST', '/api/jobs', { operation: 'gate_add', input: {} }, 'title'],
  ['PATCH', '/api/jobs/none', {}, 'input'],
  ['PUT', '/api/source', { file: 'a.v', text: '' }, 'hash'],
])('what is missing is told as it is of an operation, %s %s', async (method, path, body, missing) => {
  const answer = await fetch(server.url + path, {
    ...{ method, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    reason: 'invalid-input',
    message: `\`${missing}\` is missing.`,
    remedy: expect.stringContaining('What it takes: `') as string,
  });
});
