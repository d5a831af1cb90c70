import { expect, test } from 'vitest';
import { runAgainst } from './testing/run-against-server.ts';

test('a refusal that is said with a good status costs nothing, and is not asked for again', async () => {
  let requests = 0;
  const { message, failed } = await runAgainst(
    (_, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 402, message: 'no credit left' } }));
    },
    { others: { plans: 1 } },
  );
  expect(message).toContain('The server wants to be paid');
  expect(failed).toMatchObject([{ cost: 0, tries: 1 }]);
  expect(requests).toBe(1);
});

test.each([
  ['chat', 401, 'Incorrect API key provided'],
  ['chat', 403, 'This key may not use this model'],
  ['responses', 401, 'Incorrect API key provided'],
  ['anthropic', 401, 'invalid x-api-key'],
  ['google', 403, 'The caller does not have permission'],
  ['google', 400, 'API key not valid. Please pass a valid API key.'],
] as const)(
  '%s: a key that is refused with %i ends the run after one request',
  async (protocol, status, message) => {
    const asked: string[] = [];
    const ended = await runAgainst(
      (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message, code: status } }));
      },
      {
        provider: { protocol, keyVariable: 'OWN_KEY' },
        others: { plans: 4 },
        environment: { OWN_KEY: 'sk-refused-4711' },
      },
    );
    expect(asked).toHaveLength(1);
    expect(ended.message).toContain(message);
    expect(ended.message).toContain('The server of the provider own refuses the key in OWN_KEY: check it');
  },
);
