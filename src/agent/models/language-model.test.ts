/**
 * What is sent to Anthropic, by its own package over real HTTP: thoughts that go back, and where a cached beginning
 * ends.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { afterEach, expect, test, vi } from 'vitest';
import { answeringServer } from '../testing/answering-server.ts';
import { startAnthropicServer } from '../testing/scripted-anthropic-server.ts';
import type { AnthropicReply, ScriptedAnthropicServer } from '../testing/scripted-anthropic-server.ts';
import type { Message } from './conversation.ts';
import { modelFailureText, remedyOf, ToldFailure } from './failures.ts';
import { openModel, requestAnswer } from './language-model.ts';
import { parseModelName, type Provider } from './providers.ts';
import { isWorthRetrying } from './retry.ts';
import { mergeSettings } from '../settings.ts';

const ASKED = { provider: 'it', keyVariable: null };

type Protocol = Provider['protocol'];

let server: ScriptedAnthropicServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.unstubAllEnvs();
});

const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }];

async function ask(messages: readonly Message[], reply: AnthropicReply) {
  server ??= await startAnthropicServer(() => reply);
  const model = createAnthropic({ baseURL: server.url, apiKey: 'key' })('claude-sonnet-4-20250514');
  const settings = { maxOutputTokens: 100, temperature: null, reasoning: 'provider-default' as const, stream: true };
  return requestAnswer(model, { messages, tools, ...settings, signal: new AbortController().signal });
}

const QUESTION: readonly Message[] = [
  { role: 'system', text: 'The theorem.' },
  { role: 'user', text: 'Prove it.' },
];

test('what a reasoning model thought goes back to it with its signature, before its call', async () => {
  const thought = { text: 'Induction, I think.', signature: 'signed' };
  const answer = await ask(QUESTION, { thought, text: 'Looking.', call: { name: 'look', input: {} } });
  expect(answer).toMatchObject({ text: 'Looking.', thoughts: [{ text: thought.text }], calls: [{ name: 'look' }] });
  const { text, calls, thoughts } = answer;
  const [call] = calls;
  if (call === undefined) throw new Error('It called nothing.');
  await ask(
    [...QUESTION, { role: 'assistant', text, calls, thoughts }, { role: 'tool', call, text: 'nothing there' }],
    {},
  );
  expect(server?.requests[1]?.messages[1]).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: thought.text, signature: 'signed' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', name: 'look' },
    ],
  });
});

test('the system message, the end of the last question and the end of this one are marked, and never more than four', async () => {
  const call = { id: 'c', name: 'look', input: '{}' };
  const turn = (text: string): readonly Message[] => [
    { role: 'assistant', text, calls: [call] },
    { role: 'tool', call, text: `result of ${text}` },
  ];
  await ask([...QUESTION, ...turn('one'), ...turn('two')], {});
  const request = server?.requests[0];
  const marks = (value: unknown) => JSON.stringify(value).split('cache_control').length - 1;
  expect(marks(request)).toBe(3);
  expect(marks(request?.system)).toBe(1);
  expect(request?.messages.map(marks)).toEqual([0, 0, 1, 0, 1]);
});

test('an overload in the middle of an answer is told as one, and tried again', async () => {
  const failure = { type: 'overloaded_error', message: 'Overloaded' };
  const error: unknown = await ask(QUESTION, { failure }).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/Overloaded/u);
  expect(isWorthRetrying(error)).toBe(true);
  expect(isWorthRetrying(new ToldFailure({ type: 'invalid_request_error' }, 'no'))).toBe(false);
});

test('a first event of another form is told as what it is', async () => {
  const message = { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} };
  const baseURL = await answeringServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`);
  });
  const model = createAnthropic({ baseURL, apiKey: 'key' })('claude-sonnet-5');
  const options = { maxOutputTokens: 100, temperature: null, reasoning: 'provider-default', stream: true } as const;
  const signal = new AbortController().signal;
  const error: unknown = await requestAnswer(model, { messages: QUESTION, tools, ...options, signal }).catch(
    (thrown: unknown) => thrown,
  );
  expect(modelFailureText(error)).toBe(
    'What it answered is no answer of a model: its first event has another form',
  );
});

/** The same answer, whole, as each protocol has it. */
const WHOLE: readonly (readonly [protocol: Protocol, body: object])[] = [
  [
    'chat',
    {
      ...{ id: 'a', created: 0, model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    },
  ],
  [
    'anthropic',
    {
      ...{ type: 'message', id: 'a', model: 'm', role: 'assistant', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: 'Done.' }],
      usage: { input_tokens: 12, output_tokens: 3 },
    },
  ],
  [
    'google',
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
    },
  ],
  [
    'responses',
    {
      ...{ id: 'a', object: 'response', created_at: 0, model: 'm', status: 'completed' },
      output: [
        {
          ...{ type: 'message', id: 'b', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    },
  ],
];

test.each(
  WHOLE.flatMap(([protocol, body]) =>
    ['application/json', 'application/json; charset=utf-8'].map((type) => ({ protocol, type, body })),
  ),
)(
  'a server that does not stream ($protocol, $type) is asked once: its whole answer is taken, with what it cost',
  async ({ protocol, type, body }) => {
    let asked = 0;
    const url = await answering(type, () => {
      asked += 1;
      return JSON.stringify(body);
    });
    const answer = await asking(url, protocol);
    expect(answer).toMatchObject({ text: 'Done.', finish: 'stop', usage: { inputTokens: 12, outputTokens: 3 } });
    expect(asked).toBe(1);
  },
);

test('events under the name of JSON are read as events', async () => {
  const event = { id: 'a', created: 0, model: 'm' };
  const choices = [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }];
  const url = await answering(
    'application/json',
    () => `data: ${JSON.stringify({ ...event, choices })}\n\ndata: [DONE]\n\n`,
  );
  expect(await asking(url)).toMatchObject({ text: 'Done.', finish: 'stop' });
});

test.each(['chat', 'anthropic', 'google', 'responses'] as const)(
  'a web page is no answer that was cut off (%s): the address is to be checked',
  async (protocol) => {
    const url = await answering('text/html; charset=utf-8', () => '<!doctype html><title>Hello</title>');
    const error: unknown = await asking(url, protocol).catch((thrown: unknown) => thrown);
    expect(modelFailureText(error)).toContain('answered with a web page (status 200)');
    expect(remedyOf(error, ASKED, true)).toContain('check its address');
  },
);

test.each(['chat', 'anthropic', 'google', 'responses'] as const)(
  'an error in the place of an answer, with a good status, is told in the words of the server (%s)',
  async (protocol) => {
    const said = { error: { message: 'no credit left', code: 'x' } };
    const url = await answering('application/json', () => JSON.stringify(said));
    const error: unknown = await asking(url, protocol).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ToldFailure', isWhole: true });
    expect(modelFailureText(error)).toMatch(/^no credit left /u);
    expect(remedyOf(error, ASKED, true)).not.toContain('protocol');
  },
);

function answering(type: string, answer: () => string): Promise<string> {
  return answeringServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(answer());
  });
}

/** The model is asked for a stream. */
async function asking(url: string, protocol: Protocol = 'chat') {
  const name = parseModelName('mine/m', mergeSettings({ providers: { mine: { url, protocol } } }));
  const options = { maxOutputTokens: 100, temperature: null, reasoning: 'provider-default', stream: true } as const;
  const signal = new AbortController().signal;
  return requestAnswer(await openModel(name, 'key'), { messages: QUESTION, tools: [], ...options, signal });
}

/** How a model behind another address of a provider is asked. */
async function askedAt(model: string, settings: object, key?: string) {
  const asked: { path: string; keys: unknown[] }[] = [];
  const url = await answeringServer(({ url: path = '', headers }, response) => {
    const keys = [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization];
    asked.push({ path, keys: keys.filter((one) => one !== undefined && one !== '') });
    response.writeHead(404).end();
  });
  const [provider = ''] = model.split('/');
  const name = parseModelName(model, mergeSettings({ providers: { [provider]: { url, ...settings } } }));
  const options = { maxOutputTokens: 100, temperature: null, reasoning: 'provider-default', stream: false } as const;
  const signal = new AbortController().signal;
  await requestAnswer(await openModel(name, key), { messages: QUESTION, tools: [], ...options, signal }).catch(
    () => undefined,
  );
  return asked;
}

test.each([
  ['anthropic/claude-sonnet-5', {}, '/v1/messages'],
  ['google/gemini-3.5-flash', {}, '/v1/models/gemini-3.5-flash:generateContent'],
  ['openai/gpt-5', {}, '/v1/responses'],
  ['mistral/m', {}, '/v1/chat/completions'],
  ['mine/m', {}, '/v1/chat/completions'],
  ['mine/m', { protocol: 'anthropic' }, '/v1/messages'],
  ['anthropic/claude-sonnet-5', { protocol: 'chat' }, '/v1/chat/completions'],
])('%s at another address keeps its protocol (said: %j), and takes no key by itself', async (model, said, path) => {
  for (const vendor of ['ANTHROPIC', 'GOOGLE_GENERATIVE_AI', 'OPENAI', 'MISTRAL'])
    vi.stubEnv(`${vendor}_API_KEY`, 'not for that address');
  expect(await askedAt(model, said)).toEqual([{ path, keys: [] }]);
  const [withKey] = await askedAt(model, said, 'key');
  expect(withKey?.keys).toEqual([expect.stringMatching(/^(?:Bearer )?key$/u)]);
});
