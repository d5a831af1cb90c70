import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { SAMPLE_OPERATIONS, sampleNotes } from '../testing/sample-operations.ts';
import { quodSurface } from './quod-surface.ts';
import { serveMcpOverStdio } from './stdio.ts';

let host: Host;
let input: PassThrough;
let errors: string[];
let written: string;
let ended: Promise<void>;

beforeEach(async () => {
  host = await openHost({ folder: '.', confined: true, operations: SAMPLE_OPERATIONS });
  input = new PassThrough();
  [errors, written] = [[], ''];
  const output = new PassThrough().setEncoding('utf8').on('data', (text: string) => (written += text));
  ended = serveMcpOverStdio({
    ...{ input, output, surface: (client) => quodSurface(host, client) },
    signal: new AbortController().signal,
    ending: () => Promise.resolve(),
    onError: ({ message }) => errors.push(message),
  });
});

afterEach(async () => {
  input.end();
  await ended;
  await host.services.close();
});

const answers = (): unknown[] =>
  written
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

function send(message: unknown): void {
  input.write(Buffer.isBuffer(message) || typeof message === 'string' ? message : JSON.stringify(message));
  input.write('\n');
}

/** What is answered to it, a `ping` behind it included. */
async function answersTo(message: unknown): Promise<unknown[]> {
  const before = answers().length;
  send(message);
  const last = `behind ${before}`;
  send(ping(last));
  await vi.waitFor(() => expect(answers().at(-1)).toMatchObject({ id: last }));
  return answers().slice(before, -1);
}

async function initialize(protocolVersion: string): Promise<void> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await answersTo({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const wait = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'proof_wait', arguments: {} },
});
const cancel = (requestId: number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId },
});

const refused = (id: unknown, code: number) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message: expect.any(String) as string },
});

describe('what is no message is answered as JSON-RPC has it, and told in one line', () => {
  test.each([
    ['bad JSON', '{"jsonrpc": broken', null, -32_700],
    ['a word', 'hello', null, -32_700],
    ['a number', '1', null, -32_600],
    ['null', 'null', null, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 1, -32_600],
    ['an id that is null', ping(null), null, -32_600],
    ['an id that is an object', ping({}), null, -32_600],
    ['another version', { jsonrpc: '1.0', id: 'a', method: 'ping' }, 'a', -32_600],
    ['a method that is none', { jsonrpc: '2.0', id: 5, method: 1 }, 5, -32_600],
    ['parameters that are none', { jsonrpc: '2.0', id: 6, method: 'ping', params: [1] }, 6, -32_600],
  ] as const)('%s', async (_what, message, id, code) => {
    await initialize('2025-11-25');
    expect(await answersTo(message)).toEqual([refused(id, code)]);
    expect(errors).toEqual([expect.stringMatching(/^[^\n]*passed over[^\n]*$/u)]);
  });

  test.each([
    ['in the parameters', '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"text":"caf\xe9"}}', 7],
    ['in the id', '{"jsonrpc":"2.0","id":"caf\xe9","method":"ping"}', null],
    ['cut', '{"jsonrpc":"2.0","id":"\xe2\x82', null],
    ['a half of a pair', '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"text":"\xed\xa0\x80"}}', 8],
  ])('bytes that are not UTF-8: %s', async (_what, line, id) => {
    await initialize('2025-11-25');
    expect(await answersTo(Buffer.from(line, 'latin1'))).toEqual([refused(id, -32_700)]);
    expect(errors).toEqual([expect.stringContaining('not UTF-8')]);
  });

  test('a broken answer is told and not answered, and an empty line is nothing', async () => {
    expect(await answersTo({ jsonrpc: '2.0', id: 1, error: 'x' })).toEqual([]);
    expect(await answersTo('')).toEqual([]);
    expect(errors).toHaveLength(1);
  });
});

describe('a batch', () => {
  test.each(['2024-11-05', '2025-03-26'])('is answered as one in %s', async (revision) => {
    await initialize(revision);
    expect(await answersTo([ping(1), 7, { jsonrpc: '2.0', id: 2 }, cancel(99), ping('b')])).toEqual([
      [
        refused(null, -32_600),
        refused(2, -32_600),
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 'b', result: {} },
      ],
    ]);
    expect(await answersTo([cancel(99)])).toEqual([]);
    expect(await answersTo([])).toEqual([refused(null, -32_600)]);
  });

  test('waits for all its calls, and not for one that is cancelled', async () => {
    await initialize('2025-03-26');
    expect(await answersTo([wait(1), ping(2)])).toEqual([]);
    await vi.waitFor(() => expect(host.services.get(sampleNotes).waits).toEqual(['begun']));
    expect(await answersTo(cancel(1))).toEqual([[{ jsonrpc: '2.0', id: 2, result: {} }]]);
  });

  test.each(['2025-06-18', '2025-11-25'])('is refused in %s, which has none', async (revision) => {
    await initialize(revision);
    expect(await answersTo([ping(1), ping(2)])).toEqual([refused(null, -32_600)]);
  });

  test('is refused before a revision is agreed on', async () => {
    expect(await answersTo([ping(1)])).toEqual([refused(null, -32_600)]);
  });
});
