/**
 * Whatever a server says of its tokens, its answer is taken: whole and streamed, in each protocol, over real HTTP. Counts
 * that can be read are those that were told; others are such that an estimate is charged in their place.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSettings } from '../settings.ts';
import { answeringServer } from '../testing/answering-server.ts';
import { believedUsage } from './believed-usage.ts';
import { openModel, requestAnswer } from './language-model.ts';
import { parseModelName, type Provider } from './providers.ts';
import { readableUsage } from './told-usage.ts';

type Protocol = Provider['protocol'];

const MALFORMED: readonly unknown[] = [
  ...['1000', 1000, true, [], {}, [{ input_tokens: 1 }]],
  ...['1000', 'many', [1], { total: 1 }, false, null].flatMap((count) => [
    { prompt_tokens: count, completion_tokens: 500, input_tokens: count, output_tokens: 500 },
    { prompt_tokens: 1000, completion_tokens: count, input_tokens: 1000, output_tokens: count },
    { promptTokenCount: count, candidatesTokenCount: 500 },
  ]),
  { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: 'none' },
  { prompt_tokens: 1000, completion_tokens: 500, completion_tokens_details: { reasoning_tokens: '1' } },
  { input_tokens: 1000, output_tokens: 500, cache_read_input_tokens: 'all', input_tokens_details: [] },
  { promptTokenCount: 1000, candidatesTokenCount: 500, thoughtsTokenCount: 'some' },
];

/** The whole answer of each protocol, and the events of its stream. */
const ANSWERS: Readonly<Record<Protocol, (usage: unknown) => readonly [whole: object, events: readonly object[]]>> = {
  chat: (usage) => {
    const head = { id: 'a', created: 0, model: 'm' };
    const message = { role: 'assistant', content: 'Done.' };
    return [
      { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
      [
        { ...head, choices: [{ index: 0, delta: message, finish_reason: 'stop' }], usage: null },
        { ...head, choices: [], usage },
      ],
    ];
  },
  anthropic: (usage) => {
    const message = { type: 'message', id: 'a', model: 'm', role: 'assistant' };
    const end = { stop_reason: 'end_turn', stop_sequence: null };
    return [
      { ...message, ...end, content: [{ type: 'text', text: 'Done.' }], usage },
      [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: end, usage },
        { type: 'message_stop' },
      ],
    ];
  },
  google: (usage) => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }];
    return [{ candidates, usageMetadata: usage }, [{ candidates, usageMetadata: usage }]];
  },
  responses: (usage) => {
    const content = [{ type: 'output_text', text: 'Done.', annotations: [] }];
    const item = { type: 'message', id: 'b', role: 'assistant', status: 'completed', content };
    const whole = { id: 'a', object: 'response', created_at: 0, model: 'm', status: 'completed', output: [item], usage };
    return [
      whole,
      [
        { type: 'response.output_text.delta', output_index: 0, delta: 'Done.' },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: whole },
      ],
    ];
  },
};

async function answerOf(protocol: Protocol, stream: boolean, usage: unknown) {
  const [whole, events] = ANSWERS[protocol](usage);
  const type = stream ? 'text/event-stream' : 'application/json';
  const written = events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('');
  const url = await answeringServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(stream ? written : JSON.stringify(whole, undefined, 2));
  });
  const name = parseModelName('mine/m', mergeSettings({ providers: { mine: { url, protocol } } }));
  const options = { maxOutputTokens: 100, temperature: null, reasoning: 'provider-default', stream } as const;
  const messages = [{ role: 'user', text: 'Prove it.' }] as const;
  const signal = new AbortController().signal;
  return requestAnswer(await openModel(name, 'key'), { messages, tools: [], ...options, signal });
}

const WAYS = (['chat', 'anthropic', 'google', 'responses'] as const).flatMap((protocol) => [
  { protocol, stream: false },
  { protocol, stream: true },
]);

test.each(WAYS)('what cannot be read loses no answer: $protocol, streamed: $stream', async ({ protocol, stream }) => {
  const estimated = { inputTokens: 1000, cachedTokens: 0, outputTokens: 500 };
  for (const usage of [null, undefined, ...MALFORMED]) {
    const answer = await answerOf(protocol, stream, usage);
    expect(answer, JSON.stringify(usage)).toMatchObject({ text: 'Done.', finish: 'stop' });
    expect(believedUsage(answer.usage, estimated).isEstimated, JSON.stringify(usage)).toBe(true);
  }
});

test.each(WAYS)('what can be read is what counts: $protocol, streamed: $stream', async ({ protocol, stream }) => {
  const usage = {
    ...{ prompt_tokens: 12, completion_tokens: 3, input_tokens: 12, output_tokens: 3 },
    ...{ promptTokenCount: 12, candidatesTokenCount: 3, cachedContentTokenCount: 5 },
    ...{ prompt_tokens_details: { cached_tokens: 5 }, input_tokens_details: { cached_tokens: 5 } },
    // Of what nobody reads it does not matter what it is.
    ...{ total_tokens: 'fifteen', totalTokenCount: [], service_tier: 5, trafficType: {}, iterations: 'none' },
  };
  const answer = await answerOf(protocol, stream, usage);
  expect(answer).toMatchObject({ text: 'Done.', usage: { inputTokens: 12, outputTokens: 3 } });
  if (protocol !== 'anthropic') expect(answer.usage?.cachedTokens).toBe(5);
});

test('what tells no tokens passes byte by byte, however it is cut', async () => {
  const line = fc.constantFrom('data: {"choices":[{"delta":{"content":"é∀\u2028"}}]}', ': usage', '', 'event: x', 'data: {"usage');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      async (lines, end, size) => {
        const bytes = Buffer.from(lines.join(end));
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          Uint8Array.from(bytes.subarray(index * size, (index + 1) * size)),
        );
        const read: Uint8Array[] = [];
        for await (const part of ReadableStream.from(parts).pipeThrough(readableUsage())) read.push(part);
        expect(Buffer.concat(read).toString()).toBe(bytes.toString());
      },
    ),
  );
});
