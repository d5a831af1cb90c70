import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Progress, Transport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { REASON_CODES } from '../../core/reason.ts';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { PROGRESS_INTERVAL_MS } from '../paced-progress.ts';
import { SAMPLE_OPERATIONS, sampleNotes } from '../testing/sample-operations.ts';
import { ERROR_META_KEY } from './operation-tool.ts';
import { quodSurface } from './quod-surface.ts';
import { serveMcpOverStdio } from './stdio.ts';
import { BoundedLines } from './bounded-lines.ts';

/** The client's end of a pair of pipes: one JSON message a line, as over standard input and output. */
class PipeTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly toServer = new PassThrough();
  readonly fromServer = new PassThrough();
  readonly lines: string[] = [];

  start(): Promise<void> {
    let rest = '';
    this.fromServer.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        this.lines.push(line);
        this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      }
    });
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.toServer.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.toServer.end();
    this.onclose?.();
    return Promise.resolve();
  }
}

interface Connection {
  readonly client: Client;
  readonly pipe: PipeTransport;
  readonly host: Host;
  readonly ended: Promise<void>;
  readonly errors: Error[];
}

const open: Connection[] = [];

async function connect(host?: Host, signal = new AbortController().signal): Promise<Connection> {
  const used = host ?? (await openHost({ folder: '.', confined: true, operations: SAMPLE_OPERATIONS }));
  const pipe = new PipeTransport();
  const errors: Error[] = [];
  const ended = serveMcpOverStdio({
    input: pipe.toServer,
    output: pipe.fromServer,
    surface: (client) => quodSurface(used, client),
    signal,
    ending: () => used.calls.end(200),
    onError: (error) => errors.push(error),
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(pipe);
  const connection = { client, pipe, host: used, ended, errors };
  open.push(connection);
  return connection;
}

afterEach(async () => {
  vi.useRealTimers();
  for (const { client, ended, host } of open.splice(0)) {
    await client.close();
    await ended;
    await host.services.close();
  }
});

test('a call that runs when Quod is told to end is answered', async () => {
  const controller = new AbortController();
  const { client, host, ended } = await connect(undefined, controller.signal);
  const call = client.callTool({ name: 'proof_wait', arguments: {} });
  await vi.waitFor(() => {
    expect(host.services.get(sampleNotes).waits).toEqual(['begun']);
  });
  controller.abort();
  expect(await call).toMatchObject({ isError: true, _meta: { [ERROR_META_KEY]: { reason: 'interrupted' } } });
  await ended;
});

describe('tools', () => {
  test('each operation is a tool with its schemas and annotations', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(SAMPLE_OPERATIONS.map(({ name }) => name));
    const [first] = tools;
    expect(first?.inputSchema).toMatchObject({
      type: 'object',
      required: ['file'],
      additionalProperties: false,
    });
    expect(Object.keys(first?.inputSchema.properties ?? {})).toEqual([
      'file',
      'lines',
      'verbose',
      'kind',
      'words',
      'timeout',
    ]);
    expect(first?.outputSchema).toMatchObject({ type: 'object' });
    expect(first?.annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  test('a call answers structured content and text for people', async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: 'gate_describe', arguments: { file: 'a.v', words: ['x'] } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'a.v: 3 lines, short x' }],
      structuredContent: { path: 'a.v', lines: 3, verbose: false, kind: 'short', words: ['x'] },
    });
    expect(result.isError).toBeFalsy();
  });

  test.each(Object.keys(REASON_CODES))('a failure with %s says so, with place and remedy', async (reason) => {
    const { client } = await connect();
    const result = await client.callTool({ name: 'proof_fail', arguments: { reason } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(result._meta?.[ERROR_META_KEY]).toEqual({
      reason,
      message: `It failed with ${reason}.`,
      file: 'a.v',
      line: 3,
      column: 5,
      remedy: 'Do something else.',
    });
    expect(result.content).toEqual([
      { type: 'text', text: `a.v:3:5: It failed with ${reason}. Do something else. [${reason}]` },
    ]);
  });

  test('what was thrown without a reason is a defect, told without its stack', async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: 'proof_fail', arguments: { reason: 'none' } });
    expect(result._meta?.[ERROR_META_KEY]).toMatchObject({ reason: 'internal' });
    expect(JSON.stringify(result)).not.toContain('.ts:');
  });

  test('bad input is told with the nearest parameter', async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: 'gate_describe', arguments: { file: 'a.v', line: 3 } });
    expect(result.isError).toBe(true);
    expect(result._meta?.[ERROR_META_KEY]).toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining('did you mean `lines`?') as string,
    });
  });

  test('a parameter called __proto__ is refused like every other that there is not', async () => {
    const { pipe } = await connect();
    const params = '{"name":"gate_add","arguments":{"left":1,"right":2,"__proto__":{"left":3}}}';
    pipe.toServer.write(`{"jsonrpc":"2.0","id":"raw","method":"tools/call","params":${params}}\n`);
    await vi.waitFor(() => expect(pipe.lines.at(-1)).toContain('"raw"'));
    expect(pipe.lines.at(-1)).toContain('There is no parameter `__proto__`');
  });

  test('an unknown tool is an error of the protocol, with the nearest name', async () => {
    const { client } = await connect();
    await expect(client.callTool({ name: 'gate_descibe', arguments: {} })).rejects.toThrow(
      /Did you mean gate_describe/,
    );
  });

  test('a path out of the workspace is refused', async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: 'gate_describe', arguments: { file: '../../etc/passwd' } });
    expect(result._meta?.[ERROR_META_KEY]).toMatchObject({ reason: 'outside-workspace' });
  });
});

describe('long calls', () => {
  test('cancelling a call aborts its signal, and the connection goes on', async () => {
    const { client, host } = await connect();
    const controller = new AbortController();
    const call = client.callTool({ name: 'proof_wait', arguments: {} }, { signal: controller.signal });
    const { waits } = host.services.get(sampleNotes);
    await vi.waitFor(() => expect(waits).toEqual(['begun']));
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(waits).toEqual(['begun', 'cancelled']));
    expect(await client.callTool({ name: 'gate_add', arguments: { left: 1, right: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
  });

  test('progress: the first news at once, then one sign of life in each interval', async () => {
    const { client } = await connect();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const news: Progress[] = [];
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'proof_wait', arguments: { steps: 3 } },
      { signal: controller.signal, onprogress: (progress) => news.push(progress), timeout: 3_600_000 },
    );
    call.catch(() => undefined);
    const messages = () => news.map(({ message }) => message);
    await vi.waitFor(() => expect(messages()).toEqual(['Step 1 (1 of 3)']));
    await vi.advanceTimersByTimeAsync(PROGRESS_INTERVAL_MS);
    await vi.waitFor(() => expect(messages()).toEqual(['Step 1 (1 of 3)', 'Step 3 (3 of 3)']));
    await vi.advanceTimersByTimeAsync(PROGRESS_INTERVAL_MS * 2);
    await vi.waitFor(() => expect(news).toHaveLength(4));
    const numbers = news.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
    controller.abort();
    await expect(call).rejects.toThrow();
  });

  test('a client that goes away in the middle of a call cancels it', async () => {
    const { client, host, ended } = await connect();
    const call = client.callTool({ name: 'proof_wait', arguments: {} });
    call.catch(() => undefined);
    const { waits } = host.services.get(sampleNotes);
    await vi.waitFor(() => expect(waits).toEqual(['begun']));
    await client.close();
    await ended;
    await vi.waitFor(() => expect(waits).toEqual(['begun', 'cancelled']));
    await expect(call).rejects.toThrow();
  });
});

describe('input that is not the protocol', () => {
  test('a line that is not JSON is told to the operator, and the connection goes on', async () => {
    const { client, pipe, errors } = await connect();
    pipe.toServer.write('{"jsonrpc": broken\n');
    pipe.toServer.write('{"jsonrpc":"2.0","neither":"request nor answer"}\n');
    expect(await client.ping()).toBeDefined();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('A line of the input is no JSON'),
      expect.any(String),
    ]);
  });

  test('bytes that are no text are told, as is every stray line behind them, and the connection goes on', async () => {
    const { client, pipe, errors } = await connect();
    pipe.toServer.write(Buffer.from([0xff, 0xfe, 0x0a]));
    pipe.toServer.write('one that is cut ');
    pipe.toServer.write('in two\n\n');
    expect(await client.ping()).toBeDefined();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('A line of the input is not UTF-8'),
      expect.stringContaining('A line of the input is no JSON'),
    ]);
  });

  test('everything on standard output is the protocol', async () => {
    const { client, pipe } = await connect();
    await client.callTool({ name: 'gate_add', arguments: { left: 1, right: 2 } });
    for (const line of pipe.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

test('prompts are offered with their arguments and ask for what is missing', async () => {
  const { client } = await connect();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['prove_theorem', 'repair_file', 'explain_proof']);
  const { messages } = await client.getPrompt({ name: 'repair_file', arguments: { file: 'a.v' } });
  expect(JSON.stringify(messages)).toContain('Make a.v compile');
  await expect(client.getPrompt({ name: 'repair_file', arguments: {} })).rejects.toThrow(
    /needs the argument file/,
  );
});

describe('a message that is larger than may be', () => {
  const large = 'x'.repeat(17 * 1024 * 1024);

  test.each([
    ['at its beginning', { jsonrpc: '2.0', id: 77, method: 'tools/call', params: { id: 5, large } }, 77],
    ['at its end', { method: 'tools/call', params: { id: 5, large }, jsonrpc: '2.0', id: 'a' }, 'a'],
  ] as const)(
    'is answered when it says its number %s, and the connection goes on',
    async (_where, message, id) => {
      const { client, pipe, errors } = await connect();
      pipe.toServer.write(`${JSON.stringify(message)}\n`);
      await vi.waitFor(() => {
        const answers = pipe.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
        expect(answers.at(-1)).toMatchObject({ id, error: { code: -32600 } });
      });
      expect(errors.map(String).join()).toContain('may have 16 MiB');
      expect(await client.ping()).toEqual({});
    },
  );

  test('is told of when it does not say its number', async () => {
    const { client, pipe, errors } = await connect();
    pipe.toServer.write(`${JSON.stringify({ method: 'x', params: { id: 5, large }, jsonrpc: '2.0' })}\n`);
    expect(await client.ping()).toEqual({});
    expect(errors.map(String).join()).toContain('may have 16 MiB');
    expect(pipe.lines.some((line) => line.includes('-32600'))).toBe(false);
  });

  test('is not one of 15 MiB', async () => {
    const { client, errors } = await connect();
    const asked = client.callTool({ name: 'proof_wait', arguments: { large: 'x'.repeat(15 * 1024 * 1024) } });
    await expect(asked).resolves.toMatchObject({ isError: true });
    expect(errors).toEqual([]);
  });
});

test('what is let through for the last line is lines of their own, also without an end of it', async () => {
  const tooLong: string[] = [];
  const lines = new BoundedLines(5, {
    onLine: (line) => line.split(','),
    onOtherBytes: (readable) => tooLong.push(readable),
    onTooLong: ({ beginning, end }) => tooLong.push(`${beginning} ${end}`),
  });
  lines.write('a,b\nlonger\n');
  lines.write(Buffer.from([0xe9, 0x0a]));
  lines.end('\nc,d');
  expect(await text(lines)).toBe('a\nb\nc\nd\n');
  expect(tooLong).toEqual(['longer longer', '\u{fffd}']);
});
