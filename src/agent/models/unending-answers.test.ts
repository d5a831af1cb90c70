/** Servers that say more than an answer, over real HTTP: of each it is read what an answer needs, and no more. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mergeSettings } from '../settings.ts';
import { answeringServer } from '../testing/answering-server.ts';
import { openModel, requestAnswer } from './language-model.ts';
import { parseModelName } from './providers.ts';
import { AnswerTooLong, Received } from './received.ts';

const MEGABYTE = 'x'.repeat(1_000_000);

interface Unending {
  readonly url: string;
  /** Megabytes that the server got rid of before nobody read any more. */
  readonly written: () => number;
}

/** @param begin Writes what comes before what does not end. */
async function serve(begin: (response: ServerResponse) => void, more: string | undefined): Promise<Unending> {
  let written = 0;
  const url = await answeringServer((request, response) => {
    request.resume();
    begin(response);
    const next = (): void => {
      if (response.destroyed || more === undefined) return;
      written += more.length / 1_000_000;
      response.write(more, () => setImmediate(next));
    };
    next();
  });
  return { url, written: () => written };
}

async function ask(url: string, protocol: 'chat' | 'responses', stream = true) {
  const settings = mergeSettings({ providers: { it: { url, free: true, protocol } } });
  const model = await openModel(parseModelName('it/model', settings), 'key');
  const received = new Received();
  try {
    return await requestAnswer(model, {
      messages: [{ role: 'user', text: 'Prove it.' }],
      ...{ tools: [], stream, maxOutputTokens: 100, temperature: null, reasoning: 'provider-default' },
      signal: new AbortController().signal,
      received,
    });
  } catch (error) {
    // As who asks does: packages wrap what they meet.
    received.requireRoom();
    throw error;
  }
}

const events = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
};
const PROTOCOLS = ['chat', 'responses'] as const;

test.each(PROTOCOLS)('%s: of a refusal its beginning is read', async (protocol) => {
  const refuse = (response: ServerResponse): void => {
    response.writeHead(400, { 'content-type': 'text/plain' }).write('You may not. ');
  };
  const { url, written } = await serve(refuse, MEGABYTE);
  const error: unknown = await ask(url, protocol).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ statusCode: 400 });
  expect(JSON.stringify(error).length).toBeLessThan(200_000);
  expect(written()).toBeLessThan(50);
});

const STREAMS = [
  { what: 'signs of life', first: '', more: `: ${MEGABYTE}\n` },
  { what: 'one event', first: 'data: ', more: MEGABYTE },
  {
    what: 'events of another kind',
    first: '',
    more: `data: {"type":"noise","choices":[],"noise":"${MEGABYTE}"}\n\n`,
  },
];

test.each(PROTOCOLS.flatMap((protocol) => STREAMS.map((stream) => ({ protocol, ...stream }))))(
  '$protocol: a stream of $what without end is left',
  async ({ protocol, first, more }) => {
    const { url, written } = await serve((response) => {
      events(response);
      response.write(first);
    }, more);
    await expect(ask(url, protocol)).rejects.toThrow(AnswerTooLong);
    expect(written()).toBeLessThan(100);
  },
);

test('chat: an answer that is sent whole and does not end is left', async () => {
  const { url } = await serve((response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .write('{"choices":[{"message":{"content":"');
  }, MEGABYTE);
  await expect(ask(url, 'chat', false)).rejects.toThrow(AnswerTooLong);
});

test('chat: one event without end is left, however long the answer before it was', async () => {
  const word = { choices: [{ index: 0, delta: { content: 'x'.repeat(100_000) }, finish_reason: null }] };
  const { url, written } = await serve((response) => {
    events(response);
    response.write(`data: ${JSON.stringify({ id: 'a', created: 0, model: 'm', ...word })}\n\ndata: {"noise":"`);
  }, MEGABYTE);
  await expect(ask(url, 'chat')).rejects.toThrow(AnswerTooLong);
  expect(written()).toBeLessThan(40);
});

test('an event that is too long to be read is paid for, and is said to be what it is', () => {
  const received = new Received();
  received.add(10);
  expect(() => received.addStreamed(9_000_000, 9_000_000)).toThrow('one event of it is longer than any answer');
  expect(received.payable).toBe(9_000_010);
  const pings = new Received();
  expect(() => pings.addStreamed(9_000_000, 0)).toThrow('is no answer, and does not end');
  expect(pings.payable).toBe(0);
});

/** Megabytes that are read of what servers send, after unpacking. */
function countRead(): () => number {
  let read = 0;
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
    const response = await fetch(...asked);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        read += chunk.length / 1_000_000;
        controller.enqueue(chunk);
      },
    });
    const { status, headers, body } = response;
    return new Response(body === null ? null : body.pipeThrough(counting), { status, headers });
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  return () => read;
}

const PACKED = gzipSync(Buffer.alloc(300_000_000, 'x'), { level: 1 });
const PACKED_EVENT = Buffer.concat([gzipSync('data: '), PACKED]);

test.each(
  PROTOCOLS.flatMap((protocol) =>
    [
      { status: 500, type: 'application/json', packed: PACKED, most: 2 },
      { status: 400, type: 'text/plain', packed: PACKED, most: 2 },
      { status: 200, type: 'application/json', packed: PACKED, most: 20 },
      { status: 200, type: 'text/event-stream', packed: PACKED_EVENT, most: 12 },
    ].map((one) => ({ protocol, ...one })),
  ),
)(
  '$protocol: what unpacks to 300 MB is not unpacked, with status $status and $type',
  async ({ protocol, status, type, packed, most }) => {
    const { url } = await serve((response) => {
      response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(packed);
    }, undefined);
    const read = countRead();
    const stream = type === 'text/event-stream';
    await expect(ask(url, protocol, stream)).rejects.toThrow();
    expect(read()).toBeGreaterThan(0.05);
    expect(read()).toBeLessThan(most);
  },
);

test('a stream ends with its last event, also where the server keeps the connection', async () => {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'a', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const chat = await serve((response) => {
    events(response);
    response.write(chunk({ role: 'assistant', content: 'Proof.' }, null));
    response.write(chunk({}, 'stop'));
    response.write('data: [DO');
    setImmediate(() => response.write('NE]\n'));
  }, undefined);
  expect(await ask(chat.url, 'chat')).toMatchObject({ text: 'Proof.', finish: 'stop' });
  const message = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Proof.', annotations: [] }],
  };
  const responses = await serve((response) => {
    events(response);
    const last = { type: 'response.completed', response: { status: 'completed', output: [message] } };
    response.write(
      `data: ${JSON.stringify({ type: 'response.output_item.done', output_index: 0, item: message })}\n\n`,
    );
    response.write(`data: ${JSON.stringify(last)}\n\n`);
  }, undefined);
  expect(await ask(responses.url, 'responses')).toMatchObject({ text: 'Proof.', finish: 'stop' });
});
