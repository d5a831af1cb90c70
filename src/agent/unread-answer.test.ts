/** Servers that answer a run with something else than an answer, over real HTTP. */
import { expect, test } from 'vitest';
import type { PROTOCOLS } from './settings.ts';
import { runAgainst } from './testing/run-against-server.ts';

interface Sent {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
}

const KEY = 'sk-4711-abcdefgh-4711';

/** @returns What a run ends with that gets this from the server, how often it asked, and what it counts as paid. */
async function run(
  protocol: (typeof PROTOCOLS)[number],
  { body, type = 'application/json', status = 200 }: Sent,
  stream: boolean,
) {
  let requests = 0;
  const { message, url, failed } = await runAgainst(
    (request, response) => {
      request.resume();
      requests++;
      response.writeHead(status, { 'content-type': type }).end(body);
    },
    {
      provider: { protocol, keyVariable: 'OWN_KEY' },
      others: { plans: 1, stream, retries: 2 },
      environment: { OWN_KEY: KEY },
    },
  );
  return { message, url, requests, cost: failed.map(({ cost }) => cost) };
}

const ASKED = (['chat', 'responses', 'anthropic', 'google'] as const).flatMap((protocol) =>
  [true, false].map((stream) => ({ protocol, stream })),
);
const EVENTS = 'text/event-stream';

test.each(ASKED)(
  '$protocol, stream $stream: nothing is told as nothing, tried again and not charged',
  async ({ protocol, stream }) => {
    for (const sent of [
      { body: '' },
      { body: ' \n' },
      { body: '', type: EVENTS },
      { body: '', status: 204 },
      { body: 'data: [DONE]\n\n', type: EVENTS },
    ]) {
      const { message, url, requests, cost } = await run(protocol, sent, stream);
      expect(message).toMatch(
        /The answer (?:was empty|had nothing in it but its end) \(status 20[04] from /u,
      );
      expect(message).toContain(`from ${url}/`);
      expect(message).toContain('sent no answer');
      expect(message).not.toContain('cut off');
      expect([requests, cost]).toEqual([3, [0]]);
    }
  },
);

test.each(ASKED)(
  '$protocol, stream $stream: what is no JSON is told with its beginning, once, and not charged',
  async ({ protocol, stream }) => {
    for (const sent of [
      { body: `Hello, I am a proxy, and ${KEY} is the key.`, type: 'text/plain' },
      { body: 'Hello, I am a proxy, and say so.' },
      { body: 'data: Hello, I am a proxy, and say so.\n\n', type: EVENTS },
    ]) {
      const { message, url, requests, cost } = await run(protocol, sent, stream);
      expect(message).toMatch(/is no JSON; it begins with (?:data: )?Hello, I am a proxy, and/u);
      expect(message).toContain(`(status 200 from ${url}/`);
      expect(message).not.toMatch(/cut off|4711/u);
      expect([requests, cost]).toEqual([1, [0]]);
    }
  },
);

test.each(ASKED)(
  '$protocol, stream $stream: JSON of another form is told with its beginning, once, and not charged',
  async ({ protocol, stream }) => {
    for (const body of [
      '{"hello": "world", "at": "http://me:hidden@host/x?y=hidden"}',
      '[1]',
      'null',
      '{}',
    ]) {
      for (const sent of [{ body }, { body: `data: ${body}\n\n`, type: EVENTS }]) {
        const { message, requests, cost } = await run(protocol, sent, stream);
        const isNoStream = sent.type === EVENTS && !stream;
        expect(message).toMatch(/What it answered is no answer of a model: /u);
        expect(message).toContain(`; it begins with ${sent.body.trim().slice(0, 12)}`);
        if (!isNoStream) expect(message).not.toContain('no JSON');
        expect(message).not.toMatch(/cut off|hidden/u);
        expect([requests, cost]).toEqual([1, [0]]);
      }
    }
  },
);

test.each(['chat', 'google'] as const)(
  '%s: what has a part of an answer may have been paid for',
  async (protocol) => {
    const name = protocol === 'chat' ? 'choices' : 'candidates';
    const { message, requests, cost } = await run(protocol, { body: `{"${name}":[{"mess` }, false);
    expect(message).toContain(`it is no JSON; it begins with {"${name}":[{"mess`);
    expect(requests).toBe(1);
    expect(cost).toEqual([expect.closeTo(0.0001, 2)]);
    expect(cost).not.toEqual([0]);
  },
);

test('of a long answer that is none no half of a word is told', async () => {
  const { message } = await run('chat', { body: `${'word '.repeat(20)}${'k'.repeat(200)}` }, true);
  expect(message).toMatch(/word word … \(status/u);
});

test('a call of a tool without a name is told as that, and not as an answer that was cut off', async () => {
  const call = { index: 0, id: 'x', type: 'function', function: { arguments: '{}' } };
  const delta = { role: 'assistant', tool_calls: [call] };
  const chunk = { id: 'a', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] };
  const sent = { body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, type: EVENTS };
  const { message, requests } = await run('chat', sent, true);
  expect(message).toContain("no answer of a model: expected 'function.name' to be a string");
  expect(message).not.toContain('cut off');
  expect(requests).toBe(3);
});
