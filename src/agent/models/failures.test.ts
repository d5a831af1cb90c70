import { AssertionError } from 'node:assert';
import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { modelFailureText, remedyOf, ToldFailure } from './failures.ts';
import { isWorthRetrying } from './retry.ts';
import { refusalText } from './refusal-text.ts';
import { eventLines } from './responses/responses-model.ts';

const ASKED = { provider: 'it', keyVariable: null };

test('of an address neither password nor query is told, wherever it stands', () => {
  const url = 'http://user:p@ss@127.0.0.1:1/v1/chat?key=secret';
  const failed = new APICallError({ message: `Cannot reach "${url}"`, url, requestBodyValues: {} });
  for (const error of [failed, new TypeError(`Failed to parse URL from ${url}`)])
    expect(modelFailureText(error)).not.toMatch(/user|ss@|secret/u);
  expect(modelFailureText(failed)).toContain('from http://127.0.0.1:1/v1/chat)');
});

test.each([
  [{ code: 401 }, /The server of the provider it wants a key/u, false],
  [{ code: '402' }, /wants to be paid/u, false],
  [{ code: 400, status: 'INVALID_ARGUMENT' }, /refuses the request/u, false],
  [{ status: 'INVALID_ARGUMENT' }, /says that it failed/u, false],
  [{ type: 'error', status: 429 }, /limit of the account/u, true],
  [{ code: 503 }, /in trouble/u, true],
  [{ type: 'overloaded_error', code: null }, /says that it failed/u, true],
  [{ code: 7 }, /says that it failed/u, true],
])('an error that is said with a good status, %j, is what it says', (kind, remedy, mayPass) => {
  const error = { ...kind, message: 'No.' };
  const failures = [ToldFailure.inPlaceOf({ error }), ToldFailure.of({ error }), ToldFailure.of(error)];
  for (const failure of failures) {
    expect(String(failure)).toContain('No. (');
    expect(remedyOf(failure, ASKED, true)).toMatch(remedy);
    expect(isWorthRetrying(failure)).toBe(mayPass);
  }
});

test('what is wrong with an answer, and where, is one line', () => {
  const chunk = z.object({ choices: z.array(z.object({ delta: z.object({}) })) });
  const schema = z.union([chunk, z.object({ error: z.object({ message: z.string() }) })]);
  const value = { choices: [{ delta: {} }, 2], said: 'nobody wants to read this' };
  const malformed = new TypeValidationError({ value, cause: schema.safeParse(value).error });
  expect(modelFailureText(malformed)).toBe(
    'What it answered is no answer of a model: at choices.1: expected object, received number',
  );
  const url = 'http://127.0.0.1:1/v1/chat';
  const answered = { message: 'Invalid JSON response', url, requestBodyValues: {}, statusCode: 200 };
  expect(modelFailureText(new APICallError({ ...answered, cause: malformed }))).toBe(
    'What it answered is no answer of a model: at choices.1: expected object, received number (status 200 from http://127.0.0.1:1/v1/chat)',
  );
  const noJson = new JSONParseError({ text: '<html>\n', cause: new SyntaxError('Unexpected token') });
  expect(modelFailureText(noJson)).toBe('What it answered is no answer of a model: it is no JSON');
  const cause = new TypeError('fetch failed', { cause: new AssertionError({ message: 'assert(statusCode >= 100)' }) });
  const failed = new APICallError({ message: 'Cannot connect', url, requestBodyValues: {}, cause });
  expect(modelFailureText(failed)).toBe(
    'What it answered is no answer of HTTP (no answer from http://127.0.0.1:1/v1/chat)',
  );
  expect(remedyOf(failed, ASKED)).toContain('The server was reached');
});

test('no part of an answer that is no JSON is told: it may be half of a key', async () => {
  const read = async (): Promise<void> => {
    const chunks = ReadableStream.from(['data: {"choices": sk-secret-of-somebody\n\n']);
    for await (const value of chunks.pipeThrough(eventLines())) expect.fail(String(value));
  };
  const failure: unknown = await read().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SyntaxError);
  expect(modelFailureText(failure)).toBe('What it answered is no answer of a model: it is no JSON');
  expect(modelFailureText(new TypeValidationError({ value: 'sk-secret', cause: new Error('no string') }))).toBe(
    'What it answered is no answer of a model: it has another form',
  );
});

test.each([
  ['a text', 'the model is loading', 'the model is loading'],
  ['a part of what the status says', 'Request', 'Request'],
  ['a page', '<!DOCTYPE html><html><head><title>502 Bad\nGateway</title></head>…', '502 Bad Gateway'],
  ['detail', '{"detail":"no such model"}', 'no such model'],
  ['details of fields', '{"detail":[{"loc":["body","n"],"msg":"field required"}]}', 'field required'],
  ['message', '{"object":"error","message":"no such model","code":404}', 'no such model'],
  ['error', '{"error":"no such model"}', 'no such model'],
  ['a list', '[{"error":{"message":"no such model"}}]', 'no such model'],
  ['a JSON string', '"no such model"', 'no such model'],
  ['what acts', '"a\\u001b[2Jb\\u202ec"', 'a\\u{1b}[2Jb\\u{202e}c'],
  ['an address', 'see http://me:hidden@proxy/a?key=hidden', 'see http://proxy/a'],
])('what a server says in the body of a refusal is told: %s', (_, responseBody, said) => {
  const url = 'http://127.0.0.1:1/v1/chat';
  const refused = { message: 'Bad Request', url, requestBodyValues: {}, statusCode: 400, responseBody };
  expect(modelFailureText(new APICallError(refused))).toBe(`Bad Request: ${said} (status 400 from ${url})`);
});

test.each([
  ['what says nothing', '{"code":3}'],
  ['half of an object', '{"error":'],
  ['a page without a title', '<p>no</p>'],
  ['what is told already', '{"error":{"message":"Bad Request"}}'],
])('the body of a refusal adds nothing: %s', (_, responseBody) => {
  const url = 'http://127.0.0.1:1/v1/chat';
  const refused = { message: 'Bad Request', url, requestBodyValues: {}, statusCode: 400, responseBody };
  expect(modelFailureText(new APICallError(refused))).toBe(`Bad Request (status 400 from ${url})`);
});

test('of a long refusal, which the protocol has the words of, nothing is told twice', () => {
  const message = 'no such\nmodel, '.repeat(100);
  const url = 'http://127.0.0.1:1/v1/chat';
  const refused = { message, url, requestBodyValues: {}, statusCode: 400 };
  const responseBody = JSON.stringify({ error: { message } });
  expect(modelFailureText(new APICallError({ ...refused, responseBody }))).toBe(
    `${message.trim()} (status 400 from ${url})`,
  );
});

test('of a long refusal whole words are told, so that no half of a key is', () => {
  const key = `sk-${'a'.repeat(40)}`;
  fc.assert(
    fc.property(fc.array(fc.constantFrom('no', key, 'such'), { maxLength: 60 }), (words) => {
      const told = refusalText(JSON.stringify({ message: words.join(' ') }));
      expect(told.length).toBeLessThanOrEqual(301);
      for (const word of told.replace(/…$/u, '').split(' ')) expect(['', 'no', key, 'such']).toContain(word);
    }),
  );
  expect(refusalText('a'.repeat(100_000))).toBe('…');
});
