import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { present } from '../../core/entry.ts';
import { SAMPLE_OPERATIONS } from '../testing/sample-operations.ts';
import { ServerGone, callRemotely } from './remote-call.ts';

const operation = present(SAMPLE_OPERATIONS[0], 'operation');
let server: Server | undefined;

afterEach(() => server?.close());

/** Calls a server that does so with the connection of the call. */
async function callOf(answer: (socket: Socket) => void): Promise<unknown> {
  server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return callAt(port);
}

function callAt(port: number): Promise<unknown> {
  const { signal } = new AbortController();
  const caller = { client: 'cli', folder: '/', signal, progress: () => {} };
  return callRemotely({ url: `http://127.0.0.1:${port}`, token: null }, operation, {}, caller);
}

const BEGUN = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream',
  'transfer-encoding: chunked',
  ...['', '5', 'event', ''],
].join('\r\n');

const ENDED = { reason: 'protocol-error', message: 'The server ended before it answered.' };

test('a server that is killed in the middle of its answer has ended', async () => {
  const call = callOf((socket) => socket.write(BEGUN, () => setTimeout(() => socket.resetAndDestroy(), 50)));
  await expect(call).rejects.toMatchObject(ENDED);
});

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a server that is killed before its answer has ended (%s): the call may have begun',
  async (end) => {
    await expect(callOf((socket) => socket[end]())).rejects.toMatchObject(ENDED);
  },
);

test('an answer that is no HTTP is told as what it is, and not as an end of the server', async () => {
  const call = callOf((socket) => socket.write(`${BEGUN}\r\nno length\r\n`));
  await expect(call).rejects.toMatchObject({
    reason: 'protocol-error',
    message: expect.stringContaining('The answer of the server cannot be read: ') as string,
  });
});

test('where nobody listens the call did not begin', async () => {
  await callOf((socket) => socket.destroy()).catch(() => undefined);
  const address = server?.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server?.close(resolve));
  await expect(callAt(port)).rejects.toThrow(ServerGone);
});
