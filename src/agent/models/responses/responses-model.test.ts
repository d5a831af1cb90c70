/**
 * OpenAI's responses over real HTTP: whatever a model answers, streamed or not, goes back to it as it came, and is
 * counted; recorded conversations are replayed.
 */
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordConversations, replayConversations } from '../../testing/recorded-conversations.ts';
import { startResponsesServer, type ResponsesReply } from '../../testing/scripted-responses-server.ts';
import { mergeSettings } from '../../settings.ts';
import type { Message } from '../conversation.ts';
import { CutStream, modelFailureText, ToldFailure } from '../failures.ts';
import { openModel, requestAnswer } from '../language-model.ts';
import { parseModelName } from '../providers.ts';
import { isWorthRetrying } from '../retry.ts';
import { eventLines } from './responses-model.ts';

const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }];
const QUESTION: readonly Message[] = [
  { role: 'system', text: 'The theorem.' },
  { role: 'user', text: 'Prove it.' },
];

async function modelAt(url: string) {
  const settings = mergeSettings({ providers: { it: { url, free: true, protocol: 'responses' } } });
  return openModel(parseModelName('it/thinker', settings), 'key');
}

async function ask(url: string, messages: readonly Message[], stream: boolean) {
  return requestAnswer(await modelAt(url), {
    ...{ messages, tools, stream, maxOutputTokens: 100, temperature: null, reasoning: 'low' },
    signal: new AbortController().signal,
  });
}

async function serve(answer: (number: number) => ResponsesReply) {
  const server = await startResponsesServer((_, number) => answer(number));
  onTestFinished(() => server.close());
  return server;
}

const said = fc.string({ minLength: 1, maxLength: 20 });
const thought = fc.record({
  type: fc.constant('reasoning'),
  id: said,
  summary: fc.array(said.map((text) => ({ type: 'summary_text', text })), { maxLength: 2 }),
  encrypted_content: said,
});
const call = fc.record({
  type: fc.constant('function_call'),
  call_id: fc.uuid(),
  name: fc.constant('look'),
  arguments: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }).map((value) => JSON.stringify(value)),
});
const message = said.map((text) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
}));
/** One message at most: texts are one text in a conversation. */
const answers = fc
  .tuple(fc.array(fc.oneof(thought, call), { maxLength: 5 }), fc.option(message), fc.nat(5))
  .map(([items, text, at]) =>
    text === null ? items : [...items.slice(0, at), text, ...items.slice(at)],
  );

test('whatever is answered goes back as it came, in its order, streamed or not', async () => {
  let output: readonly Readonly<Record<string, unknown>>[] = [];
  const server = await serve(() => ({ output }));
  await fc.assert(
    fc.asyncProperty(answers, fc.boolean(), async (items, stream) => {
      output = items;
      const { text, calls, thoughts } = await ask(server.url, QUESTION, stream);
      output = [];
      const results = calls.map((one): Message => ({ role: 'tool', call: one, text: 'found' }));
      await ask(server.url, [...QUESTION, { role: 'assistant', text, calls, thoughts }, ...results], stream);
      const { input, instructions, store } = server.requests.at(-1) ?? { input: [] };
      expect({ instructions, store }).toEqual({ instructions: 'The theorem.', store: false });
      const back = items.map((item) =>
        'content' in item
          ? { role: 'assistant', content: [{ type: 'output_text', text: item.content[0]?.text }] }
          : 'summary' in item
            ? { ...item, summary: joined(item.summary) }
            : item,
      );
      const outputs = calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'found' }));
      expect(input.slice(1)).toEqual([...back, ...outputs]);
    }),
    { numRuns: 60 },
  );
});

function joined(summary: readonly { readonly text: string }[]) {
  const text = summary.map((one) => one.text).join('\n\n');
  return summary.length === 0 ? [] : [{ type: 'summary_text', text }];
}

test('a stream is read the same however it is cut', async () => {
  const values = [{ type: 'a', delta: 'é\n' }, { type: 'b' }, { type: 'c', delta: 'data: x\r\n\r\n' }];
  const wire = [...values.map((value) => `event: x\r\ndata: ${JSON.stringify(value)}\r\n\r\n`), 'data: [DONE]\n\n'].join('');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(wire.length), { maxLength: 8 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), wire.length];
      const chunks = places.slice(1).map((place, index) => wire.slice(places[index], place));
      const read: unknown[] = [];
      for await (const value of ReadableStream.from(chunks).pipeThrough(eventLines())) read.push(value);
      expect(read).toEqual(values);
    }),
  );
});

test.each([true, false])('tokens are counted with what was cached, and why it ended is told (streamed: %s)', async (stream) => {
  const usage = {
    ...{ input_tokens: 1000, output_tokens: 300 },
    ...{ input_tokens_details: { cached_tokens: 800 }, output_tokens_details: { reasoning_tokens: 250 } },
  };
  const ends = [
    { output: [], usage },
    { output: [], usage, status: 'incomplete', incompleteFor: 'max_output_tokens' },
  ] as const;
  const server = await serve((number) => ends[number] ?? ends[0]);
  const counted = { inputTokens: 1000, cachedTokens: 800, outputTokens: 300 };
  expect(await ask(server.url, QUESTION, stream)).toMatchObject({ usage: counted, finish: 'stop' });
  expect(await ask(server.url, QUESTION, stream)).toMatchObject({ usage: counted, finish: 'length' });
});

test.each([true, false])('a failure is told with its words, and whether it may pass (streamed: %s)', async (stream) => {
  const error = { code: 'server_error', message: 'Overloaded' };
  const server = await serve(() => ({ output: [], status: 'failed', error }));
  const failure: unknown = await ask(server.url, QUESTION, stream).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(ToldFailure);
  expect(String(failure)).toContain('Overloaded');
  // The model had written nothing: that costs nothing.
  if (!stream) expect(failure).toMatchObject({ isWhole: true });
  expect(isWorthRetrying(failure)).toBe(true);
});

test.each([true, false])('a refusal is the text of the answer (streamed: %s)', async (stream) => {
  const output = [{ type: 'message', content: [{ type: 'refusal', refusal: 'I may not help with this.' }] }];
  const server = await serve(() => ({ output }));
  const answer = await ask(server.url, QUESTION, stream);
  expect(answer).toMatchObject({ text: 'I may not help with this.', calls: [], finish: 'stop' });
  const { text, calls, thoughts } = answer;
  await ask(server.url, [...QUESTION, { role: 'assistant', text, calls, thoughts }], stream);
  expect(server.requests[1]?.input.slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'output_text', text }] },
  ]);
});

const HALF = { type: 'message', content: [{ type: 'output_text', text: 'Half a pr' }] };

test.each([
  ['max_output_tokens', 'length', true],
  ['max_output_tokens', 'length', false],
  ['content_filter', 'content-filter', true],
  ['content_filter', 'content-filter', false],
  ['something new', 'other', true],
  ['something new', 'other', false],
])('what was cut off for %s is there, and ends with %s (streamed: %s)', async (incompleteFor, finish, stream) => {
  const server = await serve(() => ({ output: [HALF], status: 'incomplete', incompleteFor }));
  expect(await ask(server.url, QUESTION, stream)).toMatchObject({ text: 'Half a pr', finish });
});

test.each([true, false])('items of other kinds, and fields that are new, are passed over (streamed: %s)', async (stream) => {
  const made = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"at":1}' };
  const output = [{ type: 'web_search_call', id: 'w' }, { ...made, id: 'fc', status: 'completed' }, HALF];
  const server = await serve(() => ({ output }));
  expect(await ask(server.url, QUESTION, stream)).toMatchObject({
    text: 'Half a pr',
    calls: [{ id: 'c', name: 'look', input: '{"at":1}' }],
    finish: 'tool-calls',
  });
});

test.each([
  ['a text', 'gateway: no route', 'Bad Gateway: gateway: no route'],
  ['a text that the status has, too', 'Bad', 'Bad Gateway: Bad'],
  ['the form of the protocol', '{"error":{"message":"no such model"}}', 'Bad Gateway: no such model'],
  ['another form', '{"detail":"no such model"}', 'Bad Gateway: no such model'],
  ['nothing', '', 'Bad Gateway'],
])('a refusal in %s is told once', async (_, body, said) => {
  const server = await serve(() => ({ refusal: 502, body }));
  const failure: unknown = await ask(server.url, QUESTION, true).catch((thrown: unknown) => thrown);
  expect(modelFailureText(failure)).toBe(`${said} (status 502 from ${server.url}/responses)`);
});

test('a stream without its last event is no answer', async () => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Half a proof' }] }];
  const server = await serve(() => ({ output, isCut: true }));
  await expect(ask(server.url, QUESTION, true)).rejects.toBeInstanceOf(CutStream);
});

test('a model that does not think is asked again without its thoughts, once', async () => {
  const message = 'Encrypted content is not supported with this model.';
  const server = await startResponsesServer(({ include }) =>
    include === undefined ? { output: [] } : { refusal: 400, message },
  );
  onTestFinished(() => server.close());
  const model = await modelAt(server.url);
  const request = { messages: QUESTION, tools, stream: false, maxOutputTokens: null, temperature: null };
  const settings = { reasoning: 'provider-default' as const, signal: new AbortController().signal };
  await requestAnswer(model, { ...request, ...settings });
  await requestAnswer(model, { ...request, ...settings });
  expect(server.requests.map(({ include }) => include?.length)).toEqual([1, undefined, undefined]);
});

test('other refusals are refusals, with the words of the server and its status', async () => {
  const server = await serve(() => ({ refusal: 401, message: 'Incorrect API key' }));
  const failure: unknown = await ask(server.url, QUESTION, false).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ statusCode: 401 });
  expect(modelFailureText(failure)).toContain('Incorrect API key');
  expect(server.requests).toHaveLength(1);
});

test('a recorded conversation is replayed without the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-responses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'talk.jsonl');
  const output = [
    { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' },
    { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
  ];
  const server = await serve((number) => ({ output: number === 0 ? output : [] }));
  const talk = async (url: string) => {
    const first = await ask(url, QUESTION, true);
    const [made] = first.calls;
    if (made === undefined) throw new Error('It called nothing.');
    const { text, calls, thoughts } = first;
    const result: Message = { role: 'tool', call: made, text: 'found' };
    return [first, await ask(url, [...QUESTION, { role: 'assistant', text, calls, thoughts }, result], true)];
  };
  const recorder = await recordConversations(server.url, file, folder);
  const recorded = await talk(recorder.url);
  await recorder.close();
  const replayer = await replayConversations(file, folder);
  expect(await talk(replayer.url)).toEqual(recorded);
  await replayer.close();
});
