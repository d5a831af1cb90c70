/**
 * What is sent to Anthropic, by its own package over real HTTP: thoughts that go back, and where a cached beginning
 * ends.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { afterEach, expect, test } from 'vitest';
import { startAnthropicServer } from '../testing/scripted-anthropic-server.ts';
import type { AnthropicReply, ScriptedAnthropicServer } from '../testing/scripted-anthropic-server.ts';
import type { Message } from './conversation.ts';
import { StreamFailure } from './failures.ts';
import { requestAnswer } from './language-model.ts';
import { isWorthRetrying } from './retry.ts';

let server: ScriptedAnthropicServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
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
  expect(isWorthRetrying(new StreamFailure('invalid_request_error', 'no'))).toBe(false);
});
