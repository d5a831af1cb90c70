import { APICallError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { modelFailureText } from './failures.ts';

test('of an address neither password nor query is told, wherever it stands', () => {
  const url = 'http://user:p@ss@127.0.0.1:1/v1/chat?key=secret';
  const failed = new APICallError({ message: `Cannot reach "${url}"`, url, requestBodyValues: {} });
  for (const error of [failed, new TypeError(`Failed to parse URL from ${url}`)])
    expect(modelFailureText(error)).not.toMatch(/user|ss@|secret/u);
  expect(modelFailureText(failed)).toContain('from http://127.0.0.1:1/v1/chat)');
});
